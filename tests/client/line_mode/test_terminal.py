"""A scripted person at a real pseudo-terminal plays a whole round against real bots on a real server."""

import codecs
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from typing import Self

import pytest

SECONDS = 240.0
"""Until somebody gives up; whole rounds take a few, but much else may be going on."""
COMMAND = (sys.executable, "-m", "parlour_client.cli.main")
CHOICES = re.compile(r"^1 .*\]\r?\n(Add ! to call UNO with the card\.\r?\n)?> $", re.MULTILINE)


def _heed_hangup() -> None:
    """Undo ``nohup`` in the child, as a terminal starts its programs: an ignored signal would stay ignored."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Person:
    """Somebody at a terminal who answers each prompt with its first choice, calls UNO, and names blue.

    ``cues``: what is typed, once, when a text appears on the screen.
    """

    def __init__(self, *arguments: str, cues: dict[str, str] | None = None) -> None:
        self.screen = ""
        self.answers = 0
        self._cues = dict(cues or {})
        self._decode = codecs.getincrementaldecoder("utf-8")().decode  # a character may come in two pieces
        self._read = 0
        self._fd, terminal = pty.openpty()
        environment = {**os.environ, "COLUMNS": "1000", "TERM": "xterm"}
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=terminal,
            stdout=terminal,
            stderr=subprocess.STDOUT,
            env=environment,
            preexec_fn=_heed_hangup,
        )
        os.close(terminal)

    def wait_for(self, text: str) -> None:
        """Look at the screen until ``text`` is on it."""
        deadline = time.monotonic() + SECONDS
        while text not in self.screen:
            assert self._look(deadline - time.monotonic()), self.screen[-500:]

    def play(self) -> int:
        """Play until the command ends; return its exit code."""
        deadline = time.monotonic() + SECONDS
        while self._look(deadline - time.monotonic()):
            for cue in [cue for cue in self._cues if cue in self.screen]:
                self.type(self._cues.pop(cue))
            asked = CHOICES.search(self.screen, self._read)
            if asked:
                self._read = len(self.screen)
                self.answers += 1
                colour = " blue" if "COLOUR" in asked[0].split("]")[0] else ""
                self.type(f"1{colour}{' !' if asked[1] else ''}\n")
        return self.process.wait(max(0.0, deadline - time.monotonic()))

    def _look(self, seconds: float) -> bool:
        """Read what there is to read; False at the end."""
        if not select.select([self._fd], [], [], max(0.0, seconds))[0]:
            pytest.fail(f"nothing more came after: {self.screen[-500:]}")
        try:
            self.screen += self._decode(os.read(self._fd, 65_536))
        except OSError:  # how Linux says that nobody has the other end open
            return False
        return True

    def type(self, text: str) -> None:
        os.write(self._fd, text.encode())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()
        os.close(self._fd)


def test_a_person_plays_a_whole_round_against_bots() -> None:
    with Person("play", "uno", "--plain", "--bots", "2", "--target", "1", "--once", "--name", "maria") as person:
        assert person.play() == 0, person.screen[-500:]
    assert person.answers
    told = ["Room ", "Round 1. ", "Hand: ", " the round. In hand: ", "The match is over", "Digest", "Fair: "]
    assert [words for words in told if words not in person.screen] == []
    assert "WARNING" not in person.screen
