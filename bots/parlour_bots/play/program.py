"""Run a program that plays one match: start it, ask it, and stop it with all its child processes."""

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
from parlour_bots.play.pipes import LINE_LIMIT, LineReader, MessageWriter, StderrReader, TooLong
from parlour_bots.sdk import Choice
from parlour_client.core.sanitize import clean
from parlour_protocol.messages import Plain

START = 5_000
"""Extra milliseconds for the first answer, since the program has to start."""
EXITS_WITHIN = 0.2
"""Seconds for a program to exit after its input has ended."""
LINES_A_TURN = 1_000
"""Lines that are read in search of an answer."""
NOISE_SHOWN = 20
"""Lines without an answer that are printed for the bot's author."""
_SHOWN = 200
_POLL = 0.002


@attrs.define
class _Running:
    """A child process and its pipes. Separate from ``Program``, whose finalizer stops it."""

    child: "subprocess.Popen[bytes]"
    writer: MessageWriter
    lines: LineReader
    stderr: StderrReader
    patience: float = EXITS_WITHIN

    def stop(self) -> str:
        """Close the pipes, give the program time to exit, then kill its process group. Return how it ended."""
        self.writer.close()
        self.lines.close()
        self.lines.ended.wait(self.patience)
        exited = _exits(self.child, self.patience)
        _kill(self.child)
        code = self.child.wait()
        if not exited:
            return "closed its standard output"
        return f"exited with code {code}" if code >= 0 else f"was killed by {_signal(-code)}"

    def last_line(self) -> str:
        """Return the last line on stderr, for the report of a crash."""
        self.stderr.ended.wait(EXITS_WITHIN)
        return f": {clean(self.stderr.last, _SHOWN)}" if self.stderr.last else ""


class Program:
    """A running program. It stops when this object is garbage collected, or with this process."""

    def __init__(self, command: Sequence[str], name: str, greeting: Plain, start: int = START) -> None:
        """Start the program. Raises Broken on failure."""
        self._name = name
        self._greeting = _line(greeting)
        self._start = start
        self._running = _run(command, name)
        self._stop = weakref.finalize(self, self._running.stop)
        self.answers = 0
        self.names_turns = False
        """Whether its answers name their turns."""
        self.wrote = ""
        """The last answer, as written."""
        self._noise = 0
        self._strayed = False

    def ask(self, turn: Plain, budget: int) -> Choice:
        """Return the answer to a turn within ``budget`` milliseconds. Raises Late, Broken, BadChoice."""
        if self.answers:
            self._discard_output()
        self._running.writer.send(self._greeting + _line(turn))
        self._greeting = b""
        try:
            choice: Choice = self._answer(turn["rid"], budget / 1000)
        except TimeoutError:
            raise Late(f"no answer within {budget} ms. Does it flush each line it writes?") from None
        except TooLong:
            raise Broken(f"wrote a line of more than {LINE_LIMIT} bytes") from None
        except EOFError:
            raise Broken(f"{self._stop() or 'has exited'}{self._running.last_line()}") from None
        self.answers += 1
        return choice

    def kill(self) -> None:
        """Stop the program without giving it time to exit."""
        self._running.patience = 0
        self._stop()

    def _answer(self, rid: int, budget: float) -> Any:
        nonsense = ""
        until = monotonic() + budget + (0 if self.answers else self._start / 1000)
        for _ in range(LINES_A_TURN):
            try:
                line = self._running.lines.read(until)
            except TimeoutError:
                if nonsense:
                    break
                raise
            text = clean(line.decode(errors="replace").strip(), _SHOWN)
            try:
                said = _read(line)
            except (ValueError, RecursionError):
                if b"\0" in line:
                    raise BadChoice("the program writes UTF-16. Let it write UTF-8") from None
                nonsense = text or nonsense
                until = min(until, monotonic() + budget)  # it has started
                self._print(text)
                continue
            self.wrote = text
            if not isinstance(said, dict) or "rid" not in said:
                return said  # the caller validates it
            self.names_turns = True
            if said["rid"] == rid:
                return said.get("act"), said.get("why")
        if nonsense:
            raise BadChoice(f"{nonsense!r} is not JSON. Write only answers to stdout, the rest to stderr")
        raise Broken(f"wrote {LINES_A_TURN} lines and no answer")

    def _discard_output(self) -> None:
        """Discard output that was written before the question."""
        stray = [line for line in self._running.lines.discard() if line.strip()]
        if stray and not self._strayed:
            self._strayed = True
            self._print(f"{clean(stray[0].decode(errors='replace'), _SHOWN)} (more than one line for a turn)")

    def _print(self, text: str) -> None:
        """Print output that is not an answer, as if a Python bot had printed it."""
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
        raise Broken(f"cannot be started: {error}") from None
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    stderr = StderrReader(child.stderr, lambda text: _say(f"{name}| {clean(text)}\n"))
    return _Running(child, MessageWriter(child.stdin), LineReader(child.stdout), stderr)


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # one of those without a name
        return f"signal {number}"


def _say(text: str) -> None:
    with suppress(OSError, ValueError):
        sys.stderr.write(text)


def _own_group() -> dict[str, Any]:
    """Return the Popen arguments for a process group of its own: Ctrl-C skips it, and it can be killed whole."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _exits(child: "subprocess.Popen[bytes]", within: float) -> bool:
    """Return whether ``child`` exits within these seconds.

    On POSIX it is not reaped, so that its process id is not reused before its group is killed.
    """
    until = monotonic() + within
    while not _has_exited(child):
        if monotonic() >= until:
            return False
        time.sleep(_POLL)
    return True


def _has_exited(child: "subprocess.Popen[bytes]") -> bool:
    if sys.platform == "win32" or not hasattr(os, "waitid"):  # macOS has it since Python 3.13
        return child.poll() is not None
    if child.returncode is not None:
        return True
    return os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _kill(child: "subprocess.Popen[bytes]") -> None:
    """Kill the process group of ``child``, which may have exited before the rest of its group."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(child.pid)], capture_output=True, check=False)
        return
    with suppress(ProcessLookupError, PermissionError):  # all have exited
        os.killpg(child.pid, signal.SIGKILL)


def _line(plain: Plain) -> bytes:
    return f"{json.dumps(plain, separators=(',', ':'))}\n".encode()


def _read(line: bytes) -> Any:
    """Return the JSON value of a line. Raises ValueError or RecursionError, and BadChoice for invalid Unicode."""
    said = json.loads(line.decode(), parse_constant=_refused)
    try:
        json.dumps(said, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise BadChoice("the answer has half a surrogate pair") from None
    return said


def _refused(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
