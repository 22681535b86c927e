"""``parlour arena``: let bots play many games and tell who is better."""

import json as encoding
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from pathlib import Path
from secrets import randbits
from typing import Annotated, Literal, TextIO

import attrs
from cyclopts import Parameter
from rich.console import Console

from parlour_bots.arena import boards, plot, table
from parlour_bots.arena.boards import Board
from parlour_bots.arena.contest import Contest, writer
from parlour_bots.arena.progress import Progress
from parlour_bots.arena.reports import of_contest
from parlour_bots.arena.runs import GAME
from parlour_bots.loader import find, installed
from parlour_client.faults import INTERRUPTED_BY_USER, OK, Usage
from parlour_games.game import BadOptions
from parlour_games.minesweeper.options import Options

GAMES = 100
RUNS = 5
_SIZE = re.compile(r"(\d{1,5})[x×](\d{1,5})/(\d{1,5})")


def _switch(text: str) -> Parameter:
    return Parameter(help=text, negative="")


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class How:
    """Which boards, and how they are played."""

    boards: Annotated[Path | None, Parameter(help="Play the boards of this file, one JSON object a line.")] = None
    out: Annotated[Path | None, Parameter(help="Write the result of each game to this file, a line each.")] = None
    level: Annotated[Literal["beginner", "intermediate", "expert"], Parameter(help="Fresh boards of this level.")] = (
        "expert"
    )
    size: Annotated[str | None, Parameter(help="Fresh boards of this size instead, WIDTHxHEIGHT/MINES.")] = None
    first: Annotated[
        Literal["any", "safe", "opening", "radius"] | None,
        Parameter(help="What the first click of fresh boards promises. Default: opening; with --table radius."),
    ] = None
    start: Annotated[
        Literal["corner", "centre", "random"], Parameter(help="Which cell of a fresh board is opened for all bots.")
    ] = "corner"
    games: Annotated[int | None, Parameter(help="How many fresh boards; with --table in each run. Default: 100.")] = (
        None
    )
    seed: Annotated[int | None, Parameter(help="Play the very boards that had this seed.")] = None
    jobs: Annotated[int, Parameter(help="How many processes play.")] = 1
    table: Annotated[bool, _switch("Play what the articles on solving Minesweeper played, all levels.")] = False
    runs: Annotated[int | None, Parameter(help="How many runs a level with --table. Default: 5.")] = None
    plot: Annotated[Path | None, Parameter(help="Draw the table into this SVG file.")] = None
    json: Annotated[bool, _switch("Print the result as one JSON object.")] = False


def arena(
    game: Annotated[str, Parameter(help="What is played: minesweeper.")],
    /,
    *bots: Annotated[str, Parameter(name="BOT", help="Installed bots, FILE.py, FILE.py:NAME or MODULE:NAME.")],
    how: How = How(),
) -> int:
    """Let bots play many boards in this process or several, and tell how they did and how sure that is.

    Every bot plays the same boards, from a file or fresh, and sees what a player sees. The first cell is opened for it.

    Examples:
    parlour arena minesweeper exact --boards boards.jsonl --out results.jsonl --jobs 2
    parlour arena minesweeper exact ./my_bot.py --level expert --first safe --games 1000 --seed 1
    parlour arena minesweeper --table --plot solved.svg
    """
    _check(game, bots, how)
    bots = bots or table.BOTS
    with _own_affairs():
        names = [_name(bot) for bot in bots]
    seed = _seed(how)
    contest = Contest(bots, _distinct(names, bots), _boards(how, seed), seed, how.jobs)
    _run(contest, how)
    _tell_table(contest, how) if how.table else _tell(contest, how)
    return INTERRUPTED_BY_USER if contest.interrupted else OK


