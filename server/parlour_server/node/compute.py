"""Run the computations of games in child processes, outside the event loop.

One owner's computations run one after the other. A computation that takes more CPU time than ``QUICK`` is given up and
starts again in a second process, where it delays only other slow ones. An owner's next computation waits until its
share of a core allows it: ``budget.Computing``.

The processes run ``computations``.
"""

import asyncio
import json
import signal
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar
from weakref import WeakValueDictionary

import msgspec
import structlog

from parlour_games.game import Plain
from parlour_games.registry import AnyGame
from parlour_protocol.installation import module_command
from parlour_server.metrics import Metrics
from parlour_server.node.budget import Computing

QUICK = 2.0
"""Seconds for which a computation may delay others: of CPU time, where the system can limit it. So what is quick does
not depend on what else the machine does."""
STUCK = 60.0
"""Seconds after which the process is ended, should it not give up a computation by itself."""
_WITHIN = STUCK if hasattr(signal, "setitimer") else QUICK
_LONGEST = 2**24
"""Bytes of the longest result."""

log = structlog.get_logger()

T = TypeVar("T")


class ComputationFailed(Exception):
    """A computation has raised an error, whose type is the text, or its process has died twice."""


class NotWanted(Exception):
    """The result of a computation was no longer needed when its turn came."""


class Worker:
    """Two processes: one for quick computations, one for slow ones."""

    def __init__(self, shares: Computing | None = None, metrics: Metrics | None = None) -> None:
        self.shares = shares or Computing()
        """Who may compute when. Reviews are charged, too."""
        metrics = metrics or Metrics()
        self._quick = _Process("computations", self.shares.clock, metrics)
        self._slow = _Process("long_computations", self.shares.clock, metrics)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def compute(
        self, game: AnyGame, name: str, args: Plain, owner: str = "", wanted: Callable[[], bool] = lambda: True
    ) -> Plain:
        """Return the result of the computation ``name`` of an installed game. Raises ComputationFailed.

        Computations of the same ``owner`` never run, or wait for a process, at the same time. ``wanted`` is called
        when the turn comes; if it returns False, NotWanted is raised.
        """
        return await self._run({"game": game.name, "name": name, "args": args}, owner, wanted)

    async def replay(self, asked: Plain, owner: str, wanted: Callable[[], bool]) -> Plain:
        """Return a page of a replay, like ``compute``; ``asked``: what ``game_files.positions.page`` takes."""
        return await self._run({"replay": asked}, owner, wanted)

    async def continuation(self, asked: Plain, owner: str, wanted: Callable[[], bool]) -> Plain:
        """Return the log of a continued match, like ``compute``; ``asked``: what ``continuation`` takes."""
        return await self._run({"continuation": asked}, owner, wanted)

    async def ladder(self, pages: Sequence[bytes], among: str, owner: str, wanted: Callable[[], bool]) -> Plain:
        """Return a ladder, like ``compute``. ``pages``: matches for ``contests.ladder.ladder``, as JSON lists.

        They are joined as they are: to encode thousands of matches together would hold up moves.
        """
        matches = msgspec.Raw(b"[" + b",".join(page[1:-1] for page in pages if page != b"[]") + b"]")
        return await self._run({"ladder": {"matches": matches, "among": among}}, owner, wanted)

    async def _run(self, asked: Plain, owner: str, wanted: Callable[[], bool]) -> Plain:
        charge = partial(self.shares.charge, owner)
        async with self._turns.setdefault(owner, asyncio.Lock()):
            await self.shares.turn(owner)
            try:
                answer = await self._quick.answer({**asked, "cpu": QUICK}, _WITHIN, wanted, charge)
            except TimeoutError:
                answer = await self._slow.answer(asked, None, wanted, charge)
        if "error" in answer:
            raise ComputationFailed(answer["error"])
        result: Plain = answer["result"]
        return result

    async def close(self) -> None:
        """Kill the processes, even during a computation."""
        await self._quick.close()
        await self._slow.close()


async def in_a_process(what: str, attempt: Callable[[], Awaitable[T]], metrics: Metrics) -> T:
    """Return the result of ``attempt``, which a process computes; if that fails, of another one in a new process.

    ``what`` the process does is a fixed word. Raises what the second attempt raises.
    """
    try:
        result = await attempt()
    except Exception as error:
        log.warning("a process has ended; it is started again", what=what, error=type(error).__name__)
        metrics.ended(what)
        result = await attempt()
    metrics.runs(what)
    return result


class _Process:
    """A process that is started when it is needed and runs one computation after the other.

    A computation whose process dies is repeated once, in a new one.
    """

    def __init__(self, what: str, clock: Callable[[], float], metrics: Metrics) -> None:
        self._what = what
        self._clock = clock
        self._metrics = metrics
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def answer(
        self, asked: Plain, within: float | None, wanted: Callable[[], bool], charge: Callable[[float], None]
    ) -> Plain:
        """Return the answer to ``asked``, and ``charge`` the seconds that it took.

        Raises ComputationFailed, NotWanted, and TimeoutError after ``within`` s or the CPU time that is asked for.
        """
        line = (msgspec.json.encode(asked) if "ladder" in asked else json.dumps(asked).encode()) + b"\n"
        async with self._turn:
            if not wanted():
                raise NotWanted
            began = self._clock()
            try:
                async with asyncio.timeout(within):
                    answer = await in_a_process(self._what, lambda: self._ask(line), self._metrics)
            except TimeoutError:
                raise
            except Exception as error:
                raise ComputationFailed("its process has died") from error
            finally:
                charge(self._clock() - began)
        if "late" in answer:
            raise TimeoutError
        return answer

    async def close(self) -> None:
        """Kill the process, even during a computation."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.communicate()

    async def _ask(self, line: bytes) -> Plain:
        """Return the answer of the process. Without one it is of no more use: a late one would be taken for another."""
        try:
            if self._process is None:
                command = module_command("parlour_server.node.computations")
                pipe = asyncio.subprocess.PIPE
                self._process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=_LONGEST)
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(line)
            answer: Plain = json.loads(await self._process.stdout.readline())
        except BaseException:
            await self.close()
            raise
        return answer
