"""``parlour arena minesweeper``."""

import json as encoding
import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from secrets import randbits

from rich.console import Console

from parlour_bots.arena.charts import image_file
from parlour_bots.arena.cli.options import How, check_game, distinct, opened, own_affairs, refuse_others
from parlour_bots.arena.engine.progress import Progress
from parlour_bots.arena.minesweeper import articles_table, boards, plot
from parlour_bots.arena.minesweeper.boards import Board
from parlour_bots.arena.minesweeper.report import of_contest
from parlour_bots.arena.minesweeper.run import GAME, Contest, writer
from parlour_bots.loading.loader import find
from parlour_client.core.errors import INTERRUPTED_BY_USER, OK, Usage
from parlour_games.game import BadOptions
from parlour_games.minesweeper.options import Options

GAMES = 100
RUNS = 5
LEVEL = "expert"
_SIZE = re.compile(r"(\d{1,5})[x×](\d{1,5})/(\d{1,5})")
_OWN = ("boards", "level", "size", "first", "start", "table", "runs")


def arena(bots: Sequence[str], how: How) -> int:
    """Play the contest that is asked for, tell how it came out, and return the exit code. Raises Fault."""
    _check(bots, how)
    bots = bots or articles_table.BOTS
    with own_affairs():
        names = [_name(bot) for bot in bots]
    seed = _seed(how)
    contest = Contest(bots, distinct(names, bots), _boards(how, seed), seed, how.jobs or 1)
    _run(contest, how)
    _tell_table(contest, how) if how.table else _tell(contest, how)
    return INTERRUPTED_BY_USER if contest.interrupted else OK


def _check(bots: Sequence[str], how: How) -> None:
    """Raise Usage for what cannot be meant."""
    refuse_others(how, GAME, _OWN)
    if not bots and not how.table:
        raise Usage("name at least one bot. See: parlour bot list")
    if how.boards and (how.table or how.size or how.first or how.games is not None):
        raise Usage("--boards are as they are: --table, --size, --first and --games are for fresh boards")
    if how.table and how.size:
        raise Usage("--table plays the three levels: it has no --size")
    if not how.table and (how.runs is not None or how.plot):
        raise Usage("--runs and --plot are for --table")
    image_file.check(how.plot)
    if how.out and how.boards and how.out.exists() and how.boards.exists() and how.out.samefile(how.boards):
        raise Usage("--out would overwrite the boards")


def _boards(how: How, seed: int) -> list[Board]:
    """Return the boards that are asked for. Raises Usage."""
    if how.boards:
        return boards.read(how.boards)
    games = how.games or GAMES
    if how.table:
        return articles_table.boards(games, how.runs or RUNS, seed, how.first or articles_table.PROMISE, how.start)
    return list(boards.fresh(_options(how), how.start, seed, games))


def _options(how: How) -> Options:
    first = how.first or "opening"
    if how.size is None:
        return Options(level=how.level or LEVEL, first=first)
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
    check_game(bot, GAME)
    return find(bot, GAME).name


def _run(contest: Contest, how: How) -> None:
    with ExitStack() as stack:
        out = stack.enter_context(opened(how.out)) if how.out else None
        progress = stack.enter_context(Progress(len(contest.boards) * len(contest.bots), sys.stderr))
        stack.enter_context(own_affairs())
        contest.run(progress, writer(out, len(contest.bots)))


def _tell(contest: Contest, how: How) -> None:
    again = "" if how.boards else f"The same boards again: --seed {contest.seed}"
    report = of_contest(contest, GAME, again)
    sys.stdout.write(f"{encoding.dumps(report.data) if how.json else report.text}\n")


def _tell_table(contest: Contest, how: How) -> None:
    games, runs = how.games or GAMES, how.runs or RUNS
    figures = articles_table.figures(contest.names, contest.complete(), games, runs)
    if how.plot:
        image_file.write(how.plot, plot.svg(figures, games))
    if how.json:
        head = {"game": GAME, "games": games, "runs": runs, "seed": contest.seed, "interrupted": contest.interrupted}
        sys.stdout.write(f"{encoding.dumps(head | figures.plain())}\n")
        return
    terminal = sys.stdout.isatty()
    console = Console(file=sys.stdout, width=None if terminal else 120)
    console.print(articles_table.drawn(figures, games, runs, ruled=terminal))
    cut = "Interrupted: this is what has been played. " if contest.interrupted else ""
    sys.stdout.write(f"{cut}The same boards again: --seed {contest.seed}\n")
