"""Run a Minesweeper contest: every bot plays every board. Ctrl-C keeps the results so far."""

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TextIO

import attrs

from parlour_bots.arena.engine.isolation import ArenaBot, arena_bot
from parlour_bots.arena.engine.pool import played
from parlour_bots.arena.engine.progress import ContestProgress
from parlour_bots.arena.minesweeper.boards import Board
from parlour_bots.arena.minesweeper.game import play
from parlour_bots.arena.minesweeper.summary import Result
from parlour_bots.errors import MISTAKES_SHOWN, Mistake
from parlour_bots.loading.loader import find
from parlour_bots.play.limits import Limits
from parlour_client.core.errors import writing

GAME = "minesweeper"


@attrs.frozen
class Task:
    """One game: the bot, the board, and the seed of ``turn.rng``."""

    bot: int
    board: Board
    seed: str


@attrs.frozen
class Played:
    """The result of a game, and reports of its first few mistakes."""

    result: Result
    mistakes: tuple[str, ...]


@attrs.frozen
class MinesweeperWorkerSpec:
    """The bots, as arguments of ``find``, sent to each worker process."""

    bots: Sequence[str]
    valued: bool = False
    limits: Limits | None = None

    def open(self) -> "MinesweeperWorker":
        """Load the bots and return a worker. Raises NoBot, NotConfined."""
        return MinesweeperWorker([loaded(bot, self.limits) for bot in self.bots], self.valued)


@attrs.frozen
class MinesweeperWorker:
    """Plays the boards of a contest."""

    bots: Sequence[ArenaBot]
    valued: bool = False

    def play(self, task: Task) -> Played:
        """Play one game. Raises BotFault if the bot tries to end the process."""
        mistakes: list[str] = []

        def report(mistake: Mistake) -> None:
            if len(mistakes) < MISTAKES_SHOWN:
                mistakes.append(str(mistake))

        result = play(self.bots[task.bot].spec, task.board, task.seed, report, valued=self.valued)
        return Played(result, tuple(mistakes))

    def close(self) -> None:
        """Stop the processes of confined bots; others run in this process."""
        for bot in self.bots:
            bot.close()


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
            with closing(
                played(MinesweeperWorkerSpec(self.bots, self.valued, self.limits), games, min(self.jobs, len(games)))
            ) as endings:
                for game, ending in zip(games, endings, strict=True):
                    _write_problems(progress, ending, self.names[game.bot])
                    write(self.names[game.bot], ending.result)
                    self.results[game.bot].append(ending.result)
                    progress.step([(self.names[game.bot], ending.result.won)])
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


def _write_problems(progress: ContestProgress, ending: Played, name: str) -> None:
    progress.write_mistakes(ending.mistakes)
    if ending.result.stuck:
        progress.write(f"{name} lost board {ending.result.id}: its last answers opened no cells.")
