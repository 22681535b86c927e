"""Why a bot lost: the decisions of its lost games of UNO that cost most, as ``search`` judges them."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

import attrs

from parlour_bots.arena.engine.pool import Played
from parlour_bots.arena.league.game import Game, Outcome, play
from parlour_bots.sdk import BotSpec
from parlour_bots.tools import review
from parlour_bots.tools.progress import ReviewProgress
from parlour_bots.uno.review import Judgement
from parlour_client.core.errors import writing
from parlour_client.replays.reader import Replay, read
from parlour_client.text.uno.review import share, words
from parlour_games.plural import counted
from parlour_protocol.messages import Plain

GAMES = 20
"""Lost games to review: the first ones of the contest."""
WORLDS = 200
"""Worlds per decision."""
SHOWN = 5
"""Decisions in the report."""


def play_and_keep(specs: Sequence[BotSpec], game: Game, seed: int, options: Plain, folder: Path) -> Played[Outcome]:
    """Play a game as ``play`` does, and write its match file to ``folder`` if the first bot lost. Raises Usage."""
    lines: list[str] = []
    found = play(specs, game, seed, options, lines.extend)
    if lines and lost_seat(found.outcome) is not None:
        path = file_of(folder, game.number)
        with writing(path):
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")
    return found


def lost_seat(outcome: Outcome) -> int | None:
    """Return the seat in which the first bot lost the game; None if it did not play, or had a part of the win."""
    seat = outcome.seats.index(0) if 0 in outcome.seats else None
    return None if seat is None or outcome.share(seat) else seat


def file_of(folder: Path, number: int) -> Path:
    """Return the path of the match file of a game."""
    return folder / f"game-{number:06}.jsonl"


@attrs.frozen
class Costly:
    """A decision in a lost game."""

    game: int
    file: Path
    seat: int
    judgement: Judgement

    @property
    def command(self) -> str:
        """The command that opens the replay at the decision, through the eyes of the bot."""
        at = self.judgement.n - 1
        return shlex.join(["parlour", "replay", str(self.file), "--as", str(self.seat), "--at", str(at)])

    def plain(self) -> Plain:
        """Return the decision as plain data."""
        judged = attrs.asdict(self.judgement, recurse=False)
        return {"game": self.game, "file": str(self.file), "seat": self.seat, **judged, "command": self.command}


@attrs.frozen
class Losses:
    """The costliest decisions of the first bot, ``name``, in ``reviewed`` of ``lost`` games."""

    name: str
    lost: int
    reviewed: int
    decisions: int
    costly: tuple[Costly, ...]

    def plain(self) -> Plain:
        """Return the losses as plain data; costs are shares of the chance to win the match."""
        return {
            **attrs.asdict(self, filter=lambda field, _: field.name != "costly"),
            "worlds": WORLDS,
            "costly": [each.plain() for each in self.costly],
        }

    def lines(self) -> Iterator[str]:
        """Yield the lines of the report."""
        games = counted(self.lost, "lost game")
        yield f"{self.name}: {counted(self.decisions, 'decision')} in {self.reviewed} of {games}, judged by search."
        if not self.costly:
            yield "None of them clearly cost something."
        for each in self.costly:
            judged = each.judgement
            cost = f"-{share(judged.cost)} ± {share(judged.error)}"
            yield f"  {cost}: {words(judged.action)}. Search: {words(judged.best)}"
            yield f"    {each.command}"


def losses(name: str, lost: Iterable[tuple[int, int]], folder: Path, seed: int, out: TextIO) -> Losses:
    """Review the first ``GAMES`` of the ``lost`` games, pairs of number and seat. Games without a file are left out."""
    lost = list(lost)
    chosen = [(number, seat) for number, seat in lost if file_of(folder, number).exists()][:GAMES]
    replays: list[Replay] = [read(file_of(folder, number), seat) for number, seat in chosen]
    found: list[Costly] = []
    decisions = 0
    with ReviewProgress(sum(len(review.decisions(each)) for each in replays), out) as progress:
        for (number, seat), replay in zip(chosen, replays, strict=True):
            judged = review.review(replay, WORLDS, seed, progress.step).judgements
            decisions += len(judged)
            found += [Costly(number, file_of(folder, number), seat, each) for each in judged if each.mistake]
    found.sort(key=lambda each: -each.judgement.cost)
    return Losses(name, len(lost), len(chosen), decisions, tuple(found[:SHOWN]))
