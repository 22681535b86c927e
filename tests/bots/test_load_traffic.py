"""Tables of bots against a real server: they play on, in a closed and in an open loop, and every act is timed."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from tests.server.transport.gateways import Host, hosting

from parlour_bots.load import Pattern, TrafficCounters, TrafficRoom
from parlour_client.core.errors import Refused
from parlour_protocol.codec import JSON, MSGPACK

UNO = Pattern("uno", {"pause": 0, "breath": 0, "target": 1, "scoring": "single"}, 2, 0.0, None, MSGPACK)
OPEN = Pattern("uno", {"pause": 0, "breath": 0}, 3, 0.0, 200.0, MSGPACK)
SLOW = Pattern("uno", {"pause": 0, "breath": 0}, 2, 0.01, None, MSGPACK)


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[Host]:
    async with hosting(tmp_path / "parlour.db") as host:
        yield host


async def _played(host: Host, pattern: Pattern, enough: Callable[[TrafficCounters], bool]) -> TrafficCounters:
    room = TrafficRoom(pattern, TrafficCounters(), 1)
    await room.open(host.url)
    playing = asyncio.create_task(room.play())
    while not enough(room.tally):
        assert not playing.done(), playing.exception()
        await asyncio.sleep(0.005)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    await room.close()
    return room.tally


async def test_bots_play_one_match_after_another(host: Host) -> None:
    tally = await _played(host, UNO, lambda tally: tally.matches > 1)
    assert len(tally.latencies) > 10
    assert min(tally.latencies) > 0
    assert not tally.lost


@pytest.mark.parametrize("pattern", [OPEN, SLOW], ids=["open loop", "think time"])
async def test_acts_fall_due(host: Host, pattern: Pattern) -> None:
    tally = await _played(host, pattern, lambda tally: len(tally.latencies) > 20)
    assert not tally.errors


async def test_rooms_begin_at_different_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[float] = []

    async def sleep(seconds: float) -> None:
        begun.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    for seed in range(8):
        await TrafficRoom(SLOW, TrafficCounters(), seed).play()  # without clients
    assert len(set(begun)) == 8
    assert all(0 <= moment < SLOW.think for moment in begun)


async def test_what_a_server_refuses_is_said(host: Host) -> None:
    with pytest.raises(Refused, match="chess"):
        await TrafficRoom(Pattern("chess", {}, 2, 0.0, None, JSON), TrafficCounters(), 1).open(host.url)


async def test_a_server_that_goes_away_is_counted(tmp_path: Path) -> None:
    async with hosting(tmp_path / "parlour.db") as host:
        room = TrafficRoom(UNO, TrafficCounters(), 1)
        await room.open(host.url)
        playing = asyncio.create_task(room.play())
        await room.close()
        await playing
    assert room.tally.lost == 2
