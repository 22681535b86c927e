"""Play many games in this process or in worker processes; results come in the order of the games."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import partial
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TextIO, TypeVar, cast

import attrs

from parlour_bots.arena.isolation import ArenaBot
from parlour_bots.sdk import BotSpec
from parlour_client.core.errors import BotFault, Fault

LIMIT = 10_000
"""Characters of output per process."""


class LimitedOutput:
    """A text stream that forwards only ``limit`` characters to ``out``."""

    def __init__(self, out: TextIO, limit: int = LIMIT) -> None:
        self._out, self._left = out, limit

    def write(self, text: str) -> int:
        """Forward ``text`` up to the limit."""
        if self._left > 0:
            self._out.write(text[: self._left])
            self._left -= len(text)
            if self._left <= 0:
                self._out.write("\nFurther output of the bots is not shown.\n")
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)


@contextmanager
def limit_output(out: TextIO) -> Iterator[None]:
    """Redirect stdout and stderr to ``out``, with a limit."""
    noise = cast(TextIO, LimitedOutput(out))
    with redirect_stdout(noise), redirect_stderr(noise):
        yield


AHEAD = 2
"""Games that a worker process holds: one to play, and one waiting."""
PATIENCE = 2.0
"""Seconds for a worker process to stop its bots and exit."""

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")


@attrs.frozen
class PlayedGame(Generic[Outcome]):
    """The outcome of a game, and reports of its first few mistakes."""

    outcome: Outcome
    mistakes: tuple[str, ...]


@attrs.frozen
class Harness(Generic[Task, Outcome]):
    """How bots play games, in any number of processes: it is pickled for each."""

    load: Callable[[], Sequence[ArenaBot]]
    """Loads the bots. Raises NoBot, NotConfined."""
    play: Callable[[Sequence[BotSpec], Task], PlayedGame[Outcome]]
    """Plays one game. Raises BotFault if a bot tries to end the process."""

    @contextmanager
    def opened(self) -> Iterator[Callable[[Task], PlayedGame[Outcome]]]:
        """Yield what plays a game with bots of its own, which are stopped at the end."""
        bots = self.load()
        try:
            yield partial(self.play, [bot.spec for bot in bots])
        finally:
            for bot in bots:
                bot.close()


def played(
    harness: Harness[Task, Outcome], games: Iterable[Task], jobs: int
) -> Generator[PlayedGame[Outcome], None, None]:
    """Play the games in ``jobs`` worker processes, or in this process if it is 1, and yield the results in order.

    Closing the iterator stops the processes. Raises NoBot, BotFault.
    """
    if jobs == 1:
        with harness.opened() as play:
            yield from map(play, games)
        return
    with _workers(harness, jobs) as pipes:
        todo, ready, due, out = iter(enumerate(games)), dict[int, PlayedGame[Outcome]](), 0, 0
        for pipe in pipes * AHEAD:
            out += _hand_out(pipe, todo)
        while out:
            for pipe in cast(list[Connection], wait(pipes)):
                number, answer = _received(pipe)
                if isinstance(answer, Fault):
                    raise answer
                ready[number] = answer
                out += _hand_out(pipe, todo) - 1
            while due in ready:
                yield ready.pop(due)
                due += 1


def _hand_out(pipe: Connection, todo: Iterator[tuple[int, Any]]) -> int:
    """Send the next game, if any. Return how many were sent."""
    numbered = next(todo, None)
    if numbered is None:
        return 0
    with suppress(OSError):  # ``_received`` notices that the process has exited
        pipe.send(numbered)
    return 1


def _received(pipe: Connection) -> tuple[int, Any]:
    """Return the number of a game and its result, or the fault that ended it."""
    try:
        answer: tuple[int, Any] = pipe.recv()
    except (EOFError, OSError):
        raise BotFault("a worker process has exited: a bot must not end it") from None
    return answer


@contextmanager
def _workers(harness: Harness[Any, Any], jobs: int) -> Iterator[list[Connection]]:
    """Start worker processes, and stop them at the end."""
    context = get_context("spawn")
    pipes, workers = [], []
    try:
        with ignore_sigint():
            for _ in range(jobs):
                ours, theirs = context.Pipe()
                pipes.append(ours)
                workers.append(context.Process(target=work, args=(theirs, harness), daemon=True))
                workers[-1].start()
                theirs.close()
        yield pipes
        for pipe in pipes:  # the processes end by themselves
            pipe.close()
        for process in workers:
            process.join(PATIENCE)
    finally:
        for process in workers:
            if process.pid is not None:
                process.terminate()
        for process in workers:
            if process.pid is not None:
                process.join(PATIENCE)
                process.kill()
                process.join()
        for pipe in pipes:
            pipe.close()


@contextmanager
def ignore_sigint() -> Iterator[None]:
    """Block SIGINT in this context and in the processes started in it: the parent stops its children itself.

    On Windows the children ignore SIGINT only from the first line of ``work`` on.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would otherwise start in here and unblock SIGINT
    held_back: list[int] = []
    # children inherit the mask; another thread of this process, such as a progress bar, may still receive the signal
    handler = signal.signal(signal.SIGINT, lambda number, _: held_back.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, handler)
        if held_back and callable(handler):
            handler(signal.SIGINT, None)


def work(pipe: Connection, harness: Harness[Any, Any]) -> None:
    """Run a worker process: play the games from the pipe until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    threading.Thread(target=_end_with_parent, daemon=True, name="parent").start()
    with limit_output(sys.stderr), suppress(EOFError, OSError), ExitStack() as stack:
        try:
            play = stack.enter_context(harness.opened())
        except Fault as fault:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it ends by itself
            pipe.send((0, fault))
            return
        while True:
            number, game = pipe.recv()
            pipe.send((number, _result(play, game)))


def _result(play: Callable[[Any], Any], game: Any) -> Any:
    try:
        return play(game)
    except Fault as fault:
        return fault


def _end_with_parent() -> None:
    """Exit when the process that hands out the games has been killed. The bots' programs end with this process."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _end(*_: object) -> None:
    raise SystemExit
