"""The real thing at a pseudo-terminal: ``parlour play uno`` by keys, to the end of a match."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.server import environment

PATIENCE = 90.0
"""Seconds."""
SEQUENCES = re.compile(r"\x1b(\[[0-9;?<>=]*[a-zA-Z]|[PX^_\]].*?(\x1b\\|\x07)|[()][A-Z0-9]|[=>78])")
KEYS = ["\t", "\r", "r", "d", "p", "a"]
"""Next playable card, play it, red for a wild; draw, pass, accept: some of them fit each question."""


class Terminal:
    """A command of ours at a terminal of 80 columns and 24 rows."""

    def __init__(self, folder: Path, *words: str) -> None:
        self._fd, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.child = subprocess.Popen(
            [sys.executable, "-m", "parlour_client.cli", *words],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=environment(folder, TERM="xterm-256color", LANG="C.UTF-8"),
            start_new_session=True,
        )
        os.close(inner)
        self.raw = b""

    @property
    def text(self) -> str:
        """Everything that was ever drawn, without the sequences that place and colour it."""
        return SEQUENCES.sub("", self.raw.decode(errors="replace"))

    def look(self, seconds: float) -> None:
        """Read what comes within so many seconds."""
        end = time.monotonic() + seconds
        while select.select([self._fd], [], [], max(0.0, end - time.monotonic()))[0]:
            try:
                self.raw += os.read(self._fd, 65_536)
            except OSError:
                return

    def press(self, key: str) -> None:
        os.write(self._fd, key.encode())

    def wait_for(self, text: str, keys: list[str] | None = None) -> None:
        """Look, pressing ``keys`` in turn, until ``text`` has been drawn."""
        end = time.monotonic() + PATIENCE
        turn = 0
        while text not in self.text:
            assert time.monotonic() < end, self.text[-2000:]
            if keys:
                self.press(keys[turn % len(keys)])
                turn += 1
            self.look(0.1)

    def close(self) -> None:
        self.child.kill()
        self.child.wait()
        os.close(self._fd)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    options = ("--option", "scoring=single", "--option", "breath=0")
    opened = Terminal(tmp_path, "play", "uno", "--bots", "5", "--name", "maria", *options)
    yield opened
    opened.close()


def test_a_person_plays_a_whole_round_with_keys(terminal: Terminal) -> None:
    terminal.wait_for("discard")
    terminal.wait_for("digest", KEYS)
    terminal.press("q")
    terminal.look(0.5)
    terminal.press("y")  # if they have pressed r for another match
    end = time.monotonic() + PATIENCE
    while terminal.child.poll() is None and time.monotonic() < end:
        terminal.look(0.1)
    assert terminal.child.returncode == 0, terminal.text[-2000:]
    assert b"\x1b[?1049l" in terminal.raw  # the terminal is given back as it was
    assert "Traceback" not in terminal.text
