"""Background tasks: what serves the whole node goes on, and long work comes in slices, so that others have turns."""

import asyncio
from collections.abc import Generator
from itertools import count, groupby

import pytest
from structlog.testing import capture_logs

from parlour_server.metrics import Metrics
from parlour_server.node import tasks
from parlour_server.node.tasks import Slices, Tasks


class Counted:
    """Slices whose clock advances by a tenth of a slice with each look at it, and whose pauses are counted.

    ``busy``: the loop has other things to do, which take three tenths of a slice each time.
    """

    def __init__(self, *, busy: bool = True) -> None:
        self.done: list[str] = []
        self.pauses = self.turns = 0
        self._busy = busy
        self._ticks = count()
        self.slices = Slices(lambda: next(self._ticks) * tasks.SLICE / 10, self._pause)

    async def _pause(self, seconds: float) -> None:
        if seconds:
            assert seconds == tasks.SLICE
            self.pauses += 1
            self.done.append("pause")
        else:
            self.turns += 1
            for _ in range(3 * self._busy):
                next(self._ticks)
        await asyncio.sleep(0)

    def work(self, name: str, steps: int) -> Generator[None, None, str]:
        for _ in range(steps):
            self.done.append(name)
            yield
        return name


async def test_short_work_is_done_without_a_pause() -> None:
    counted = Counted()
    assert await counted.slices.finish(counted.work("a", 5)) == "a"
    assert counted.done == ["a"] * 5


async def test_long_work_pauses_after_each_slice() -> None:
    counted = Counted()
    await counted.slices.finish(counted.work("a", 95))
    assert counted.pauses == 9
    assert counted.done[:12] == [*["a"] * 10, "pause", "a"]


async def test_long_work_pauses_for_no_one_on_an_idle_loop_but_lets_others_begin_after_each_slice() -> None:
    counted = Counted(busy=False)
    await counted.slices.finish(counted.work("a", 95))
    assert (counted.turns, counted.pauses) == (9, 0)


async def test_works_take_turns_so_that_a_short_one_does_not_wait_for_long_ones() -> None:
    counted = Counted()
    works = [counted.work("a", 50), counted.work("b", 50), counted.work("c", 3)]
    await asyncio.gather(*map(counted.slices.finish, works))
    assert [name for name, _ in groupby(counted.done)][:7] == ["a", "pause", "b", "pause", "c", "a", "pause"]


async def test_work_that_fails_lets_others_go_on() -> None:
    def failing() -> Generator[None, None, None]:
        yield
        raise LookupError

    counted = Counted()
    with pytest.raises(LookupError):
        await counted.slices.finish(failing())
    assert await counted.slices.finish(counted.work("a", 1)) == "a"


async def test_work_that_fails_is_reported_and_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "AGAIN", 0)
    faults = [OSError(), LookupError()]

    async def work() -> None:
        if faults:
            raise faults.pop()

    with capture_logs() as logs:
        await Tasks(Metrics()).keep(work)
    assert [entry["error"] for entry in logs] == ["LookupError", "OSError"]


async def test_work_that_is_cancelled_ends() -> None:
    keeping = asyncio.create_task(Tasks(Metrics()).keep(asyncio.Event().wait))  # type: ignore[arg-type]
    await asyncio.sleep(0)
    keeping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await keeping
