"""Many games, one after the other or in several processes; their results come in the same order either way."""

import signal
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import TypeAlias, cast

import attrs

from parlour_bots.arena.boards import Board
from parlour_bots.arena.playing import play
from parlour_bots.arena.summary import Result
from parlour_bots.loader import find
from parlour_bots.mistakes import MISTAKES_TOLD, Mistake
from parlour_bots.sdk import Entrant
from parlour_client.faults import BotFault

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


_Answer: TypeAlias = tuple[int, Played | str]
"""The number of a task, and how it went; text if the bot ended the contest."""


def tasks(bots: int, boards: Sequence[Board], seed: int) -> list[Task]:
    """Return the games of so many bots on the boards: board by board, all bots in turn, with the same chances."""
    return [Task(bot, board, f"{seed}/{number}") for number, board in enumerate(boards) for bot in range(bots)]


def played(bots: Sequence[str], games: Sequence[Task], jobs: int) -> Generator[Played, None, None]:
    """Play the games in ``jobs`` processes, this one if it is 1, and yield how they ended, in their order.

    ``bots`` are names as ``find`` takes them. Closing the iterator ends the processes. Raises NoBot, BotFault.
    """
    if jobs == 1:
        return _here(bots, games)
    return _elsewhere(bots, games, min(jobs, len(games)))


def _here(bots: Sequence[str], games: Sequence[Task]) -> Generator[Played, None, None]:
    entrants = [find(bot, GAME) for bot in bots]
    for game in games:
        yield _play(entrants, game)


def _play(entrants: Sequence[Entrant], game: Task) -> Played:
    told: list[str] = []

    def report(mistake: Mistake) -> None:
        if len(told) < MISTAKES_TOLD:
            told.append(str(mistake))

    return Played(play(entrants[game.bot], game.board, game.seed, report), tuple(told))


def _elsewhere(bots: Sequence[str], games: Sequence[Task], jobs: int) -> Generator[Played, None, None]:
    with _crew(bots, jobs) as pipes:
        todo, ready, due = iter(enumerate(games)), dict[int, Played](), 0
        for pipe in pipes:
            _hand_out(pipe, todo)
        while due < len(games):
            for pipe in cast(list[Connection], wait(pipes)):
                number, answer = _received(pipe)
                if isinstance(answer, str):
                    raise BotFault(answer)
                ready[number] = answer
                _hand_out(pipe, todo)
            while due in ready:
                yield ready.pop(due)
                due += 1


def _hand_out(pipe: Connection, todo: Iterator[tuple[int, Task]]) -> None:
    if numbered := next(todo, None):
        with suppress(OSError):  # that it has ended is told by the end of what it sends
            pipe.send(numbered)


def _received(pipe: Connection) -> _Answer:
    try:
        answer: _Answer = pipe.recv()
    except (EOFError, OSError):
        raise BotFault("a process that played has ended: a bot must not end it") from None
    return answer


@contextmanager
def _crew(bots: Sequence[str], jobs: int) -> Iterator[list[Connection]]:
    """Start processes that play what they are sent; kill them in the end."""
    context = get_context("spawn")
    pipes, crew = [], []
    try:
        with deaf():
            for _ in range(jobs):
                ours, theirs = context.Pipe()
                pipes.append(ours)
                crew.append(context.Process(target=work, args=(theirs, bots), daemon=True))
                crew[-1].start()
                theirs.close()
        yield pipes
    finally:
        for process in crew:
            if process.pid is not None:
                process.kill()
                process.join()
        for pipe in pipes:
            pipe.close()


@contextmanager
def deaf() -> Iterator[None]:
    """Hold Ctrl-C back for a while, and from whoever is born meanwhile for good: the parent ends its children itself.

    Where the system cannot do that a process is deaf only from the first line of ``work`` on.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # or it would be started in here, and let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def work(pipe: Connection, bots: Sequence[str]) -> None:
    """Be one of the processes: play what comes through the pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr  # what a bot prints is none of our results
    entrants = [find(bot, GAME) for bot in bots]
    with suppress(EOFError, OSError):
        while True:
            number, game = pipe.recv()
            try:
                answer: Played | str = _play(entrants, game)
            except BotFault as fault:
                answer = str(fault)
            pipe.send((number, answer))
