"""Reviews of finished matches: a child process judges the decisions of a seat, while clients ask how far it is.

A game's reviewer is a module, under the entry point ``parlour.reviews`` with the game's name. It runs as a program:
it reads one JSON line from stdin, ``{"lines": […], "seat": N}`` with a match file, and writes JSON lines to stdout:
``{"done": N, "of": N}`` as it goes on, and at the end ``{"decisions": […], "rounds": […]}``, or ``{"refused": …}``.
"""

import asyncio
import json
import subprocess
import time
from collections import OrderedDict
from collections.abc import Callable
from importlib.metadata import entry_points

import attrs
import structlog

from parlour_protocol.errors import Denied, NotNow
from parlour_protocol.installation import module_command
from parlour_protocol.messages import Plain
from parlour_server.engine.budget import Budget
from parlour_server.engine.compute import in_a_process
from parlour_server.engine.tasks import Tasks
from parlour_server.game_files.pages import MAX_REPLAYED
from parlour_server.metrics import Metrics
from parlour_server.rooms.records import game_file

GROUP = "parlour.reviews"
CREDIT, SHARE = 300.0, 0.05
"""Seconds of reviews that an address may cause before it gets only its share of a core."""
PATIENCE = 15.0
"""Seconds after which a review that no one asks about is abandoned."""
KEPT, WAITING = 64, 8
"""The number of reviews that are kept, and of those that may wait for their turn."""
_LONGEST = 2**24
"""Bytes of the longest line of a reviewer."""

log = structlog.get_logger()

Key = tuple[str, int]
"""The digest of a match, and a seat."""


@attrs.define(eq=False)
class Review:
    """A review that waits, runs or is done. ``of``: the number of decisions, 0 until it is known."""

    asked: float
    """When a client asked about it last."""
    done: int = 0
    of: int = 0
    found: Plain | None = None


def reviewers() -> dict[str, str]:
    """Return the modules of the installed reviewers by game."""
    return {entry.name: entry.value for entry in entry_points(group=GROUP)}


class Reviews:
    """Runs one review at a time, and keeps those that are done."""

    def __init__(self, tasks: Tasks, metrics: Metrics, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tasks = tasks
        self._metrics = metrics
        self._budget = Budget(CREDIT, SHARE)
        self._turn = asyncio.Lock()
        self._reviews: OrderedDict[Key, Review] = OrderedDict()
        """The one asked for last is at the end."""

    def find(self, key: Key) -> Review | None:
        """Return a review that was begun, None if there is none."""
        review = self._reviews.get(key)
        if review is not None:
            review.asked = self._clock()
            self._reviews.move_to_end(key)
        return review

    def begin(self, key: Key, log_lines: list[str], owner: str) -> Review:
        """Begin the review of a match, which ``owner`` pays for. Raises Denied and NotNow."""
        lines = list(game_file(log_lines))
        first = json.loads(lines[0])
        module = reviewers().get(first["game"])
        if module is None:
            raise Denied("no_review", f"this server has no reviewer for {first['game']}")
        if not 0 <= key[1] < len(first["players"]):
            raise Denied("no_review", f"there is no seat {key[1]}: they are 0 to {len(first['players']) - 1}")
        if len(lines) > MAX_REPLAYED:
            raise Denied("no_review", f"the match file has {len(lines)} lines; at most {MAX_REPLAYED} are reviewed")
        if wait := self._budget.wait(owner, self._clock()):
            raise NotNow("busy", "your address has asked for many reviews", round(wait * 1000))
        if sum(review.found is None for review in self._reviews.values()) > WAITING:
            raise NotNow("busy", f"{WAITING} reviews are waiting already", round(PATIENCE * 1000))
        review = self._reviews[key] = Review(self._clock())
        while len(self._reviews) > KEPT + WAITING + 1:
            self._reviews.popitem(last=False)
        self._tasks.spawn(self._run(key, review, module, {"lines": lines, "seat": key[1]}, owner))
        return review

    async def _run(self, key: Key, review: Review, module: str, asked: Plain, owner: str) -> None:
        async with self._turn:
            began = self._clock()
            try:
                if not self._abandoned(review):
                    line = (json.dumps(asked) + "\n").encode()
                    review.found = await in_a_process(
                        "reviews", lambda: self._follow(review, module, line), self._metrics
                    )
            except Exception as error:  # whatever a reviewer does: its process has ended
                log.error("a match could not be reviewed", error=type(error).__name__)
                review.found = {"refused": "the reviewer has failed"}
            finally:
                now = self._clock()
                self._budget.charge(owner, now - began, now)
                if review.found is None and self._reviews.get(key) is review:
                    del self._reviews[key]

    def _abandoned(self, review: Review) -> bool:
        return self._clock() - review.asked > PATIENCE

    async def _follow(self, review: Review, module: str, asked: bytes) -> Plain | None:
        """Run the reviewer and return its result, or None when no one asks any more. Its process has ended then.

        Raises ValueError if it ends without a result.
        """
        child = await asyncio.create_subprocess_exec(
            *module_command(module), stdin=subprocess.PIPE, stdout=subprocess.PIPE, limit=_LONGEST
        )
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            child.stdin.write(asked)
            child.stdin.write_eof()
            async for line in child.stdout:
                said: Plain = json.loads(line)
                if "done" not in said:
                    return said
                review.done, review.of = said["done"], said["of"]
                if self._abandoned(review):
                    return None
            raise ValueError("the reviewer ended without a result")
        finally:
            if child.returncode is None:
                child.kill()
            await child.communicate()
