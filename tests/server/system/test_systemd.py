"""What a service manager hears from a server, on a real datagram socket."""

import asyncio
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.server import server_process
from tests.support.waiting import PATIENCE

from parlour_server import system


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
