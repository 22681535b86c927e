"""Garbage collection: small portions, and everything only while few are connected."""

import asyncio
import gc
from collections.abc import Iterator

import pytest
from tests.support.waiting import PATIENCE

from parlour_server import system


@pytest.fixture
def _as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


@pytest.mark.usefixtures("_as_before")
def test_what_is_new_is_looked_at_in_small_portions_and_all_the_rest_never() -> None:
    looked: list[int] = []
    system.tune_garbage_collection()
    assert gc.get_freeze_count() > 10_000
    full = gc.get_stats()[2]["collections"]
    gc.callbacks.append(lambda phase, info: looked.append(info["generation"]) if phase == "start" else None)
    try:
        kept = [[number] for number in range(100_000)]
    finally:
        gc.callbacks.pop()
    assert len(kept) == 100_000
    assert looked.count(0) > 30
    assert looked.count(1) > 5
    assert gc.get_stats()[2]["collections"] == full


async def test_everything_is_looked_at_only_while_few_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    connections = [system.FEW_CLIENTS + 1, system.FEW_CLIENTS, 5_000, 0]
    asked: list[int] = []
    collected: list[int] = []

    def next_one() -> int:
        asked.append(connections.pop(0))
        return asked[-1]

    monkeypatch.setattr(system, "COLLECT_EVERY", 0.0)
    monkeypatch.setattr(gc, "collect", lambda: collected.append(asked[-1]))
    with pytest.raises(IndexError):  # the list has come to its end
        await asyncio.wait_for(system.collect_while_quiet(next_one), PATIENCE)
    assert collected == [system.FEW_CLIENTS, 0]
