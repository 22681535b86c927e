"""The file of a contest: its settings in the first line, then one line per game, in order.

An interrupted contest continues at the end of its file. An incomplete last line, left by a crash, is dropped and its
game played again.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import attrs

from parlour_bots.arena.league.game import Outcome
from parlour_client.core.errors import Usage, writing
from parlour_protocol.errors import BadMessage
from parlour_protocol.messages import Plain
from parlour_protocol.wire import strict

_LONGEST = 1 << 20
"""Bytes of the longest first line of a contest file. A device may have no end."""
_read = strict(Outcome)


@attrs.define
class Journal:
    """An open contest file: read it to the end, then write."""

    _path: Path
    _file: BinaryIO

    def read(self) -> Iterator[Outcome]:
        """Yield the outcomes in the file, then position it for the next one. Raises Usage."""
        self._file.seek(0)
        end = len(self._file.readline())
        for number, line in enumerate(self._file):
            if not line.endswith(b"\n"):
                break
            yield _outcome(self._path, number, line)
            end += len(line)
        self._file.seek(end)
        self._file.truncate()

    def write(self, outcome: Outcome) -> None:
        """Append an outcome and flush it. Raises Usage."""
        with writing(self._path):
            self._file.write(_line(outcome.plain()))
            self._file.flush()


def settings(path: Path) -> Plain | None:
    """Return the settings in a contest file, None if it has none yet. Raises Usage."""
    try:
        with path.open("rb") as file:
            first = file.readline(_LONGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Usage(f"{path} cannot be read: {error}") from None
    return _head(path, first) if first.endswith(b"\n") else None


@contextmanager
def opened(path: Path, wanted: Plain) -> Iterator[Journal]:
    """Open a contest file with these settings, creating it if necessary. Raises Usage."""
    present = settings(path)
    if present is not None:
        _same(path, present, wanted)
    with writing(path):
        file = path.open("r+b" if path.exists() else "w+b")
    try:
        if present is None:
            _start_over(path, file, wanted)
        yield Journal(path, file)
    finally:
        with writing(path):
            file.close()


def _start_over(path: Path, file: BinaryIO, wanted: Plain) -> None:
    """Write the settings to an empty file, or one with a part of them. Raises Usage for other files."""
    head = _line(wanted)
    file.seek(0)
    if not head.startswith(file.read(len(head))):
        raise Usage(f"{path} is not a contest file: --out would overwrite it")
    file.seek(0)
    with writing(path):
        file.write(head)
        file.flush()


def _head(path: Path, line: bytes) -> Plain:
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or "arena" not in head:
        raise Usage(f"{path} is not a contest file: --out would overwrite it")
    return head


def _same(path: Path, present: Plain, wanted: Plain) -> None:
    for name in wanted | present:
        if present.get(name) != wanted.get(name):
            raise Usage(
                f"{path} has a contest with other settings: {name} is {_json(present.get(name))}, "
                f"not {_json(wanted.get(name))}. Choose another file"
            )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _outcome(path: Path, number: int, line: bytes) -> Outcome:
    try:
        outcome = _read(json.loads(line))
    except (BadMessage, ValueError, RecursionError) as error:
        raise Usage(f"{path}:{number + 2}: {error}") from None
    if outcome.game != number:
        raise Usage(f"{path}:{number + 2}: this is game {outcome.game}, not {number}")
    return outcome


def _line(plain: Plain) -> bytes:
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
