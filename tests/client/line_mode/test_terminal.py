"""Scripted people at real pseudo-terminals play whole rounds against real bots on real servers."""

import codecs
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
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


def play(*people: Person) -> None:
    """Let everybody play to the end, at the same time."""
    with ThreadPoolExecutor() as pool:
        codes = list(pool.map(Person.play, people))
    assert codes == [0] * len(people), [person.screen[-500:] for person in people]
    assert all(person.answers for person in people)


@contextmanager
def running(*arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a command of ours in the background, until its stdin is closed or it is killed."""
    pipe = subprocess.PIPE
    with subprocess.Popen([*COMMAND, *arguments], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_person_plays_a_whole_round_against_bots() -> None:
    with Person("play", "uno", "--plain", "--bots", "2", "--target", "1", "--once", "--name", "maria") as person:
        play(person)
    told = ["Room ", "Round 1. ", "Hand: ", " the round. In hand: ", "The match is over", "Digest", "Fair: "]
    assert [words for words in told if words not in person.screen] == []
    assert "WARNING" not in person.screen


@pytest.mark.long
def test_two_people_and_a_bot_play_a_whole_round_in_a_room(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'games.db'}"
    end = {" the round. In hand: ": "quit\n", "Type quit again": "quit\n"}
    with ExitStack() as stack:
        server = stack.enter_context(
            running("serve", "--port", "0", "--ready-json", "--no-house-bots", "--store", store)
        )
        assert server.stdout is not None
        ready = json.loads(server.stdout.readline())
        place = (ready["room"].lower(), "--server", ready["url"])
        cues = {"otto (human) took a seat": "ready\n", **end}
        maria = stack.enter_context(Person("join", *place, "--plain", "--name", "maria", cues=cues))
        maria.wait_for("Type ready to begin")
        stack.enter_context(running("bot", "run", "painfirst", "--room", *place))
        maria.wait_for("bot) took a seat")
        cues = {"Type ready to begin": "say hello\nready\n", **end}
        otto = stack.enter_context(Person("join", *place, "--plain", "--name", "otto", cues=cues))
        play(maria, otto)
    assert "otto: hello" in maria.screen
    assert "maria plays" in otto.screen or "maria draws" in otto.screen
