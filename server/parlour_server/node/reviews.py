"""Reviews of finished matches: a child process judges the decisions of a seat, while clients ask how far it is.

A game's reviewer is a module, under the entry point ``parlour.reviews`` with the game's name. It runs as a program:
it reads one JSON line from stdin, ``{"lines": […], "seat": N}`` with a match file, and writes JSON lines to stdout:
``{"done": N, "of": N}`` as it goes on, and at the end ``{"decisions": […], "rounds": […]}``, or ``{"refused": …}``.
After each line but the last it waits for an empty line, so that the server sets its pace.
"""

import asyncio
import json
import subprocess
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import entry_points
from weakref import WeakValueDictionary

import attrs
import structlog

from parlour_protocol.errors import Denied, NotNow
from parlour_protocol.installation import module_command
from parlour_protocol.messages import Plain
from parlour_server.game_files.reader import rules
from parlour_server.game_files.replay import MAX_REPLAYED
from parlour_server.metrics import Metrics
from parlour_server.node.budget import Computing
from parlour_server.node.compute import STUCK, in_a_process
from parlour_server.node.tasks import Tasks
from parlour_server.rooms.records import game_file

GROUP = "parlour.reviews"
PATIENCE = 15.0
"""Seconds after which a review that no one asks about is abandoned."""
KEPT, PROCESSES = 64, 3
"""The number of reviews that are kept, and of those that go on at the same time."""
WAITING, ALL_WAITING = 8, 32
"""How many reviews may wait for an address, and for all."""
_LONGEST = 2**24
"""Bytes of the longest line of a reviewer."""

log = structlog.get_logger()

Key = tuple[str, int]
"""The digest of a match, and a seat."""


@attrs.define(eq=False)
class ReviewJob:
    """A review that waits, runs or is done. ``of``: the number of decisions, 0 until it is known."""

    owner: str
    """The address that pays."""
    asked: float
    """When a client asked about it last."""
    done: int = 0
    of: int = 0
    found: Plain | None = None


def reviewers() -> dict[str, str]:
    """Return the modules of the installed reviewers by game."""
    return {entry.name: entry.value for entry in entry_points(group=GROUP)}


class Reviews:
    """Runs reviews, one at a time for each address, and keeps those that are done.

    Each goes on for a decision when its address may compute. Only one computes at a time.
    """

    def __init__(self, tasks: Tasks, metrics: Metrics, shares: Computing) -> None:
        self._clock = shares.clock
        self._shares = shares
        self._tasks = tasks
        self._metrics = metrics
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """The queues of the addresses."""
        self._processes = asyncio.Semaphore(PROCESSES)
        self._core = asyncio.Lock()
        self._reviews: OrderedDict[Key, ReviewJob] = OrderedDict()
        """The one asked for last is at the end."""

    @staticmethod
    def refusal(lines: Sequence[str]) -> str | None:
        """Return why a match is not reviewed here, None if it is. ``lines``: of the room's log."""
        begun = json.loads(lines[0])
        name = begun["game"]
        game = rules(name, begun["rules"])
        if game is None or name not in reviewers():
            return f"this server has no reviewer for {name}"
        if not game.reviewable(game.Options(**begun["options"])):
            return f"decisions of {name} cannot be judged under the options of this match"
        if len(lines) > MAX_REPLAYED:
            return f"the match file has {len(lines)} lines; at most {MAX_REPLAYED} are reviewed"
        return None

    def find(self, key: Key) -> ReviewJob | None:
        """Return a review that was begun, None if there is none."""
        review = self._reviews.get(key)
        if review is not None:
            review.asked = self._clock()
            self._reviews.move_to_end(key)
        return review

    def begin(self, key: Key, log_lines: list[str], owner: str) -> ReviewJob:
        """Begin the review of a match, which ``owner`` pays for. Raises Denied and NotNow."""
        why = self.refusal(log_lines)
        if why is not None:
            raise Denied("no_review", why)
        lines = list(game_file(log_lines))
        first = json.loads(lines[0])
        if not 0 <= key[1] < len(first["players"]):
            raise Denied("no_review", f"there is no seat {key[1]}; seats are 0 to {len(first['players']) - 1}")
        module = reviewers()[first["game"]]
        owners = [review.owner for review in self._reviews.values() if review.found is None]
        if owners.count(owner) > WAITING or len(owners) >= ALL_WAITING:
            raise NotNow("busy", "too many reviews are waiting", round(PATIENCE * 1000))
        review = self._reviews[key] = ReviewJob(owner, self._clock())
        while len(self._reviews) > KEPT + ALL_WAITING:
            self._reviews.popitem(last=False)
        self._tasks.spawn(self._run(key, review, module, {"lines": lines, "seat": key[1]}))
        return review

    async def _run(self, key: Key, review: ReviewJob, module: str, asked: Plain) -> None:
        line = (json.dumps(asked) + "\n").encode()
        async with self._turns.setdefault(review.owner, asyncio.Lock()), self._processes:
            try:
                review.found = await in_a_process("reviews", lambda: self._follow(review, module, line), self._metrics)
            except Exception as error:  # whatever a reviewer does: its process has ended
                log.error("a match could not be reviewed", error=type(error).__name__)
                review.found = {"refused": "the reviewer has failed"}
            finally:
                if review.found is None and self._reviews.get(key) is review:
                    del self._reviews[key]

    async def _follow(self, review: ReviewJob, module: str, line: bytes) -> Plain | None:
        """Run the reviewer and return its result, or None when no one asks any more. Its process has ended then.

        Raises ValueError if it ends without a result, TimeoutError if it does not go on.
        """
        child = None
        try:
            while self._clock() - review.asked <= PATIENCE:
                async with self._turn(review.owner), asyncio.timeout(STUCK):
                    if child is None:
                        pipe = subprocess.PIPE
                        command = module_command(module)
                        child = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=_LONGEST)
                    assert child.stdin is not None
                    assert child.stdout is not None
                    child.stdin.write(line)
                    said: Plain = json.loads(await child.stdout.readline())
                if "done" not in said:
                    return said
                review.done, review.of = said["done"], said["of"]
                line = b"\n"
            return None
        finally:
            if child is not None:
                if child.returncode is None:
                    child.kill()
                await child.communicate()

    @asynccontextmanager
    async def _turn(self, owner: str) -> AsyncIterator[None]:
        """Wait until ``owner`` may compute and no other review does. Charge how long it takes."""
        await self._shares.turn(owner)
        async with self._core:
            began = self._clock()
            try:
                yield
            finally:
                self._shares.charge(owner, self._clock() - began)
