"""Why did my bot lose? The decisions that cost the first bot most in games that it lost."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

import attrs

from parlour_bots.judgement import Judgement
from parlour_bots.tools import review
from parlour_bots.tools.progress import ReviewProgress
from parlour_client.core.errors import writing
from parlour_client.core.room import JoinedRoom
from parlour_client.replays import Replay, read
from parlour_client.text.review import share, words
from parlour_games.plural import counted
from parlour_protocol.messages import Plain

GAMES = 20
"""Lost games to review: the first ones."""
WORLDS = {"uno": 200, "minesweeper": 30}
"""Worlds per decision: fewer than in a review of one match."""
SHOWN = 5
"""Decisions in the report."""


@attrs.frozen
class LostGame:
    """A match file of a game, and the seat that lost it."""

    game: int
    """The number of the game in its contest."""
    file: Path
    seat: int


def keep(folder: Path, number: int, lines: Sequence[str]) -> None:
    """Write the match file of a lost game to ``folder``. Raises Usage."""
    path = file_of(folder, number)
    with writing(path):
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")


def file_of(folder: Path, number: int) -> Path:
    """Return the path of the match file of a game."""
    return folder / f"game-{number:06}.jsonl"


@attrs.frozen
class Costly:
    """A decision in a lost game."""

    lost: LostGame
    judgement: Judgement
    words: tuple[str, str]
    """What was done, and what the judge would have done."""

    @property
    def command(self) -> str:
        """The command that opens the replay at the decision, through the eyes of the bot."""
        lost, at = self.lost, self.judgement.n - 1
        return shlex.join(["parlour", "replay", str(lost.file), "--as", str(lost.seat), "--at", str(at)])

    def plain(self) -> Plain:
        """Return the decision as plain data."""
        judged = attrs.asdict(self.judgement, recurse=False)
        where = {**attrs.asdict(self.lost), "file": str(self.lost.file)}
        return {**where, **judged, "command": self.command}


@attrs.frozen
class Losses:
    """The costliest decisions of a bot, ``name``, in ``reviewed`` of ``lost`` games, by the estimate of ``judge``."""

    name: str
    judge: str
    lost: int
    reviewed: int
    decisions: int
    worlds: int
    costly: tuple[Costly, ...]

    def plain(self) -> Plain:
        """Return the losses as plain data; costs are shares of the chance to win the match, or to clear the board."""
        return {**attrs.asdict(self, recurse=False), "costly": [each.plain() for each in self.costly]}

    def lines(self) -> Iterator[str]:
        """Yield the lines of the report."""
        decisions, games = counted(self.decisions, "decision"), counted(self.lost, "lost game")
        yield f"{self.name}: {decisions} in {self.reviewed} of {games}, judged by {self.judge}."
        if not self.costly:
            yield "None of them clearly cost something."
        for each in self.costly:
            done, better = each.words
            yield f"  -{share(each.judgement.cost)} ± {share(each.judgement.error)}: {done}. {self.judge}: {better}"
            yield f"    {each.command}"


def losses(game: str, name: str, lost: Iterable[LostGame], seed: int, out: TextIO) -> Losses:
    """Review the first ``GAMES`` of the games of ``game`` that were ``lost``. Games without a file are left out."""
    lost, judge = list(lost), review.JUDGES[game]
    chosen = [each for each in lost if each.file.exists()][:GAMES]
    replays: list[Replay] = [read(each.file, each.seat) for each in chosen]
    found: list[Costly] = []
    decisions = 0
    with ReviewProgress(sum(len(review.decisions(each)) for each in replays), out) as progress:
        for each, replay in zip(chosen, replays, strict=True):
            room = JoinedRoom.of(review.joined_of(replay))
            judged = review.review(replay, WORLDS[game], seed, progress.step).judgements
            decisions += len(judged)
            found += [
                Costly(each, one, (words(room, one.action), words(room, one.best))) for one in judged if one.mistake
            ]
    found.sort(key=lambda each: -each.judgement.cost)
    return Losses(name, judge.bot, len(lost), len(chosen), decisions, WORLDS[game], tuple(found[:SHOWN]))
