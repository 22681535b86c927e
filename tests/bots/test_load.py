"""Tables of bots load a real server, and what two readings of the clocks and counters come to."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import attrs
import pytest
from tests.server.transport.gateways import Host, hosting

from parlour_bots import load
from parlour_bots.load import LoadedServer, Pattern, Reading, ResourceUsage, TrafficCounters, TrafficRoom, report
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


async def test_a_connection_that_is_lost_is_counted(host: Host) -> None:
    room = TrafficRoom(UNO, TrafficCounters(), 1)
    await room.open(host.url)
    playing = asyncio.create_task(room.play())
    await room.close()
    await playing
    assert room.tally.lost == 2


PATTERN = Pattern("uno", {"pause": 0}, 4, 0.0, None, "parlour.v1.json")
BEGAN = Reading(10.0, 1_000, 100, (ResourceUsage(1.0, 2_048, 4_096),), ResourceUsage(5.0, 1, 1))
ENDED = Reading(12.0, 3_001_000, 500_100, (ResourceUsage(1.5, 3_072, 5_120),), ResourceUsage(6.0, 1, 1))
TALLY = TrafficCounters(latencies=[0.001 * each for each in range(1, 101)])


def share(rooms: int, tally: TrafficCounters, url: str = "ws://localhost:1") -> LoadedServer:
    return LoadedServer(url, None, [TrafficRoom(PATTERN, tally, seed) for seed in range(rooms)], tally)


def test_figures_and_their_words() -> None:
    told = report(PATTERN, [share(7, TALLY)], BEGAN, ENDED)
    data = told.data
    assert (data["moves"], data["moves_per_second"], data["seconds"], data["rooms"]) == (100, 50.0, 2.0, 7)
    assert data["latency_ms"] == {"p50": 51.0, "p99": 100.0, "max": 100.0}
    assert (data["bytes_in"], data["bytes_out"]) == (3_000_000, 500_000)
    server = {"cpu": 0.25, "cpu_us_per_move": 5000.0, "moves_per_cpu_second": 200.0}
    assert data["server"] == {**server, "memory_kib": 3_072, "peak_kib": 5_120}
    assert data["own_cpu"] == 0.5
    assert "options" not in data
    assert "100 moves in 2.0 s in 7 rooms of 4: 50.0 a second" in told.text
    assert "latency in ms: p50 51.0, p99 100.0, max 100.0" in told.text
    assert "server: 25% of a core, 5000.0 µs a move, 200.0 moves a CPU second; 3 MiB" in told.text
    assert "used" not in told.text
    assert "localhost" not in told.text
    assert told.sound


def test_bots_that_are_the_bottleneck_lost_connections_and_refusals_are_told() -> None:
    tally = attrs.evolve(TALLY, lost=1)
    tally.errors["busy"] += 2
    told = report(PATTERN, [share(7, tally)], BEGAN, attrs.evolve(ENDED, own=ResourceUsage(6.9, 1, 1)))
    assert "the load itself used 95% of a core" in told.text
    assert "refused, busy: 2" in told.text
    assert "1 connection was lost" in told.text
    assert not told.sound


def test_nothing_played_on_an_unknown_machine() -> None:
    unknown = [attrs.evolve(reading, servers=(None,)) for reading in (BEGAN, ENDED)]
    told = report(PATTERN, [share(1, TrafficCounters())], *unknown)
    assert (told.data["latency_ms"], told.data["server"]) == ({}, None)
    assert "server" not in told.text


def test_several_servers_are_told_of_together_and_one_by_one() -> None:
    slow = TrafficCounters(latencies=[0.5] * 60, matches=1)
    shares = [share(4, TALLY, "ws://localhost:1"), share(3, slow, "ws://localhost:2")]
    began = attrs.evolve(BEGAN, servers=(ResourceUsage(1.0, 1_024, 1), ResourceUsage(2.0, 1_024, 1)))
    ended = attrs.evolve(ENDED, servers=(ResourceUsage(1.5, 2_048, 1), ResourceUsage(2.3, 2_048, 1)))
    found = report(PATTERN, shares, began, ended)
    assert (found.data["rooms"], found.data["moves"], found.data["matches"]) == (7, 160, 1)
    assert (found.data["server"]["cpu"], found.data["server"]["cpu_us_per_move"]) == (0.4, 5000.0)
    assert found.data["server"]["memory_kib"] == 4_096
    one, two = found.data["servers"]
    assert (one["rooms"], one["moves"], one["moves_per_cpu_second"]) == (4, 100, 200.0)
    assert (two["rooms"], two["moves_per_second"], two["cpu_us_per_move"]) == (3, 30.0, 5000.0)
    assert "all servers: 40% of a core, 5000.0 µs a move" in found.text
    assert "ws://localhost:2, 3 rooms, 30.0 moves a second: 15% of a core" in found.text


def test_what_is_not_known_of_each_is_not_known_of_all() -> None:
    shares = [share(1, TALLY, "ws://localhost:1"), share(1, TALLY, "ws://localhost:2")]
    known = [(ResourceUsage(1.0), None), (ResourceUsage(1.5), None)]
    found = report(PATTERN, shares, *(attrs.evolve(BEGAN, time=n, servers=each) for n, each in enumerate(known)))
    assert (found.data["server"], found.data["servers"][0]["cpu"]) == (None, 0.5)
    assert "moves a CPU second\nws://localhost:2, 1 room, 100.0 moves a second\n" in found.text


async def test_a_server_on_this_machine_says_what_it_has_used(tmp_path: Path) -> None:
    async with hosting(tmp_path / "parlour.db") as host:
        used = await LoadedServer(host.url).usage()
    assert used is not None
    assert used.cpu > 0
    assert await LoadedServer(host.url).usage() is None
    assert load.usage_from_metrics("ws://localhost:1/?x=1") is None


async def test_a_process_is_measured_where_that_can_be_done() -> None:
    own = load.usage_of(os.getpid())
    assert own is None or (own.cpu > 0 and own.peak >= own.memory > 1_000)
    assert (load.usage_of(None), load.usage_of(2**22 + 1)) == (None, None)
    assert (await load.reading([])).servers == ()
