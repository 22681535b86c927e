"""A command in a pseudo-terminal, and what a person sees there. pyte interprets the output."""

import fcntl
import math
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyte
import pyte.modes
from tests.support.server import environment
from tests.support.waiting import PATIENCE

STILL = 0.02
"""Seconds of silence after which output is taken to be whole."""
COLUMNS, ROWS = 80, 24
PROGRAM = (sys.executable, "-m", "parlour_client.cli.main")
_MODES = {1049 << 5, 1003 << 5, 1006 << 5, 2004 << 5}
"""The alternate screen, mouse reports, their SGR encoding, bracketed paste; shifted as pyte keeps private modes."""


class Terminal:
    """One of our commands in a terminal of 80 columns and 24 rows."""

    def __init__(self, folder: Path, *words: str, program: Sequence[str] = PROGRAM, **variables: str) -> None:
        """Start ``program`` with ``words``; ``variables`` are added to its environment."""
        self._fd, self._inner = pty.openpty()
        fcntl.ioctl(self._inner, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._before = termios.tcgetattr(self._inner)
        self.child = subprocess.Popen(
            [*program, *words],
            stdin=self._inner,
            stdout=self._inner,
            stderr=self._inner,
            env=environment(folder, **{"TERM": "xterm-256color", "LANG": "C.UTF-8", **variables}),
            start_new_session=True,
        )
        self.raw = b""
        self.replies: dict[bytes, bytes] = {}
        """Question → what the terminal answers when it reads it; each once."""
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)

    @property
    def lines(self) -> list[str]:
        """What is on the screen now."""
        return list(self._screen.display)

    @property
    def restored(self) -> bool:
        """Whether the program left the terminal as it was: main screen, no mouse reports, cursor, line settings."""
        modes = self._screen.mode
        unchanged = termios.tcgetattr(self._inner) == self._before
        return unchanged and pyte.modes.DECTCEM in modes and not _MODES & modes

    def shows(self, text: str) -> bool:
        return any(text in line for line in self.lines)

    def find(self, text: str) -> tuple[int, int]:
        """Return column and row, from 0, of the first ``text`` on the screen. Raises LookupError."""
        for row, line in enumerate(self.lines):
            if text in line:
                return line.index(text), row
        raise LookupError(f"{text!r} is not on the screen")

    def look(self, seconds: float, still: float = math.inf) -> None:
        """Read the output of the next ``seconds``, or until nothing more has come for ``still`` seconds."""
        end = time.monotonic() + seconds
        left = seconds
        while select.select([self._fd], [], [], max(0.0, left))[0]:
            try:
                new = os.read(self._fd, 65_536)
            except OSError:
                return
            self.raw += new
            self._stream.feed(new)
            for question in [each for each in self.replies if each in self.raw]:
                os.write(self._fd, self.replies.pop(question))
            left = min(still, end - time.monotonic())

    def press(self, *keys: str) -> None:
        for key in keys:
            os.write(self._fd, key.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the terminal. It controls no session, so that only we can tell the program."""
        self._screen.resize(rows, columns)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.child.send_signal(signal.SIGWINCH)

    def click(self, column: int, row: int, button: int = 0) -> None:
        """Press and release a button of the mouse (0 left, 2 right) in a cell, counted from 0."""
        for end in "Mm":
            os.write(self._fd, f"\x1b[<{button};{column + 1};{row + 1}{end}".encode())

    def at_rest(self) -> list[str]:
        """Return the lines once they have stayed the same for a while: output may come in pieces."""
        end, before = time.monotonic() + PATIENCE, [""]
        while before != self.lines:
            assert time.monotonic() < end, "\n".join(self.lines)
            before = self.lines
            self.look(0.5)
        return before

    def until(self, text: str) -> Iterator[None]:
        """Yield until ``text`` is on the screen, reading output in between."""
        end = time.monotonic() + PATIENCE
        while not self.shows(text):
            assert time.monotonic() < end, "\n".join(self.lines)
            assert self.child.poll() is None, "\n".join(self.lines)
            yield
            self.look(0.1, STILL)

    def wait_for(self, text: str) -> None:
        for _ in self.until(text):
            pass

    def wait_for_text_or_end(self, text: str) -> None:
        """Wait until ``text`` is on the screen or the command has ended."""
        self._look_while(lambda: self.child.poll() is None and not self.shows(text))

    def wait_until_gone(self, text: str) -> None:
        self._look_while(lambda: self.shows(text))

    def _look_while(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while condition():
            assert time.monotonic() < end, "\n".join(self.lines)
            self.look(0.1, STILL)

    def ends(self) -> int:
        """Wait until the command has ended; return its exit code."""
        self._look_while(lambda: self.child.poll() is None)
        self.look(0.1)
        assert self.child.returncode is not None
        return self.child.returncode

    def terminate(self) -> int:
        self.child.send_signal(signal.SIGTERM)
        return self.ends()

    def vanish(self) -> int:
        """Close the terminal without a signal; return the exit code of the command."""
        os.close(self._fd)
        self._fd = -1
        return self.child.wait(PATIENCE)

    def close(self) -> None:
        self.child.kill()
        self.child.wait()
        if self._fd >= 0:
            os.close(self._fd)
        os.close(self._inner)


def leave(terminal: Terminal) -> None:
    """Press the key that leaves, and answer the question that comes if a match is going on."""
    terminal.press("q")
    terminal.wait_for_text_or_end("Stay")
    if terminal.shows("Stay"):
        terminal.press("y")
    assert terminal.ends() == 0, "\n".join(terminal.lines)
    assert terminal.restored
    assert b"Traceback" not in terminal.raw
