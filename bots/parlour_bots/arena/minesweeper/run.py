"""A contest: every bot on every board. What has been played is kept when it is cut short."""

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TextIO

import attrs

from parlour_bots.arena.engine.pool import played
from parlour_bots.arena.engine.progress import ContestProgress
from parlour_bots.arena.minesweeper.boards import Board
from parlour_bots.arena.minesweeper.game import play
from parlour_bots.arena.minesweeper.summary import Result
from parlour_bots.errors import MISTAKES_SHOWN, Mistake
from parlour_bots.loading.loader import find
from parlour_bots.sdk import BotSpec

GAME = "minesweeper"


@attrs.frozen
class Task:
    """One game: which of the bots, on which board, and what its chances are made of."""

    bot: int
    board: Board
    seed: str


@attrs.frozen
class Played:
    """How a game ended, and the first few of the bot's mistakes in it, told for its author."""

    result: Result
    mistakes: tuple[str, ...]


@attrs.frozen
class MinesweeperWorkerSpec:
    """The bots by the names that ``find`` takes, to be sent to where they play."""

    bots: Sequence[str]

    def open(self) -> "MinesweeperWorker":
        """Return the bots themselves. Raises NoBot."""
        return MinesweeperWorker([find(bot, GAME) for bot in self.bots])


@attrs.frozen
class MinesweeperWorker:
    """Bots that play one board after the other."""

    specs: Sequence[BotSpec]

    def play(self, task: Task) -> Played:
        """Play one game. Raises BotFault if the bot tries to end the process."""
        told: list[str] = []

        def report(mistake: Mistake) -> None:
            if len(told) < MISTAKES_SHOWN:
                told.append(str(mistake))

        return Played(play(self.specs[task.bot], task.board, task.seed, report), tuple(told))

    def close(self) -> None:
        """Leave the bots: nothing of theirs is left running."""


def tasks(bots: int, boards: Sequence[Board], seed: int) -> list[Task]:
    """Return the games of so many bots on the boards: board by board, all bots in turn, with the same chances."""
    return [Task(bot, board, f"{seed}/{number}") for number, board in enumerate(boards) for bot in range(bots)]


@attrs.define
class Contest:
    """The bots, by the names that ``find`` takes and those they are told by, and the boards."""

    bots: Sequence[str]
    names: Sequence[str]
    boards: Sequence[Board]
    seed: int
    jobs: int = 1
    results: list[list[Result]] = attrs.field(init=False)
    """For each bot its results so far, in the order of the boards."""
    interrupted: bool = attrs.field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self.results = [[] for _ in self.bots]

    def run(self, progress: ContestProgress, write: Callable[[str, Result], None]) -> None:
        """Play all games; ``write`` is told each result as it comes. Ctrl-C ends it early. Raises BotFault."""
        games = tasks(len(self.bots), self.boards, self.seed)
        try:
            with closing(played(MinesweeperWorkerSpec(self.bots), games, min(self.jobs, len(games)))) as endings:
                for game, ending in zip(games, endings, strict=True):
                    _complain(progress, ending, self.names[game.bot])
                    write(self.names[game.bot], ending.result)
                    self.results[game.bot].append(ending.result)
                    progress.step([(self.names[game.bot], ending.result.won)])
        except KeyboardInterrupt:
            self.interrupted = True

    def complete(self) -> list[list[Result]]:
        """Return the results of each bot on those boards that all have played."""
        boards = min(map(len, self.results))
        return [each[:boards] for each in self.results]


def writer(out: TextIO | None, bots: int) -> Callable[[str, Result], None]:
    """Return what writes each result as a line, at once, and who it was if there are several bots."""

    def write(name: str, result: Result) -> None:
        if out is not None:
            who = {"bot": name} if bots > 1 else {}
            out.write(json.dumps(result.line() | who) + "\n")
            out.flush()

    return write


def _complain(progress: ContestProgress, ending: Played, name: str) -> None:
    progress.complain(ending.mistakes)
    if ending.result.stuck:
        progress.tell(
            f"{name} was stopped on board {ending.result.id}: its last answers opened nothing. The board is lost."
        )
