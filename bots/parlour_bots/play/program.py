"""Run a program that plays one match: start it, ask it, and stop it with all its child processes."""

import json
import signal
import sys
import weakref
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

import attrs

from parlour_bots.errors import BadChoice, Broken, Late
from parlour_bots.play.child import EXITS_WITHIN, Child, start
from parlour_bots.play.limits import Limits
from parlour_bots.play.pipes import LINE_LIMIT, LineReader, MessageWriter, StderrReader, TooLong
from parlour_bots.sdk import Choice
from parlour_client.core.sanitize import clean
from parlour_protocol.messages import Plain

START = 5_000
"""Extra milliseconds for the first answer, since the program has to start."""
LINES_A_TURN = 1_000
"""Lines that are read in search of an answer."""
NOISE_SHOWN = 20
"""Lines without an answer that are printed for the bot's author."""
_SHOWN = 200


@attrs.define
class _Running:
    """A child process and its pipes. Separate from ``Program``, whose finalizer stops it."""

    child: Child
    writer: MessageWriter
    lines: LineReader
    stderr: StderrReader
    at_once: bool = False
    """Whether the program has no time to exit."""

    def stop(self) -> str:
        """Close the pipes, give the program time to exit, then kill its processes. Return how it ended."""
        self.writer.close()
        self.lines.close()
        code = self.child.end(at_once=self.at_once)
        if code is None:
            return "closed its standard output"
        return f"exited with code {code}" if code >= 0 else f"was killed by {_signal(-code)}"

    def last_line(self) -> str:
        """Return the last line on stderr, for the report of a crash."""
        self.stderr.ended.wait(EXITS_WITHIN)
        return f": {clean(self.stderr.last, _SHOWN)}" if self.stderr.last else ""


class Program:
    """A running program. It stops when this object is garbage collected, or with this process."""

    def __init__(
        self, command: Sequence[str], name: str, greeting: Plain, start: int = START, limits: Limits | None = None
    ) -> None:
        """Start the program. Raises Broken on failure, and NotConfined."""
        self._name = name
        self._greeting = _line(greeting)
        self._start = start
        self._running = _run(command, name, limits)
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
        self._running.at_once = True
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


def _run(command: Sequence[str], name: str, limits: Limits | None) -> _Running:
    child = start(command, limits)
    process = child.process
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    stderr = StderrReader(process.stderr, lambda text: _say(f"{name}| {clean(text)}\n"))
    return _Running(child, MessageWriter(process.stdin), LineReader(process.stdout), stderr)


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # one of those without a name
        return f"signal {number}"


def _say(text: str) -> None:
    with suppress(OSError, ValueError):
        sys.stderr.write(text)


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
