"""Visitors by ssh, at the start screen and in UNO: memory, and CPU for a key press. Linux only: it reads /proc."""

import asyncio
import re
import socket
import time
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.processes import child
from benchmarks.results import Result, Target, show

VISITORS, PRESSES = 100, 20
PLAYERS, MOVES = 20, 60
"""Visitors who play UNO, and how often each presses a key there."""
_PLAY = (b"\t\r", b"d", b"p", b"r")
_DOWN = b"\x1b[B"
_SETTLED = 2.0
"""Seconds without output after which a screen is drawn."""


def measure() -> list[Result]:
    """Return the results; none, with a note, without asyncssh."""
    if find_spec("asyncssh") is None:
        print("visitors: skipped, needs the extra ssh")
        return []
    with TemporaryDirectory(prefix="bench-") as folder:
        options = ("--port", "0", "--log-level", "warning", "--per-address", str(VISITORS + 100))
        store = f"sqlite:///{Path(folder, 'bench.db')}"
        with socket.create_server(("127.0.0.1", 0)) as found:
            port = found.getsockname()[1]
        ssh = ("--ssh", f"127.0.0.1:{port}", "--max-ssh", str(VISITORS))
        command = ("parlour_client.cli.main", "serve", "--ready-json", "--store", store, *options, *ssh)
        with child(*command) as server:
            return asyncio.run(_measure(server.pid, port))


async def _measure(server: int, port: int) -> list[Result]:
    import asyncssh

    class Client(asyncssh.SSHClientSession[bytes]):  # type: ignore[misc]  # the extra is not followed
        """Counts the bytes of a screen."""

        drawn = 0
        last = 0.0

        def data_received(self, data: bytes, datatype: object) -> None:
            self.drawn += len(data)
            self.last = time.monotonic()

    async def come(count: int, command: str | None = None) -> list[tuple[Any, Client]]:
        """Let visitors come, one after the other, and return their channels and sessions."""
        sessions = []
        asked: Any = {"term_type": "xterm-256color", "term_size": (80, 24), "encoding": None}
        for number in range(count):
            key = asyncssh.generate_private_key("ssh-ed25519")
            connection = await asyncssh.connect(
                "127.0.0.1", port, known_hosts=None, client_keys=[key], username=f"v{number}", config=None
            )
            channel, session = await connection.create_session(Client, command, **asked)
            sessions.append((channel, session))
            while not session.drawn:  # noqa: ASYNC110 - polls on purpose
                await asyncio.sleep(0.01)
        return sessions

    began = time.monotonic()
    sessions = await come(VISITORS)
    opened = (time.monotonic() - began) / VISITORS
    await _quiet(sessions)
    [host] = [pid for pid in _children(server) if b"parlour_client.ssh" in _command(pid)]
    [nursery] = _children(host)
    visitors = _children(nursery)
    assert len(visitors) == VISITORS
    before = sum(map(_cpu, visitors)), _cpu(host)
    for _ in range(PRESSES):
        for channel, _ in sessions:
            channel.write(_DOWN)
        await _quiet(sessions, 0.3)
    presses = VISITORS * PRESSES
    own, passing = sum(map(_cpu, visitors)) - before[0], _cpu(host) - before[1]
    memory = sum(_memory(pid) for pid in visitors) / VISITORS
    shared = [_memory(nursery), _memory(host)]
    for channel, _ in sessions:
        channel.close()
    while _children(nursery):  # noqa: ASYNC110 - polls on purpose
        await asyncio.sleep(0.1)
    players = await come(PLAYERS, "daily uno")
    for move in range(MOVES):
        for channel, _ in players:
            channel.write(_PLAY[move % len(_PLAY)])
        await asyncio.sleep(0.5)
    playing = sum(map(_memory, _children(nursery))) / PLAYERS
    for channel, _ in players:
        channel.close()
    return [
        ("a visitor's first screen, one after the other", opened * 1e3, "ms"),
        Target(f"memory of each of {VISITORS} visitors (PSS), at the start screen", memory, "MB", 20, 12),
        (f"memory of each of {PLAYERS} visitors (PSS), after {MOVES} keys in UNO", playing, "MB"),
        ("memory of the process that they are forked from, and of the ssh server (PSS)", sum(shared), "MB"),
        Target("CPU for a key press: the visitor's process", own / presses * 1e3, "ms", 6, 3),
        ("CPU for a key press: the ssh server", passing / presses * 1e3, "ms"),
    ]


async def _quiet(sessions: list[tuple[Any, Any]], seconds: float = _SETTLED) -> None:
    """Wait until no screen has changed for some time."""
    while time.monotonic() - max(session.last for _, session in sessions) < seconds:  # noqa: ASYNC110 - polls
        await asyncio.sleep(0.05)


def _children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def _memory(pid: int) -> float:
    found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1]) / 1024


def _cpu(pid: int) -> float:
    """Return the CPU time of all threads in seconds."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


if __name__ == "__main__":
    show(measure())
