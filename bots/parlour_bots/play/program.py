"""A program that plays one match: how it is begun, asked, and ended with all that it has begun."""

import json
import os
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

import attrs

from parlour_bots.errors import BadChoice, Broken, Late
from parlour_bots.play.pipes import LINE_LIMIT, Aside, Lines, Mailbox, TooLong
from parlour_bots.sdk import Choice
from parlour_client.core.sanitize import clean
from parlour_protocol.messages import Plain

START = 5_000
"""Milliseconds that a program has besides, before its first answer: it has to begin."""
ENDS_WITHIN = 0.2
"""Seconds that a program has to end by itself when its input has."""
LINES_A_TURN = 1_000
"""Lines that are passed over in search of an answer."""
NOISE_SHOWN = 20
"""Lines that are no answers and are printed nevertheless, for its author to see."""
_SHOWN = 200
_POLL = 0.002


@attrs.define
class _Running:
    """What belongs to a program that runs. It is apart from the ``Program``, which it outlives to end it."""

    child: "subprocess.Popen[bytes]"
    mail: Mailbox
    lines: Lines
    aside: Aside
    patience: float = ENDS_WITHIN

    def end(self) -> str:
        """Let the program end by itself, then make sure that it and its group have. Return how it ended."""
        self.mail.close()
        self.lines.close()
        self.lines.ended.wait(self.patience)
        itself = _ends(self.child, self.patience)
        _kill(self.child)
        code = self.child.wait()
        if not itself:
            return "closed its standard output"
        return f"ended with exit code {code}" if code >= 0 else f"was ended by {_signal(-code)}"

    def last_words(self) -> str:
        """Return the last thing that the program said, for a report of its end."""
        self.aside.ended.wait(ENDS_WITHIN)
        return f": {clean(self.aside.last, _SHOWN)}" if self.aside.last else ""


class Program:
    """A running program. It ends when this object is no longer used, or with this process."""

    def __init__(self, command: Sequence[str], name: str, greeting: Plain, start: int = START) -> None:
        """Begin the program. Raises Broken if that cannot be done."""
        self._name = name
        self._greeting = _line(greeting)
        self._start = start
        self._running = _run(command, name)
        self._end = weakref.finalize(self, self._running.end)
        self.answers = 0
        self.names_turns = False
        """Whether its answers say which turn they are for."""
        self.wrote = ""
        """The last line that it wrote as an answer."""
        self._noise = 0
        self._strayed = False

    def ask(self, turn: Plain, budget: int) -> Choice:
        """Return the answer to a turn, given within ``budget`` milliseconds. Raises Late, Broken, BadChoice."""
        if self.answers:
            self._pass_over()
        self._running.mail.put(self._greeting + _line(turn))
        self._greeting = b""
        try:
            choice: Choice = self._answer(turn["rid"], budget / 1000)
        except TimeoutError:
            raise Late(f"no answer within {budget} ms. Does it flush what it writes, line by line?") from None
        except TooLong:
            raise Broken(f"wrote a line of more than {LINE_LIMIT} bytes") from None
        except EOFError:
            raise Broken(f"{self._end() or 'has ended'}{self._running.last_words()}") from None
        self.answers += 1
        return choice

    def kill(self) -> None:
        """End the program at once."""
        self._running.patience = 0
        self._end()

    def _answer(self, rid: int, budget: float) -> Any:
        nonsense = ""
        until = monotonic() + budget + (0 if self.answers else self._start / 1000)
        for _ in range(LINES_A_TURN):
            try:
                line = self._running.lines.take(until)
            except TimeoutError:
                if nonsense:
                    break
                raise
            text = clean(line.decode(errors="replace").strip(), _SHOWN)
            try:
                said = _read(line)
            except (ValueError, RecursionError):
                nonsense = text or nonsense
                until = min(until, monotonic() + budget)  # it has begun
                self._print(text)
                continue
            self.wrote = text
            if not isinstance(said, dict) or "rid" not in said:
                return said  # whoever asked judges it
            self.names_turns = True
            if said["rid"] == rid:
                return said.get("act"), said.get("why")
        if nonsense:
            raise BadChoice(f"{nonsense!r} is no JSON. Write the answer alone, the rest to stderr")
        raise Broken(f"wrote {LINES_A_TURN} lines and no answer")

    def _pass_over(self) -> None:
        """Forget what was written before the question."""
        stray = [line for line in self._running.lines.discard() if line.strip()]
        if stray and not self._strayed:
            self._strayed = True
            self._print(f"{clean(stray[0].decode(errors='replace'), _SHOWN)} (more than one line for a turn)")

    def _print(self, text: str) -> None:
        """Print for the program what was no answer, as a bot in Python would have."""
        self._noise += bool(text)
        if text and self._noise <= NOISE_SHOWN:
            sys.stdout.write(f"{self._name}| {text}\n")


def _run(command: Sequence[str], name: str) -> _Running:
    pipe = subprocess.PIPE
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PARLOUR_")}
    try:
        child = subprocess.Popen(
            command, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, **_own_group()
        )
    except OSError as error:
        raise Broken(f"cannot be begun: {error}") from None
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    aside = Aside(child.stderr, lambda text: _say(f"{name}| {clean(text)}\n"))
    return _Running(child, Mailbox(child.stdin), Lines(child.stdout), aside)


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # one of those without a name
        return f"signal {number}"


def _say(text: str) -> None:
    with suppress(OSError, ValueError):
        sys.stderr.write(text)


def _own_group() -> dict[str, Any]:
    """Return how a child is begun that Ctrl-C passes by, and that can be ended with all its own children."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _ends(child: "subprocess.Popen[bytes]", within: float) -> bool:
    """Return whether ``child`` ends by itself within these seconds.

    Where that can be, it is not reaped, so that its number stays its own until its group is killed.
    """
    until = monotonic() + within
    while not _ended(child):
        if monotonic() >= until:
            return False
        time.sleep(_POLL)
    return True


def _ended(child: "subprocess.Popen[bytes]") -> bool:
    if sys.platform == "win32" or not hasattr(os, "waitid"):  # macOS has it since Python 3.13
        return child.poll() is not None
    if child.returncode is not None:
        return True
    return os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _kill(child: "subprocess.Popen[bytes]") -> None:
    """Kill ``child`` and its group, of which it may be the first to have ended."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(child.pid)], capture_output=True, check=False)
        return
    with suppress(ProcessLookupError, PermissionError):  # all of them have ended
        os.killpg(child.pid, signal.SIGKILL)


def _line(plain: Plain) -> bytes:
    return f"{json.dumps(plain, separators=(',', ':'))}\n".encode()


def _read(line: bytes) -> Any:
    """Return the JSON of a line. Raises ValueError or RecursionError for other lines, BadChoice for what is no text."""
    said = json.loads(line.decode(), parse_constant=_refused)
    try:
        json.dumps(said, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise BadChoice("half a surrogate pair is no text") from None
    return said


def _refused(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
