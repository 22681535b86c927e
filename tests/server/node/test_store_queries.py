"""Questions to the store: who pays for them, and pages of match files, none of which is too large for a frame."""

import asyncio
import json
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock, Mock

import pytest

from parlour_protocol import messages as m
from parlour_protocol.codec import CODECS, JSON, MAX_SERVER_FRAME
from parlour_protocol.wire import plain
from parlour_server.effects import Ask
from parlour_server.metrics import Metrics
from parlour_server.node import store_queries as module
from parlour_server.node.budget import Meter
from parlour_server.node.reviews import ReviewJob
from parlour_server.node.sockets import Sockets
from parlour_server.node.store_queries import StoreQueries
from parlour_server.node.tasks import Tasks
from parlour_server.rooms.audience import Person
from parlour_server.store.base import Overdue

ANNA = Person("anna", "anna", "human")


def _queries(
    store: Any, clock: Callable[[], float] = time.monotonic, meter: Meter | None = None, reviews: Any = None
) -> StoreQueries:
    """Return the questions of connection 1 to a store."""
    sockets = cast(Sockets, {1: SimpleNamespace(address="192.0.2.1")})
    queue, tasks = AsyncMock(put=Mock()), Tasks(Metrics())
    return StoreQueries(store, queue, sockets, tasks, Mock(), reviews or Mock(), meter or Meter(), None, clock)


class _Slow:
    """A store that takes a tenth of a second to read, to cut a page of a file, or to begin its review."""

    def __init__(self) -> None:
        self.now = 0.0

    async def presets(self, game: str | None, who: str) -> list[Any]:
        self.now += 0.1
        return []

    async def match_lines(self, digest: str) -> list[str]:
        return []

    def cut(self, lines: list[str], after: int) -> list[str]:
        self.now += 0.1
        return []

    def begin(self, key: Any, lines: list[str], owner: str) -> ReviewJob:
        self.now += 0.1
        return ReviewJob("", self.now)


@pytest.mark.parametrize(
    "ask", [m.Presets(id=1), m.File("ab" * 32, id=1), m.Review("ab" * 32, 0, id=1)], ids=["read", "page", "review"]
)
async def test_each_question_of_an_address_waits_until_those_before_are_paid(
    ask: m.ClientMessage, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, waited = _Slow(), list[float]()
    monkeypatch.setattr(module, "lines_after", store.cut)

    async def sleep(seconds: float) -> None:
        store.now += seconds
        waited.append(seconds)
        await asyncio.sleep(0)

    meter = Meter(lambda: store.now, sleep)
    asked = _queries(store, lambda: store.now, meter, Mock(find=Mock(return_value=None), begin=store.begin))
    meter.charge("198.51.100.7", 0.001)
    sockets, connections = cast(dict[int, Any], asked._sockets), range(1, 11)
    for conn in connections:
        sockets[conn] = SimpleNamespace(address="192.0.2.1")
        asked.start(Ask(conn, ANNA, ask))
    await asyncio.gather(*map(asked.answered, connections))
    assert store.now - sum(waited) == pytest.approx(len(connections) * 0.1)
    assert sum(waited) > 1


async def test_question_that_takes_too_long_is_to_be_asked_later() -> None:
    queries = _queries(AsyncMock(presets=AsyncMock(side_effect=Overdue(2))))
    queries.start(Ask(1, ANNA, m.Presets(id=7)))
    await queries.answered(1)
    [[post]] = [call.args[0] for call in cast(Mock, queries._queue.put).call_args_list]
    assert (post.message.code, post.message.re) == ("busy", 7)
    assert post.message.retry_after > 0


async def test_long_reasons_make_short_pages() -> None:
    lines = [json.dumps({"n": n, "r": "act", "why": "\x07" * 1024}) for n in range(250)]
    read = _queries(AsyncMock(match_lines=AsyncMock(return_value=lines))).readers[m.File]
    after: int | None = 0
    got = 0
    while after is not None:
        message = m.File("ab" * 32, after, id=1)
        page = await read(Ask(1, ANNA, message), message)
        assert isinstance(page, m.FileLines)
        frame = CODECS[JSON].encode(plain(page))
        assert isinstance(frame, str)
        assert len(frame.encode()) < MAX_SERVER_FRAME // 4
        got += len(page.lines)
        after = page.after
    assert got == 250
