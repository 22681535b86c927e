"""Pipes to an untrusted program: reading is bounded, writing never blocks.

Each pipe has a thread, since Windows has no other way to read a pipe with a deadline. The pipes are unbuffered: a
blocked thread would hold the lock of a buffer until the process exits, and block the interpreter's shutdown.
"""

import threading
import time
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO

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
