"""Run a program that plays one match: start it, ask it, and stop it with all its child processes.

Its pipes are read within bounds, and writing to them never blocks.

Each pipe has a thread, since Windows has no other way to read a pipe with a deadline. The pipes are unbuffered: a
blocked thread would hold the lock of a buffer until the process exits, and block the interpreter's shutdown.
"""

import json
import signal
import sys
import threading
import time
import weakref
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from time import monotonic
from typing import IO, Any

import attrs

from parlour_bots.errors import BadChoice, Broken, Late
from parlour_bots.play.child import EXITS_WITHIN, Child, start
from parlour_bots.play.limits import Limits
from parlour_bots.sdk import Choice
from parlour_client.core.printing import clean
from parlour_protocol.messages import Plain

LINE_LIMIT = 65_536
"""The longest line, in bytes."""
KEPT = 16
"""Lines read ahead. A program that writes more blocks, and costs nothing meanwhile."""
STDERR_LIMIT = 8_192
"""Bytes of stderr that are forwarded."""
_STDERR_LINE = 1_000
_CHUNK = 8_192
_PAUSE = 0.001


class TooLong(Exception):
    """A line is longer than LINE_LIMIT."""


def split(pipe: IO[bytes], longest: int) -> Iterator[bytes]:
    """Yield the lines of an unbuffered pipe without line ends; a line over ``longest`` comes in pieces over it."""
    rest = b""
    while chunk := pipe.read(_CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
        if len(rest) > longest:
            yield rest
            rest = b""
    if rest:
        yield rest


class LineReader:
    """Reads the stdout of a program, line by line. A byte order mark of UTF-8 at its beginning is ignored."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._waiting: deque[bytes] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._end: type[Exception] | None = None
        self.ended = threading.Event()
        """Set when reading is over: at the end of the output, or after ``close``."""
        threading.Thread(target=self._read, daemon=True, name="stdout").start()

    def read(self, until: float) -> bytes:
        """Return the next line, without its end.

        Raises TimeoutError if there is none ``until`` (seconds, monotonic), EOFError at the end of the output, and
        TooLong.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._end, max(0.0, until - time.monotonic()))
            if self._waiting:
                self._changed.notify_all()
                return self._waiting.popleft()
        raise self._end or TimeoutError

    def discard(self) -> list[bytes]:
        """Remove and return the lines that have arrived."""
        with self._changed:
            lines = list(self._waiting)
            self._waiting.clear()
            self._changed.notify_all()
        return lines

    def close(self) -> None:
        """Stop reading: a program that keeps writing gets a broken pipe."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _read(self) -> None:
        end: type[Exception] = EOFError
        with suppress(OSError, ValueError), self._pipe:
            for number, line in enumerate(split(self._pipe, LINE_LIMIT)):
                if len(line) > LINE_LIMIT:
                    end = TooLong
                    break
                if not self._keep(line if number else line.removeprefix(BOM_UTF8)):
                    break
        with self._changed:
            self._end = end
            self._changed.notify_all()
        self.ended.set()

    def _keep(self, line: bytes) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) < KEPT or self._closed)
            self._waiting.append(line)
            self._changed.notify_all()
            return not self._closed


class MessageWriter:
    """Writes to the stdin of a program that may not read it: only the newest unsent message is kept."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._next: bytes | None = None
        self._changed = threading.Condition()
        self._closed = False
        threading.Thread(target=self._write, daemon=True, name="stdin").start()

    def send(self, message: bytes) -> None:
        """Send ``message`` as soon as the program reads."""
        with self._changed:
            self._next = message
            self._changed.notify_all()

    def close(self) -> None:
        """Close the pipe after the message that is being written."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _write(self) -> None:
        with suppress(OSError, ValueError), self._pipe:
            while message := self._take():
                left = memoryview(message)
                while left:
                    left = left[self._pipe.write(left) :]

    def _take(self) -> bytes | None:
        with self._changed:
            self._changed.wait_for(lambda: self._next or self._closed)
            message, self._next = self._next, None
            return message


class StderrReader:
    """Reads the stderr of a program: forwards a limited part of it and remembers the last line."""

    def __init__(self, pipe: IO[bytes], forward: Callable[[str], None]) -> None:
        self._pipe = pipe
        self._forward = forward
        self._left = STDERR_LIMIT
        self.last = ""
        """The last non-empty line."""
        self.ended = threading.Event()
        threading.Thread(target=self._read, daemon=True, name="stderr").start()

    def _read(self) -> None:
        with suppress(OSError, ValueError), self._pipe:
            for line in split(self._pipe, _STDERR_LINE):
                self._receive(line)
                if self._left <= 0:
                    time.sleep(_PAUSE)  # an endless writer must not keep this thread busy
        self.ended.set()

    def _receive(self, line: bytes) -> None:
        text = line.decode(errors="replace").strip()
        self.last = text or self.last
        if text and self._left > 0:
            self._left -= len(line)
            self._forward(text if self._left > 0 else f"{text} (further output is not shown)")


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
