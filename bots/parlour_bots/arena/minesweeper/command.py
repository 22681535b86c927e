"""``parlour arena minesweeper``: play the contest and print its result."""

import json as encoding
import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing
from secrets import randbits

from rich.console import Console

from parlour_bots.arena import measures
from parlour_bots.arena.losses import losses
from parlour_bots.arena.minesweeper import articles_table, game
from parlour_bots.arena.minesweeper.game import ArenaBoard
from parlour_bots.arena.minesweeper.run import GAME, BoardContest, loaded, of_contest, writer
from parlour_bots.arena.options import ArenaOptions, check_game, contained_bots, distinct, opened, refuse_others
from parlour_bots.loading import require_made
from parlour_bots.play.limits import Limits
from parlour_bots.tools.progress import ContestProgress
from parlour_client.core.errors import INTERRUPTED_BY_USER, OK, Usage
from parlour_games.game import BadOptions
from parlour_games.minesweeper.options import Options

GAMES = 100
RUNS = 5
LEVEL = "expert"
_SIZE = re.compile(r"(\d{1,5})[x×](\d{1,5})/(\d{1,5})")
_OWN = ("boards", "level", "size", "first", "start", "score", "table", "runs", "why")


def arena(bots: Sequence[str], options: ArenaOptions) -> int:
    """Play a contest, print the result, and return the exit code. Raises Fault."""
    _check(bots, options)
    bots = bots or articles_table.BOTS
    limits = options.limits()
    with contained_bots():
        names = [_name(bot, limits) for bot in bots]
    fresh = 0 if options.boards else randbits(32)
    seed = fresh if options.seed is None else options.seed
    valued = options.score == "value"
    names, boards, jobs = distinct(names, bots), _boards(options, seed), options.jobs or 1
    contest = BoardContest(bots, names, boards, seed, jobs, valued, limits, options.why)
    _run(contest, options)
    _print_table(contest, options) if options.table else _print_report(contest, options)
    return INTERRUPTED_BY_USER if contest.interrupted else OK


def _check(bots: Sequence[str], options: ArenaOptions) -> None:
    """Raise Usage for options that contradict each other."""
    refuse_others(options, GAME, _OWN)
    if not bots and not options.table:
        raise Usage("name at least one bot. See: parlour bot list")
    if options.boards and (options.table or options.size or options.first or options.games is not None):
        raise Usage("--table, --size, --first and --games are for generated boards, not for --boards")
    if options.table and options.size:
        raise Usage("--table plays the three levels and takes no --size")
    if options.why and (options.boards or options.table):
        raise Usage("--why is for generated boards, whose games are kept as match files, not for --boards or --table")
    if options.table and options.score:
        raise Usage("--table counts won boards and takes no --score")
    if not options.table and (options.runs is not None or options.plot):
        raise Usage("--runs and --plot are for --table")
    measures.check(options.plot)
    if (
        options.out
        and options.boards
        and options.out.exists()
        and options.boards.exists()
        and options.out.samefile(options.boards)
    ):
        raise Usage("--out would overwrite the boards")


def _boards(options: ArenaOptions, seed: int) -> list[ArenaBoard]:
    """Return the boards to play. Raises Usage."""
    if options.boards:
        return game.read(options.boards)
    games = options.games or GAMES
    if options.table:
        return articles_table.boards(
            games, options.runs or RUNS, seed, options.first or articles_table.PROMISE, options.start
        )
    return list(game.fresh(_options(options), options.start, seed, games, as_match=options.why is not None))


def _options(options: ArenaOptions) -> Options:
    first = options.first or "opening"
    if options.size is None:
        return Options(level=options.level or LEVEL, first=first)
    size = _SIZE.fullmatch(options.size)
    if size is None:
        raise Usage(f"--size is WIDTHxHEIGHT/MINES, 30x16/99, not {options.size!r}")
    width, height, mines = map(int, size.groups())
    try:
        return Options(level="custom", width=width, height=height, mines=mines, first=first)
    except BadOptions as error:
        raise Usage(f"--size {options.size}: {error}") from None


def _name(bot: str, limits: Limits | None) -> str:
    """Return the name of a bot. Raises NoBot, NotConfined, or Usage for a bot of another game."""
    check_game(bot, GAME)
    with closing(loaded(bot, limits)) as found:
        require_made(found.spec)
        return found.spec.name


def _run(contest: BoardContest, options: ArenaOptions) -> None:
    with ExitStack() as stack:
        out = stack.enter_context(opened(options.out)) if options.out else None
        progress = stack.enter_context(ContestProgress(len(contest.boards) * len(contest.bots), sys.stderr))
        stack.enter_context(contained_bots())
        contest.run(progress, writer(out, len(contest.bots)))


def _print_report(contest: BoardContest, options: ArenaOptions) -> None:
    kept = f" --why {options.why}" if options.why else ""
    again = "" if options.boards else f"Repeat these boards with --seed {contest.seed}{kept}"
    report = of_contest(contest, GAME, again)
    if options.why and not contest.interrupted:
        report = losses(GAME, contest.names[0], contest.lost, contest.seed, sys.stderr).added_to(report)
    report.write(sys.stdout, as_json=options.json)


def _print_table(contest: BoardContest, options: ArenaOptions) -> None:
    games, runs = options.games or GAMES, options.runs or RUNS
    figures = articles_table.figures(contest.names, contest.complete(), games, runs)
    if options.plot:
        measures.write(options.plot, articles_table.svg(figures, games))
    if options.json:
        head = {"game": GAME, "games": games, "runs": runs, "seed": contest.seed, "interrupted": contest.interrupted}
        sys.stdout.write(f"{encoding.dumps(head | figures.plain())}\n")
        return
    terminal = sys.stdout.isatty()
    console = Console(file=sys.stdout, width=None if terminal else 120)
    console.print(articles_table.drawn(figures, games, runs, ruled=terminal))
    cut = "Interrupted; these are the boards played so far. " if contest.interrupted else ""
    sys.stdout.write(f"{cut}Repeat these boards with --seed {contest.seed}\n")
