"""The screens at a pseudo-terminal of 80×24: until they are drawn, what they hold in memory, what they take when idle.

Asserts the budgets of memory and of idling; until when something is drawn depends on what else the machine does.
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

from benchmarks.table import Row, show

TIMES = 5
FIRST, MEMORY, IDLE = 0.8, 60.0, 1.0
"""Budgets: seconds, megabytes, per cent of a core."""
_PLAY = ("play", "minesweeper", "--name", "maria")
_PATIENCE = 30.0
_WATCHED = 5.0
"""Seconds."""


@attrs.define
class Screen:
    """A command of ours at a terminal. ``begun`` is when it was started."""

    child: subprocess.Popen[bytes]
    begun: float
    _fd: int
    _drawn: bytes = b""

    def wait_for(self, text: bytes) -> float:
        """Return the seconds since its start at which ``text`` was drawn. Raises TimeoutError."""
        while text not in self._drawn:
            if not select.select([self._fd], [], [], _PATIENCE)[0]:
                raise TimeoutError(f"{text!r} was not drawn")
            self._drawn += os.read(self._fd, 65_536)
        return monotonic() - self.begun

    def press(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self._fd, keys)

    def watch(self, seconds: float) -> float:
        """Let it be for so long; return the seconds of CPU time that it took."""
        before, end = self.cpu, monotonic() + seconds
        while select.select([self._fd], [], [], max(0.0, end - monotonic()))[0]:
            os.read(self._fd, 65_536)
        return self.cpu - before

    @property
    def cpu(self) -> float:
        """Seconds of CPU time of all its threads."""
        threads = Path(f"/proc/{self.child.pid}/task").iterdir()
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9

    @property
    def memory(self) -> float:
        """Megabytes that are resident."""
        lines = Path(f"/proc/{self.child.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


@contextmanager
def opened(folder: str, *words: str) -> Iterator[Screen]:
    """Start ``parlour`` with ``words`` at a terminal; end it afterwards."""
    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    own = {"HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder, "TERM": "xterm-256color"}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")} | own
    begun, command = monotonic(), [sys.executable, "-m", "parlour_client.cli.main", *words]
    child = subprocess.Popen(command, stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True)
    os.close(inner)
    try:
        yield Screen(child, begun, outer)
    finally:
        child.kill()
        child.wait()
        os.close(outer)


def measure() -> list[Row]:
    """Return (label, value, unit) of each measurement. First paint is the median of ``TIMES``."""
    with TemporaryDirectory() as folder:
        wall, cpu = _first_paint(folder, (), b"Replays")
        play, play_cpu = _first_paint(folder, _PLAY, b"Laying the table")
        board, _ = _first_paint(folder, _PLAY, b"mines left")
        memory, idle = _at_play(folder)
    assert memory <= MEMORY, f"a screen holds {memory:.0f} MB"
    assert idle <= IDLE, f"an idle screen takes {idle:.1f} % of a core"
    return [
        ("Screen: first paint of parlour", wall, f"s (budget {FIRST})"),
        ("Screen: the same, CPU", cpu, "s"),
        ("Screen: first paint of parlour play", play, f"s (budget {FIRST})"),
        ("Screen: the same, CPU", play_cpu, "s"),
        ("Screen: parlour play until its server has begun and the board is there", board, "s"),
        ("Screen: memory during a match", memory, f"MB (budget {MEMORY:g})"),
        ("Screen: idle during a match, its stopwatch running, CPU", idle, f"% (budget {IDLE:g})"),
    ]


def _first_paint(folder: str, words: tuple[str, ...], text: bytes) -> tuple[float, float]:
    """Return seconds, and seconds of CPU time, until ``text`` is drawn: the medians."""
    walls, cpus = [], []
    for _ in range(TIMES):
        with opened(folder, *words) as screen:
            walls.append(screen.wait_for(text))
            cpus.append(screen.cpu)
    return sorted(walls)[TIMES // 2], sorted(cpus)[TIMES // 2]


def _at_play(folder: str) -> tuple[float, float]:
    """Return megabytes, and per cent of a core, of a board that has been begun and is looked at."""
    with opened(folder, "play", "minesweeper", "--level", "expert", "--name", "maria") as screen:
        screen.wait_for(b"mines left")
        screen.press(b" ")
        screen.watch(2.0)  # the board is opened and drawn
        return screen.memory, 100 * screen.watch(_WATCHED) / _WATCHED


if __name__ == "__main__":
    show(measure())
