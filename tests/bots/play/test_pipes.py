import os
import threading
import time
from collections.abc import Iterator
from typing import IO

import pytest
from tests.support.waiting import PATIENCE, until

from parlour_bots.play.program import (
    KEPT,
    LINE_LIMIT,
    STDERR_LIMIT,
    LineReader,
    MessageWriter,
    StderrReader,
    TooLong,
    split,
)


class Pipe:
    """Both ends of a pipe, unbuffered."""

    def __init__(self) -> None:
        out, into = os.pipe()
        self.out: IO[bytes] = os.fdopen(out, "rb", buffering=0)
        self.into: IO[bytes] = os.fdopen(into, "wb", buffering=0)

    def write(self, text: bytes) -> None:
        self.into.write(text)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    made = Pipe()
    yield made
    made.into.close()


def soon() -> float:
    return time.monotonic() + PATIENCE


def test_lines_come_without_their_ends_and_the_last_may_have_none(pipe: Pipe) -> None:
    lines = LineReader(pipe.out)
    pipe.write(b"one\n\ntw")
    pipe.write(b"o\nthree")
    pipe.into.close()
    assert [lines.read(soon()) for _ in range(4)] == [b"one", b"", b"two", b"three"]
    with pytest.raises(EOFError):
        lines.read(soon())
    assert lines.ended.wait(PATIENCE)


def test_line_that_does_not_come_is_waited_for_until_the_deadline(pipe: Pipe) -> None:
    lines = LineReader(pipe.out)
    with pytest.raises(TimeoutError):
        lines.read(time.monotonic())
    pipe.write(b"now\n")
    assert lines.read(soon()) == b"now"


def test_line_without_end_is_too_long(pipe: Pipe) -> None:
    lines = LineReader(pipe.out)
    threading.Thread(target=_flood, args=(pipe, b"x" * 1000), daemon=True).start()
    with pytest.raises(TooLong):
        lines.read(soon())


def test_longest_line_is_read(pipe: Pipe) -> None:
    lines = LineReader(pipe.out)
    longest = b"x" * LINE_LIMIT
    threading.Thread(target=pipe.write, args=(longest + b"\n",), daemon=True).start()
    assert lines.read(soon()) == longest


async def test_flood_is_not_read_ahead(pipe: Pipe) -> None:
    lines = LineReader(pipe.out)
    flood = _Flood(pipe)
    await until(lambda: len(lines.discard()) == KEPT)
    for _ in range(3 * KEPT):
        lines.read(soon())
    assert flood.written < 200 * KEPT + 65_536 + 8_192 + 4 * KEPT
    lines.close()
    lines.discard()
    assert lines.ended.wait(PATIENCE)
    assert flood.ended.wait(PATIENCE)


def test_mail_reaches_who_reads_and_ends_when_closed(pipe: Pipe) -> None:
    mail = MessageWriter(pipe.into)
    mail.send(b"one\n")
    assert pipe.out.read(100) == b"one\n"
    mail.send(b"two\n")
    assert pipe.out.read(100) == b"two\n"
    mail.close()
    assert pipe.out.read(100) == b""
    pipe.out.close()


def test_who_does_not_read_gets_the_newest_mail_later(pipe: Pipe) -> None:
    mail = MessageWriter(pipe.into)
    mail.send(b"a" * 200_000)  # more than a pipe holds
    assert pipe.out.read(1) == b"a"
    for number in range(1000):
        mail.send(b"%d\n" % number)
    mail.close()
    rest = b"".join(iter(lambda: pipe.out.read(65_536), b""))
    assert rest == b"a" * 199_999 + b"999\n"
    pipe.out.close()


def test_mail_to_nobody_is_no_error(pipe: Pipe) -> None:
    mail = MessageWriter(pipe.into)
    pipe.out.close()
    mail.send(b"one\n")
    mail.send(b"two\n")
    mail.close()
    assert pipe.out.closed


def test_what_is_said_aside_is_passed_on_within_limits(pipe: Pipe) -> None:
    told: list[str] = []
    aside = StderrReader(pipe.out, told.append)
    pipe.write(b"hello\n\n\xff\n")
    for _ in range(STDERR_LIMIT // 10):
        pipe.write(b"a dozen of\n")
    pipe.write(b"last words\n")
    pipe.into.close()
    assert aside.ended.wait(PATIENCE)
    assert told[:2] == ["hello", "\N{REPLACEMENT CHARACTER}"]
    assert sum(map(len, told)) <= STDERR_LIMIT + 100
    assert told[-1].endswith("(further output is not shown)")
    assert aside.last == "last words"


def test_split_gives_up_a_long_line_in_pieces(pipe: Pipe) -> None:
    pipe.write(b"short\n" + b"y" * 25 + b"\nend")
    pipe.into.close()
    found = list(split(pipe.out, 10))
    assert found == [b"short", b"y" * 25, b"end"]
    pipe.out.close()


def _flood(pipe: Pipe, text: bytes) -> None:
    try:
        while True:
            pipe.write(text)
    except (OSError, ValueError):
        pass


class _Flood:
    def __init__(self, pipe: Pipe) -> None:
        self.written = 0
        self.ended = threading.Event()
        self._pipe = pipe
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            while True:
                self.written += self._pipe.into.write(b"0\n") or 0
        except (OSError, ValueError):
            self.ended.set()
