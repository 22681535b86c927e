"""Why did my bot lose? The decisions that cost it most in the games that it lost in an arena or in a contest."""

import json
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, TextIO

import attrs
from cyclopts import Parameter

from parlour_bots.judgement import Judgement
from parlour_bots.tools import review
from parlour_bots.tools.progress import ReviewProgress
from parlour_bots.tools.reports import Report
from parlour_client.cli.params import Json
from parlour_client.core.errors import OK, Fault, Usage, writing
from parlour_client.core.room import JoinedRoom
from parlour_client.replays import Replay, read
from parlour_client.text.review import share, words
from parlour_games.plural import counted
from parlour_protocol.installation import module_command
from parlour_protocol.messages import Plain

GAMES = 20
"""Lost games to review: the first ones."""
WORLDS = {"uno": 200, "minesweeper": 30}
"""Worlds per decision: fewer than in a review of one match."""
SHOWN = 5
"""Decisions in the report."""
_MATCHES = ("parlour_client.cli.main", "matches")
_SHOWN = 12
"""Digits of a digest in the name of a file."""


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

    def added_to(self, report: Report) -> Report:
        """Return the report of a contest with these losses."""
        return Report(
            "\n".join([report.text, "", *self.lines()]), {**report.data, "losses": self.plain()}, report.sound
        )

    def lines(self) -> Iterator[str]:
        """Yield the lines of the report."""
        decisions, games = counted(self.decisions, "decision"), counted(self.lost, "lost game")
        yield f"{self.name}: {decisions} in {self.reviewed} of {games}, judged by {self.judge}."
        if not self.costly:
            yield "None of them clearly cost anything."
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


def why(
    name: Annotated[str, Parameter(name="NAME", help="The contest.")],
    bot: Annotated[str, Parameter(name="BOT", help="The bot's name, in any letter case.")],
    /,
    *,
    folder: Annotated[Path, Parameter(help="The folder that keeps the match files.")] = Path("lost"),
    store: Annotated[str, Parameter(help="The store of the server. Default: that of parlour serve.")] = "",
    as_json: Json = False,
) -> int:
    """List the decisions that cost a bot most in the contest matches it lost.

    Run it on the server's machine. The server can keep running. The strongest house bot of the game judges.

    Examples:
    parlour contest why friday anna
    parlour contest why friday anna --folder friday-anna --json
    """
    where = ["--store", store] if store else []
    matches: list[dict[str, Any]] = json.loads(_said("--contest", name, "--limit", "0", "--json", *where))
    seats = [(match, _lost_seat(match, bot)) for match in reversed(matches)]
    lost = [
        LostGame(number, folder / f"{match['game']}-{match['digest'][:_SHOWN]}.jsonl", seat)
        for number, (match, seat) in enumerate(seats, start=1)
        if seat is not None
    ]
    if not lost:
        raise Usage(f"{bot} has lost no match of a contest {name} in this store. See: parlour contest results {name}")
    game = matches[0]["game"]
    if game not in review.JUDGES:
        raise Usage(f"no bot judges decisions of {game}, only of {', '.join(review.JUDGES)}")
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for each in lost[:GAMES]:
        if not each.file.exists():
            _said("export", matches[-each.game]["digest"], "--to", str(each.file), *where)
    found = losses(game, bot, lost, 0, sys.stderr)
    Report("\n".join(found.lines()), {"contest": name, **found.plain()}).write(sys.stdout, as_json=as_json)
    return OK


def _lost_seat(match: dict[str, Any], bot: str) -> int | None:
    """Return the seat in which the bot lost a match; None if it did not play, or had a part of the win."""
    mine = [player for player in match["players"] if player["name"].casefold() == bot.casefold()]
    return mine[0]["seat"] if mine and match["rated"] and mine[0]["rank"] > 1 else None


def _said(*words: str) -> str:
    """Return what a verb of ``parlour matches`` prints. Raises Fault."""
    done = subprocess.run(module_command(*_MATCHES, *words), capture_output=True, check=False, text=True)
    if done.returncode != OK:
        raise Fault(done.stderr.strip().rpartition("\n")[2].removeprefix("parlour: "))
    return done.stdout
