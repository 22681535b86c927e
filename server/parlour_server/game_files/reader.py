"""Read match files line by line and trust nothing: anything wrong is a BadFile that names the line.

``records.game_file`` makes a file of one match: its records from ``begun`` to ``over``, one line of canonical JSON
each, chained by ``h``. Here each line is checked alone and for its place in the chain. The ``replayer`` checks
whether the records make sense.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs

from parlour_games.registry import AnyGame, games
from parlour_protocol.codec import CODECS, FROM_SERVER, JSON
from parlour_protocol.errors import BadFrame, BadMessage
from parlour_protocol.messages import Plain
from parlour_server.rooms.records import Record, canonical, link, parse

MAX_LINE = 1 << 20
"""Characters of the longest line that is read."""
MAX_LINES = 1_000_000

_decode = CODECS[JSON].decode


class BadFile(Exception):
    """Something is wrong in a match file. ``line`` counts from 1; ``reason`` says what it is."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@attrs.frozen
class FileLine:
    """One line of a match file. ``number`` counts from 1 in the file, ``n`` from 0 in the log of the room.

    ``text`` is the line as that log holds it, without the hash ``h`` (hex).
    """

    number: int
    n: int
    record: Record
    text: str
    h: str


def read(lines: Iterable[str]) -> Iterator[FileLine]:
    """Yield the lines of a match file, each checked for its form, its place in the chain, order and time.

    A line may end with a line feed. Raises BadFile.
    """
    chain = b""
    before: FileLine | None = None
    for number, line in enumerate(lines, 1):
        if number > MAX_LINES:
            raise BadFile(number, f"a match file has at most {MAX_LINES} lines")
        found = _line(number, line.removesuffix("\n"))
        chain = link(chain, found.text)
        if found.h != chain.hex():
            raise BadFile(number, "h does not follow from this line and the h before it: the file was changed")
        if before and found.n != before.n + 1:
            raise BadFile(number, f"n is {found.n} after {before.n}; it must be {before.n + 1}")
        if before and found.record.at < before.record.at:
            raise BadFile(number, f"at is {found.record.at} after {before.record.at}; it must not decrease")
        before = found
        yield found


def lines_of(path: Path) -> Iterator[str]:
    """Yield the lines of the file at ``path`` (``-``: standard input), up to the beginning of an overlong one.

    Raises OSError, and BadFile for what is no text and for a line that does not end with a line feed alone: the
    digest stands for exactly one file.
    """
    standard = str(path) == "-"
    with open(0 if standard else path, encoding="utf-8", newline="\n", closefd=not standard) as file:
        number = 1
        try:
            while line := file.readline(MAX_LINE + 2):
                overlong = len(line) > MAX_LINE + 1  # with its line feed
                if not overlong:
                    _check_end(number, line)
                yield line
                if overlong:
                    return
                number += 1
        except UnicodeDecodeError:
            raise BadFile(number, "the line is not text in UTF-8") from None


def rules(game: str, version: int) -> AnyGame | None:
    """Return the rules of ``game`` as they were in ``version``; None if they are not known here."""
    current = games().get(game)
    return current.under(version) if current is not None else None


def _check_end(number: int, line: str) -> None:
    if line.endswith("\r\n"):
        raise BadFile(
            number,
            "the line ends with CR LF; lines of a match file end with a line feed. A program has converted the file."
            " Convert it back (tr -d '\\r' <FILE >COPY) or fetch it again",
        )
    if not line.endswith("\n"):
        raise BadFile(
            number,
            "the line feed at the end of the last line is missing: the file was cut off or edited. Add it if nothing"
            " else is missing (echo >>FILE), or fetch the file again",
        )


def _line(number: int, line: str) -> FileLine:
    fields = _fields(number, line)
    h: Any = fields.pop("h", None)
    n: Any = fields.get("n")
    if type(h) is not str or type(n) is not int or n < 0:
        raise BadFile(number, "a line must have the number n, from 0, and the hash h")
    if line != canonical({**fields, "h": h}):
        raise BadFile(
            number, "the line is not canonical JSON, which has sorted keys, no spaces and no needless escapes"
        )
    text = canonical(fields)
    try:
        return FileLine(number, n, parse(text), text, h)
    except KeyError as error:
        raise BadFile(number, f"there is no record {error}"[:100]) from None
    except (BadMessage, TypeError, ValueError) as error:
        raise BadFile(number, f"the line is not a record: {error}"[:300]) from None


def _fields(number: int, line: str) -> Plain:
    if len(line) > MAX_LINE:
        raise BadFile(number, f"the line is longer than {MAX_LINE} characters")
    try:
        return _decode(line, FROM_SERVER)
    except BadFrame as error:
        raise BadFile(number, f"the line cannot be read: {error}") from None
