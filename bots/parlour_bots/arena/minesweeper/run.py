"""Run a Minesweeper contest: every bot plays every board. Ctrl-C keeps the results so far."""

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TextIO

import attrs

from parlour_bots.arena.engine.isolation import ArenaBot, arena_bot
from parlour_bots.arena.engine.pool import Harness, Played, played
from parlour_bots.arena.engine.progress import ContestProgress
from parlour_bots.arena.minesweeper.boards import Board
from parlour_bots.arena.minesweeper.game import play
from parlour_bots.arena.minesweeper.summary import Result
from parlour_bots.errors import MISTAKES_SHOWN, Mistake
from parlour_bots.loading.loader import find
from parlour_bots.play.limits import Limits
from parlour_bots.sdk import BotSpec
from parlour_client.core.errors import writing

GAME = "minesweeper"


@attrs.frozen
class Task:
    """One game: the bot, the board, and the seed of ``turn.rng``."""

    bot: int
    board: Board
    seed: str


def harness(bots: Sequence[str], *, valued: bool = False, limits: Limits | None = None) -> Harness[Task, Result]:
    """Return how these bots, arguments of ``find``, play their boards."""
    return Harness(partial(_bots, bots, limits), partial(_play, valued=valued))


def _bots(bots: Sequence[str], limits: Limits | None) -> list[ArenaBot]:
    return [loaded(bot, limits) for bot in bots]


def _play(specs: Sequence[BotSpec], task: Task, *, valued: bool) -> Played[Result]:
    mistakes: list[str] = []

    def report(mistake: Mistake) -> None:
        if len(mistakes) < MISTAKES_SHOWN:
            mistakes.append(str(mistake))

    result = play(specs[task.bot], task.board, task.seed, report, valued=valued)
    return Played(result, tuple(mistakes))


def loaded(bot: str, limits: Limits | None) -> ArenaBot:
    """Return a bot that plays in this process, or with ``limits`` in one of its own. Raises NoBot, NotConfined."""
    return arena_bot(bot, GAME, limits) if limits else ArenaBot(find(bot, GAME))


def tasks(bots: int, boards: Sequence[Board], seed: int) -> list[Task]:
    """Return the games board by board, each with all bots in turn and the same seed."""
    return [Task(bot, board, f"{seed}/{number}") for number, board in enumerate(boards) for bot in range(bots)]


@attrs.define
class Contest:
    """The bots, as arguments of ``find`` and by their names in the report, and the boards."""

    bots: Sequence[str]
    names: Sequence[str]
    boards: Sequence[Board]
    seed: int
    jobs: int = 1
    valued: bool = False
    """Whether games are scored by the value of their endgame, too."""
    limits: Limits | None = None
    """The limits of third-party bots, if they are confined."""
    results: list[list[Result]] = attrs.field(init=False)
    """The results of each bot so far, in the order of the boards."""
    interrupted: bool = attrs.field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self.results = [[] for _ in self.bots]

    def run(self, progress: ContestProgress, write: Callable[[str, Result], None]) -> None:
        """Play all games, passing each result to ``write``; stop at Ctrl-C. Raises BotFault."""
        games = tasks(len(self.bots), self.boards, self.seed)
        try:
            playing = harness(self.bots, valued=self.valued, limits=self.limits)
            with closing(played(playing, games, min(self.jobs, len(games)))) as endings:
                for game, ending in zip(games, endings, strict=True):
                    _write_problems(progress, ending, self.names[game.bot])
                    write(self.names[game.bot], ending.outcome)
                    self.results[game.bot].append(ending.outcome)
                    progress.step([(self.names[game.bot], ending.outcome.won)])
        except KeyboardInterrupt:
            self.interrupted = True

    def complete(self) -> list[list[Result]]:
        """Return the results of each bot on the boards that all bots have played."""
        boards = min(map(len, self.results))
        return [each[:boards] for each in self.results]


def writer(out: TextIO | None, bots: int) -> Callable[[str, Result], None]:
    """Return a function that writes each result as a line, with the bot's name if there are several."""

    def write(name: str, result: Result) -> None:
        if out is not None:
            who = {"bot": name} if bots > 1 else {}
            with writing(Path(out.name)):
                out.write(json.dumps(result.line() | who) + "\n")
                out.flush()

    return write


def _write_problems(progress: ContestProgress, ending: Played[Result], name: str) -> None:
    progress.write_mistakes(ending.mistakes)
    if ending.outcome.stuck:
        progress.write(f"{name} lost board {ending.outcome.id}: its last answers opened no cells.")
