"""Pipes to a program that nobody answers for: what is read is bounded, and writing never waits.

Threads do it, for Windows knows no other way to wait for a pipe with a deadline. The pipes are unbuffered: a buffer has
a lock, which a thread that is stuck would take with it to the end of the process.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO

LINE_LIMIT = 65_536
"""Bytes of the longest line that is read."""
KEPT = 16
"""Lines that are read ahead. A program that writes more has to wait, and costs nothing meanwhile."""
ASIDE_LIMIT = 8_192
"""Bytes that a program may say aside and have passed on."""
_ASIDE_LINE = 1_000
_CHUNK = 8_192
_PAUSE = 0.001


class TooLong(Exception):
    """A line is longer than LINE_LIMIT."""


def split(pipe: IO[bytes], longest: int) -> Iterator[bytes]:
    """Yield the lines of an unbuffered pipe without their ends, and a longer one than ``longest`` in pieces longer."""
    rest = b""
    while chunk := pipe.read(_CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
        if len(rest) > longest:
            yield rest
            rest = b""
    if rest:
        yield rest


class Lines:
    """What a program writes, line by line."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._waiting: deque[bytes] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._end: type[Exception] | None = None
        self.ended = threading.Event()
        """Set when nothing is read any more: the program has ended, or closed its output, or we have."""
        threading.Thread(target=self._read, daemon=True, name="lines").start()

    def take(self, until: float) -> bytes:
        """Return the next line, without its end.

        Raises TimeoutError when there is none ``until`` (seconds, monotonic), EOFError when there will be none, and
        TooLong.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._end, max(0.0, until - time.monotonic()))
            if self._waiting:
                self._changed.notify_all()
                return self._waiting.popleft()
        raise self._end or TimeoutError

    def discard(self) -> list[bytes]:
        """Take all that has come by now, and return it."""
        with self._changed:
            lines = list(self._waiting)
            self._waiting.clear()
            self._changed.notify_all()
        return lines

    def close(self) -> None:
        """Read no more: a program that writes on is told so by its system."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _read(self) -> None:
        end: type[Exception] = EOFError
        with suppress(OSError, ValueError), self._pipe:
            for line in split(self._pipe, LINE_LIMIT):
                if len(line) > LINE_LIMIT:
                    end = TooLong
                    break
                if not self._keep(line):
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


class Mailbox:
    """Writes to a program that may not read. Of what waits to be written, only the newest message is kept."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._next: bytes | None = None
        self._changed = threading.Condition()
        self._closed = False
        threading.Thread(target=self._write, daemon=True, name="mailbox").start()

    def put(self, message: bytes) -> None:
        """Send ``message``, now or when the program reads again."""
        with self._changed:
            self._next = message
            self._changed.notify_all()

    def close(self) -> None:
        """Close the pipe, once what is being written is written."""
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


class Aside:
    """What a program says besides its answers: passed on within limits, and the last of it remembered."""

    def __init__(self, pipe: IO[bytes], tell: Callable[[str], None]) -> None:
        self._pipe = pipe
        self._tell = tell
        self._left = ASIDE_LIMIT
        self.last = ""
        """The last line that is not empty."""
        self.ended = threading.Event()
        threading.Thread(target=self._read, daemon=True, name="aside").start()

    def _read(self) -> None:
        with suppress(OSError, ValueError), self._pipe:
            for line in split(self._pipe, _ASIDE_LINE):
                self._take(line)
                if self._left <= 0:
                    time.sleep(_PAUSE)  # who talks on and on is not to keep us busy
        self.ended.set()

    def _take(self, line: bytes) -> None:
        text = line.decode(errors="replace").strip()
        self.last = text or self.last
        if text and self._left > 0:
            self._left -= len(line)
            self._tell(text if self._left > 0 else f"{text} (what follows is not shown)")
