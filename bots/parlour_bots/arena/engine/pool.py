"""Many games, one after the other or in several processes; their results come in the same order either way."""

import signal
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, TypeVar, cast

from parlour_bots.arena.engine.noise import limit_output
from parlour_client.core.errors import BotFault, Fault

AHEAD = 2
"""How many games a process has been sent: one to play, and one so that it never waits."""
PATIENCE = 2.0
"""Seconds that a process has to end by itself, and to end those of the bots that it began."""

Task = TypeVar("Task")
Task_contra = TypeVar("Task_contra", contravariant=True)
Done = TypeVar("Done")
Done_co = TypeVar("Done_co", covariant=True)


class Worker(Protocol[Task_contra, Done_co]):
    """Where games are played."""

    def play(self, task: Task_contra, /) -> Done_co:
        """Play one game. Raises BotFault if a bot tries to end the process."""

    def close(self) -> None:
        """End what belongs to the bots."""


class WorkerSpec(Protocol[Task_contra, Done_co]):
    """What a process is sent to play with: it can be pickled."""

    def open(self) -> Worker[Task_contra, Done_co]:
        """Return a worker of this process. Raises NoBot."""


def played(spec: WorkerSpec[Task, Done], games: Iterable[Task], jobs: int) -> Generator[Done, None, None]:
    """Play the games in ``jobs`` processes, this one if it is 1, and yield how they ended, in their order.

    Closing the iterator ends the processes. Raises NoBot, BotFault.
    """
    return _here(spec, games) if jobs == 1 else _elsewhere(spec, games, jobs)


def _here(spec: WorkerSpec[Task, Done], games: Iterable[Task]) -> Generator[Done, None, None]:
    with closing(spec.open()) as worker:
        for game in games:
            yield worker.play(game)


def _elsewhere(spec: WorkerSpec[Task, Done], games: Iterable[Task], jobs: int) -> Generator[Done, None, None]:
    with _workers(spec, jobs) as pipes:
        todo, ready, due, out = iter(enumerate(games)), dict[int, Done](), 0, 0
        for pipe in pipes * AHEAD:
            out += _hand_out(pipe, todo)
        while out:
            for pipe in cast(list[Connection], wait(pipes)):
                number, answer = _received(pipe)
                if isinstance(answer, str):
                    raise BotFault(answer)
                ready[number] = answer
                out += _hand_out(pipe, todo) - 1
            while due in ready:
                yield ready.pop(due)
                due += 1


def _hand_out(pipe: Connection, todo: Iterator[tuple[int, Any]]) -> int:
    """Send the next game, if there is one. Return how many were sent."""
    numbered = next(todo, None)
    if numbered is None:
        return 0
    with suppress(OSError):  # that it has ended is told by the end of what it sends
        pipe.send(numbered)
    return 1


def _received(pipe: Connection) -> tuple[int, Any]:
    """Return the number of a game and how it went; text if a bot ended the contest."""
    try:
        answer: tuple[int, Any] = pipe.recv()
    except (EOFError, OSError):
        raise BotFault("a process that played has ended: a bot must not end it") from None
    return answer


@contextmanager
def _workers(spec: WorkerSpec[Any, Any], jobs: int) -> Iterator[list[Connection]]:
    """Start processes that play what they are sent; end them in the end."""
    context = get_context("spawn")
    pipes, workers = [], []
    try:
        with ignore_sigint():
            for _ in range(jobs):
                ours, theirs = context.Pipe()
                pipes.append(ours)
                workers.append(context.Process(target=work, args=(theirs, spec), daemon=True))
                workers[-1].start()
                theirs.close()
        yield pipes
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
    """Hold Ctrl-C back for a while, and from whoever is born meanwhile for good: the parent ends its children itself.

    Where the system cannot do that a process is ignore_sigint only from the first line of ``work`` on.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # or it would be started in here, and let Ctrl-C through again
    held_back: list[int] = []
    # the mask is what children inherit; in another thread of ours, such as a progress bar's, it may come all the same
    handler = signal.signal(signal.SIGINT, lambda number, _: held_back.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, handler)
        if held_back and callable(handler):
            handler(signal.SIGINT, None)


def work(pipe: Connection, spec: WorkerSpec[Any, Any]) -> None:
    """Be one of the processes: play what comes through the pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    with limit_output(sys.stderr), closing(spec.open()) as worker, suppress(EOFError, OSError):
        while True:
            number, game = pipe.recv()
            pipe.send((number, _result(worker.play, game)))


def _result(play: Callable[[Any], Any], game: Any) -> Any:
    try:
        return play(game)
    except Fault as fault:
        return str(fault)


def _end(*_: object) -> None:
    raise SystemExit
