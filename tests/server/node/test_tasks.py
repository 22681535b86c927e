"""Background tasks: their errors are reported, and what serves the whole node goes on."""

import asyncio

import pytest
from structlog.testing import capture_logs

from parlour_server.metrics import Metrics
from parlour_server.node import tasks
from parlour_server.node.tasks import Tasks


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
