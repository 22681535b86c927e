"""A pseudo-terminal with one of our commands in it, and what a person there would see."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from codecs import getincrementaldecoder
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.support.server import environment

PATIENCE = 90.0
"""Seconds."""
COLUMNS, ROWS = 80, 24
PROGRAM = (sys.executable, "-m", "parlour_client.cli.main")
_PIECES = re.compile(
    r"\x1b\[([0-9;?<>=]*)([a-zA-Z])|\x1b[PX^_\]].*?(?:\x1b\\|\x07)|\x1b[()][A-Z0-9]|\x1b[=>78]|([^\x1b])", re.DOTALL
)
_UNFINISHED = re.compile(r"\x1b(\[[0-9;?<>=]*|[PX^_\]][^\x07\x1b]*|[()]?)$")
_MODES = (b"1049", b"1003", b"1006", b"2004")
"""The other screen, reports of the mouse, how they are written, pasting in brackets."""


class Picture:
    """What has been drawn, in cells: the cursor is moved and characters are put; colours are left out."""

    def __init__(self) -> None:
        self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
        self._at = (0, 0)
        self._decoder = getincrementaldecoder("utf-8")()
        self._rest = ""

    @property
    def lines(self) -> list[str]:
        return ["".join(row) for row in self.cells]

    def draw(self, raw: bytes) -> None:
        """Draw what comes next; a sequence that is cut off is kept until its end comes."""
        text = self._rest + self._decoder.decode(raw)
        cut = _UNFINISHED.search(text)
        self._rest = text[cut.start() :] if cut else ""
        self._draw(text[: cut.start()] if cut else text)

    def _draw(self, text: str) -> None:
        for found in _PIECES.finditer(text):
            words, command, char = found.groups()
            if command == "H":
                row, _, column = (words or "1;1").partition(";")
                self._at = int(column or 1) - 1, int(row) - 1
            elif command == "J":
                self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
            elif char == "\r":
                self._at = 0, self._at[1]
            elif char == "\n":
                self._at = self._at[0], self._at[1] + 1
            elif char and char.isprintable():
                self._put(char)

    def _put(self, char: str) -> None:
        column, row = self._at
        if 0 <= row < ROWS and 0 <= column < COLUMNS:
            self.cells[row][column] = char
        self._at = column + 1, row


class Terminal:
    """A command of ours at a terminal of 80 columns and 24 rows."""

    def __init__(self, folder: Path, *words: str, program: Sequence[str] = PROGRAM, **variables: str) -> None:
        """``program`` is given the ``words``; ``variables`` are added to its environment."""
        self._fd, self._inner = pty.openpty()
        fcntl.ioctl(self._inner, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._before = termios.tcgetattr(self._inner)
        self.child = subprocess.Popen(
            [*program, *words],
            stdin=self._inner,
            stdout=self._inner,
            stderr=self._inner,
            env=environment(folder, TERM="xterm-256color", LANG="C.UTF-8", **variables),
            start_new_session=True,
        )
        self.raw = b""
        self._picture = Picture()

    @property
    def lines(self) -> list[str]:
        """What can be seen now."""
        return self._picture.lines

    @property
    def restored(self) -> bool:
        """Whether the terminal was given back as it was: its own screen, no reports of a mouse, a cursor, its modes."""
        off = all(self.raw.rfind(b"\x1b[?%bl" % mode) > self.raw.rfind(b"\x1b[?%bh" % mode) for mode in _MODES)
        cursor = self.raw.rfind(b"\x1b[?25h") > self.raw.rfind(b"\x1b[?25l")
        return off and cursor and termios.tcgetattr(self._inner) == self._before

    def shows(self, text: str) -> bool:
        return any(text in line for line in self.lines)

    def find(self, text: str) -> tuple[int, int]:
        """Return column and row, from 0, of the first ``text`` on the screen. Raises LookupError."""
        for row, line in enumerate(self.lines):
            if text in line:
                return line.index(text), row
        raise LookupError(f"{text!r} is not on the screen")

    def look(self, seconds: float) -> None:
        """Read what comes within so many seconds."""
        end = time.monotonic() + seconds
        while select.select([self._fd], [], [], max(0.0, end - time.monotonic()))[0]:
            try:
                new = os.read(self._fd, 65_536)
            except OSError:
                return
            self.raw += new
            self._picture.draw(new)

    def press(self, *keys: str) -> None:
        for key in keys:
            os.write(self._fd, key.encode())

    def click(self, column: int, row: int, button: int = 0) -> None:
        """Press and release a button of the mouse (0 left, 2 right) in a cell, counted from 0."""
        for end in "Mm":
            os.write(self._fd, f"\x1b[<{button};{column + 1};{row + 1}{end}".encode())

    def until(self, text: str) -> Iterator[None]:
        """Yield again and again, and look in between, until ``text`` is on the screen."""
        end = time.monotonic() + PATIENCE
        while not self.shows(text):
            assert time.monotonic() < end, "\n".join(self.lines)
            assert self.child.poll() is None, "\n".join(self.lines)
            yield
            self.look(0.1)

    def wait_for(self, text: str) -> None:
        for _ in self.until(text):
            pass

    def wait_until_gone(self, text: str) -> None:
        end = time.monotonic() + PATIENCE
        while self.shows(text):
            assert time.monotonic() < end, "\n".join(self.lines)
            self.look(0.1)

    def ends(self) -> int:
        """Wait until the command has ended, and return its exit code."""
        end = time.monotonic() + PATIENCE
        while self.child.poll() is None:
            assert time.monotonic() < end, "\n".join(self.lines)
            self.look(0.1)
        self.look(0.1)
        assert self.child.returncode is not None
        return self.child.returncode

    def terminate(self) -> int:
        self.child.send_signal(signal.SIGTERM)
        return self.ends()

    def vanish(self) -> int:
        """Let the terminal go away without a signal; return the exit code with which the command ends."""
        os.close(self._fd)
        self._fd = -1
        return self.child.wait(PATIENCE)

    def close(self) -> None:
        self.child.kill()
        self.child.wait()
        if self._fd >= 0:
            os.close(self._fd)
        os.close(self._inner)