def _check(game: str, bots: Sequence[str], how: How) -> None:
    """Raise Usage for what cannot be meant."""
    if game != GAME:
        raise Usage(f"the arena is for {GAME}, not {game!r}")
    if not bots and not how.table:
        raise Usage("name at least one bot. See: parlour bot list")
    if how.boards and (how.table or how.size or how.first or how.games is not None):
        raise Usage("--boards are as they are: --table, --size, --first and --games are for fresh boards")
    if how.table and how.size:
        raise Usage("--table plays the three levels: it has no --size")
    if not how.table and (how.runs is not None or how.plot):
        raise Usage("--runs and --plot are for --table")
    for name in ("games", "runs", "jobs"):
        number = getattr(how, name)
        if number is not None and number < 1:
            raise Usage(f"--{name} must be at least 1, not {number}")
    if how.out and how.boards and how.out.exists() and how.boards.exists() and how.out.samefile(how.boards):
        raise Usage("--out would overwrite the boards")


def _boards(how: How, seed: int) -> list[Board]:
    """Return the boards that are asked for. Raises Usage."""
    if how.boards:
        return boards.read(how.boards)
    games = how.games or GAMES
    if how.table:
        return table.boards(games, how.runs or RUNS, seed, how.first or table.PROMISE, how.start)
    return list(boards.fresh(_options(how), how.start, seed, games))


def _options(how: How) -> Options:
    first = how.first or "opening"
    if how.size is None:
        return Options(level=how.level, first=first)
    size = _SIZE.fullmatch(how.size)
    if size is None:
        raise Usage(f"--size is WIDTHxHEIGHT/MINES, 30x16/99, not {how.size!r}")
    width, height, mines = map(int, size.groups())
    try:
        return Options(level="custom", width=width, height=height, mines=mines, first=first)
    except BadOptions as error:
        raise Usage(f"--size {how.size}: {error}") from None


def _seed(how: How) -> int:
    """Return the seed: of fresh boards any, so that a second look is a second look; of given boards always the same."""
    return how.seed if how.seed is not None else 0 if how.boards else randbits(32)


def _name(bot: str) -> str:
    """Return the name of the bot that ``bot`` asks for. Raises NoBot, or Usage for one of another game."""
    if bot in installed() and not bot.startswith(f"{GAME}."):
        raise Usage(f"{bot} does not play {GAME}. See: parlour bot list")
    return find(bot, GAME).name


def _distinct(names: Sequence[str], bots: Sequence[str]) -> list[str]:
    """Return what the bots are called: by name, namesakes as they were asked for, the same ones twice by number too."""
    called = [name if names.count(name) == 1 else bot for name, bot in zip(names, bots, strict=True)]
    return [name if called.count(name) == 1 else f"{name}#{number}" for number, name in enumerate(called, start=1)]


def _run(contest: Contest, how: How) -> None:
    with ExitStack() as stack:
        out = stack.enter_context(_opened(how.out)) if how.out else None
        progress = stack.enter_context(Progress(len(contest.boards) * len(contest.bots), sys.stderr))
        stack.enter_context(_own_affairs())
        contest.run(progress, writer(out, len(contest.bots)))


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise Usage(f"{path} cannot be written: {error}") from None
    with file:
        yield file


@contextmanager
def _own_affairs() -> Iterator[None]:
    """While bots are at work, do not show them our command line, nor let them print among our results."""
    arguments = sys.argv
    sys.argv = arguments[:1]
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        sys.argv = arguments


def _tell(contest: Contest, how: How) -> None:
    again = "" if how.boards else f"The same boards again: --seed {contest.seed}"
    report = of_contest(contest, GAME, again)
    sys.stdout.write(f"{encoding.dumps(report.data) if how.json else report.text}\n")


def _tell_table(contest: Contest, how: How) -> None:
    games, runs = how.games or GAMES, how.runs or RUNS
    figures = table.figures(contest.names, contest.complete(), games, runs)
    if how.plot:
        with _opened(how.plot) as file:
            file.write(plot.svg(figures, games))
    if how.json:
        head = {"game": GAME, "games": games, "runs": runs, "seed": contest.seed, "interrupted": contest.interrupted}
        sys.stdout.write(f"{encoding.dumps(head | figures.plain())}\n")
        return
    terminal = sys.stdout.isatty()
    console = Console(file=sys.stdout, width=None if terminal else 120)
    console.print(table.drawn(figures, games, runs, ruled=terminal))
    cut = "Interrupted: this is what has been played. " if contest.interrupted else ""
    sys.stdout.write(f"{cut}The same boards again: --seed {contest.seed}\n")
