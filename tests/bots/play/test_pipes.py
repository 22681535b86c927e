import os
import threading
import time
from collections.abc import Iterator
from typing import IO

import pytest
from tests.support.waiting import PATIENCE, until

from parlour_bots.play.program import (
    KEPT,
    STDERR_LIMIT,
    LineReader,
    MessageWriter,
    StderrReader,
    split,
)


class Pipe:
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


async def test_flood_is_not_read_ahead(pipe: Pipe) -> None:
    lines = LineReader(pipe.out)
    flood = _Flood(pipe)
    await until(lambda: len(lines.discard()) == KEPT)
    for _ in range(3 * KEPT):
        lines.read(time.monotonic() + PATIENCE)
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
