"""``parlour`` on an 80×24 pseudo-terminal: time to first paint, memory, and CPU when idle.

Asserts the budgets of memory and idle CPU. The time to first paint depends on the load of the machine.
Linux only: it reads /proc.
"""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import attrs

from benchmarks.results import Row, show

TIMES = 5
FIRST, MEMORY, IDLE = 0.8, 60.0, 1.0
"""Budgets: seconds, megabytes, percent of a core."""
_PLAY = ("play", "minesweeper", "--name", "maria")
_TIMEOUT = 30.0
_IDLE_TIME = 5.0
"""Seconds."""


@attrs.define
class Screen:
    """A ``parlour`` command on a pseudo-terminal."""

    child: subprocess.Popen[bytes]
    started: float
    _fd: int
    _drawn: bytes = b""

    def wait_for(self, text: bytes) -> float:
        """Wait until ``text`` is drawn; return the seconds since the start. Raises TimeoutError."""
        while text not in self._drawn:
            if not select.select([self._fd], [], [], _TIMEOUT)[0]:
                raise TimeoutError(f"{text!r} was not drawn")
            self._drawn += os.read(self._fd, 65_536)
        return monotonic() - self.started

    def press(self, keys: bytes) -> None:
        """Send keys to the command."""
        os.write(self._fd, keys)

    def watch(self, seconds: float) -> float:
        """Read its output for ``seconds``; return the CPU time it used."""
        before, end = self.cpu, monotonic() + seconds
        while select.select([self._fd], [], [], max(0.0, end - monotonic()))[0]:
            os.read(self._fd, 65_536)
        return self.cpu - before

    @property
    def cpu(self) -> float:
        """The CPU time of all its threads in seconds."""
        threads = Path(f"/proc/{self.child.pid}/task").iterdir()
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9

    @property
    def memory(self) -> float:
        """The resident memory in megabytes."""
        lines = Path(f"/proc/{self.child.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


@contextmanager
def opened(folder: str, *words: str) -> Iterator[Screen]:
    """Start ``parlour`` with ``words`` on a pseudo-terminal; kill it on exit."""
    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    own = {"HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder, "TERM": "xterm-256color"}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")} | own
    started, command = monotonic(), [sys.executable, "-m", "parlour_client.cli.main", *words]
    child = subprocess.Popen(command, stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True)
    os.close(inner)
    try:
        yield Screen(child, started, outer)
    finally:
        child.kill()
        child.wait()
        os.close(outer)


def measure() -> list[Row]:
    """Return the results; the time to first paint is the median of ``TIMES`` starts."""
    with TemporaryDirectory() as folder:
        wall, cpu = _first_paint(folder, (), b"Replays")
        play, play_cpu = _first_paint(folder, _PLAY, b"Starting a server")
        board, _ = _first_paint(folder, _PLAY, b"mines left")
        memory, idle = _at_play(folder)
    assert memory <= MEMORY, f"parlour play uses {memory:.0f} MB"
    assert idle <= IDLE, f"an idle match takes {idle:.1f} % of a core"
    return [
        ("parlour: first paint", wall, f"s (budget {FIRST})"),
        ("parlour: first paint, CPU", cpu, "s"),
        ("parlour play: first paint", play, f"s (budget {FIRST})"),
        ("parlour play: first paint, CPU", play_cpu, "s"),
        ("parlour play: the server runs and the board is drawn", board, "s"),
        ("parlour play: memory during a match", memory, f"MB (budget {MEMORY:g})"),
        ("parlour play: idle CPU during a match with a running stopwatch", idle, f"% (budget {IDLE:g})"),
    ]


def _first_paint(folder: str, words: tuple[str, ...], text: bytes) -> tuple[float, float]:
    """Return the median elapsed and CPU seconds until ``text`` is drawn."""
    walls, cpus = [], []
    for _ in range(TIMES):
        with opened(folder, *words) as screen:
            walls.append(screen.wait_for(text))
            cpus.append(screen.cpu)
    return sorted(walls)[TIMES // 2], sorted(cpus)[TIMES // 2]


def _at_play(folder: str) -> tuple[float, float]:
    """Return the memory in megabytes and the idle CPU in percent of a core, with an open board."""
    with opened(folder, "play", "minesweeper", "--level", "expert", "--name", "maria") as screen:
        screen.wait_for(b"mines left")
        screen.press(b" ")
        screen.watch(2.0)  # until the opened cells are drawn
        return screen.memory, 100 * screen.watch(_IDLE_TIME) / _IDLE_TIME


if __name__ == "__main__":
    show(measure())
