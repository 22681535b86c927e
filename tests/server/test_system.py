"""Garbage collection, places at which a server dies, and what a service manager hears on a real datagram socket."""

import asyncio
import gc
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.server import server_process
from tests.support.waiting import PATIENCE

from parlour_server import system
from parlour_server.system import POINTS, armed_points, crash_point


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


def test_places_and_times() -> None:
    assert armed_points("") == {}
    assert armed_points("after-commit:17") == {"after-commit": 17}
    assert armed_points("after-commit:1,before-send:2") == {"after-commit": 1, "before-send": 2}


@pytest.mark.parametrize(
    "text", ["after-lunch:1", "after-commit", "after-commit:", "after-commit:0", "after-commit:-1"]
)
def test_senseless_places_are_refused_with_the_sensible_ones(text: str) -> None:
    with pytest.raises(ValueError, match=r"POINT:TIMES .*before-append, after-append, after-commit, before-send"):
        armed_points(text)


def test_process_dies_at_its_place_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    killed = list[int]()
    monkeypatch.setattr(os, "kill", lambda pid, number: killed.append(number))
    for times, armed in enumerate((armed_points(""), armed_points(f"{POINTS[1]}:2"))):
        monkeypatch.setattr(system, "_left", armed)
        for point in POINTS[:2] * 2:
            assert killed == []
            crash_point(point)
        assert killed == [signal.SIGKILL] * times


@pytest.fixture
def manager(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The socket on which a manager listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(short_path / "notify"))
        listening.settimeout(PATIENCE)
        monkeypatch.setenv("NOTIFY_SOCKET", str(short_path / "notify"))
        for variable in ("WATCHDOG_USEC", "WATCHDOG_PID"):
            monkeypatch.delenv(variable, raising=False)
        yield listening


def _heard(manager: socket.socket) -> list[str]:
    return manager.recv(4096).decode().splitlines()


def _hears_nothing(manager: socket.socket) -> None:
    manager.setblocking(False)
    with pytest.raises(BlockingIOError):
        manager.recv(4096)


def test_server_says_when_it_is_ready_and_when_it_stops(manager: socket.socket, tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        assert _heard(manager) == ["READY=1", f"STATUS=Serving at {server.url}"]
        server.signal(signal.SIGTERM)
        assert server.wait() == 0
        assert _heard(manager) == ["STOPPING=1"]
        _hears_nothing(manager)


def test_server_feeds_its_watchdog(manager: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "20000")
    with server_process(tmp_path):
        assert _heard(manager)[0] == "READY=1"
        assert [_heard(manager) for _ in range(3)] == [["WATCHDOG=1"]] * 3


async def test_loop_that_stands_still_is_not_reported_alive(
    manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "1000")
    watching = asyncio.get_running_loop().create_task(system.stay_watched())
    await asyncio.sleep(0)
    assert _heard(manager) == ["WATCHDOG=1"]
    _hears_nothing(manager)  # as long as we do not give the loop its turn
    watching.cancel()


def test_abstract_address(manager: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"parlour-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0" + name)
        listening.settimeout(PATIENCE)
        monkeypatch.setenv("NOTIFY_SOCKET", "@" + name)
        system.notify(system.READY)
        assert _heard(listening) == ["READY=1"]
    _hears_nothing(manager)


@pytest.mark.parametrize("address", ["", "vsock:2:1", "/nowhere/at/all"])
def test_nobody_who_listens_is_no_fault(manager: socket.socket, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    system.notify(system.READY)
    _hears_nothing(manager)


def test_manager_that_reads_nothing_holds_up_nobody(manager: socket.socket) -> None:
    for _ in range(10_000):
        system.notify(system.ALIVE)
    assert _heard(manager) == ["WATCHDOG=1"]


@pytest.mark.parametrize(
    ("interval", "pid", "seconds"),
    [("", "", 0.0), ("5000000", "", 5.0), ("5000000", "own", 5.0), ("5000000", "1", 0.0), ("soon", "", 0.0)],
)
@pytest.mark.usefixtures("manager")
def test_watchdog_interval(monkeypatch: pytest.MonkeyPatch, interval: str, pid: str, seconds: float) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", interval)
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()) if pid == "own" else pid)
    assert system.watchdog_period() == seconds
