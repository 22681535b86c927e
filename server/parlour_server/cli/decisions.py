"""``parlour matches export --decisions``: the decisions of finished matches as JSON lines or Parquet."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import attrs

from parlour_games.plural import counted
from parlour_protocol.installation import extra_hint
from parlour_protocol.messages import Plain
from parlour_protocol.standard_output import document
from parlour_server.game_files.decisions import Answered, answered
from parlour_server.game_files.reader import BadFile
from parlour_server.store.sqlite.archive import Archive

OK, WRONG, INTERRUPTED = 0, 1, 130
PARQUET = ".parquet"


class CannotWrite(Exception):
    """The file cannot be written. The text says why, and what to do."""


class Writer(Protocol):
    """Writes the decisions of one match after another."""

    def write(self, rows: Sequence[Plain]) -> None:
        """Write the decisions of a match."""


@attrs.define
class Counts:
    """The matches exported so far."""

    matches: int = 0
    decisions: int = 0
    old: int = 0
    """Matches whose records are no longer kept."""
    wrong: list[str] = attrs.field(factory=list)
    """The digests of matches that do not verify."""

    def __str__(self) -> str:
        left_out = [f"{counted(self.old, 'match', 'matches')} whose record is no longer kept"] if self.old else []
        left_out += [f"{digest}, which does not verify" for digest in self.wrong]
        written = f"{counted(self.decisions, 'decision')} of {counted(self.matches, 'match', 'matches')}."
        return f"{written} Left out: {'; '.join(left_out)}." if left_out else written


def write_decisions(found: Archive, digests: Sequence[str], to: Path) -> int:
    """Write the decisions of these matches and return the exit code. Ctrl-C keeps whole matches. Raises CannotWrite."""
    counts, code = Counts(), OK
    with _writer(to) as writer, _progress(len(digests)) as step:
        try:
            for digest in digests:
                _write_match(found, digest, writer, counts)
                step()
        except KeyboardInterrupt:
            code = INTERRUPTED
    done = f"Interrupted at {counts.matches} of {counted(len(digests), 'match', 'matches')}: " if code else ""
    (sys.stderr if str(to) == "-" else sys.stdout).write(f"{to}: {done}{counts}\n")
    return code or (WRONG if counts.wrong else OK)


def _write_match(found: Archive, digest: str, writer: Writer, counts: Counts) -> None:
    lines = found.file(digest)
    if not lines:
        counts.old += 1
        return
    try:
        rows = [_row(each) for each in answered(lines, digest)]
    except BadFile:
        counts.wrong.append(digest)
        return
    writer.write(rows)
    counts.matches += 1
    counts.decisions += len(rows)


def _row(decision: Answered) -> Plain:
    plain = decision.plain()
    result = {name: plain.pop(name) for name in ("rank", "score", "why")}
    return {**plain, "result": result}


@attrs.frozen
class _Lines:
    """JSON, one decision a line."""

    _out: Any

    def write(self, rows: Sequence[Plain]) -> None:
        self._out.write("".join(json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n" for row in rows))


class _Parquet:
    """Parquet, a row group for each match. What depends on the game is a column of JSON."""

    def __init__(self, out: Any) -> None:
        import pyarrow  # an extra that only this needs
        import pyarrow.parquet

        self._arrow = pyarrow
        types = {int: pyarrow.int64(), str: pyarrow.string(), bool: pyarrow.bool_()}
        columns = {name: types.get(hint, pyarrow.string()) for name, hint in Answered.__annotations__.items()}
        self._schema = pyarrow.schema(list(columns.items()))
        self._file = pyarrow.parquet.ParquetWriter(out, self._schema)

    def write(self, rows: Sequence[Plain]) -> None:
        flat = [{**row, **row["result"]} for row in rows]
        texts = [
            {
                name: json.dumps(row[name], separators=(",", ":")) if isinstance(row[name], dict | list) else row[name]
                for name in self._schema.names
            }
            for row in flat
        ]
        self._file.write_table(self._arrow.Table.from_pylist(texts, self._schema))

    def close(self) -> None:
        """Write the end of the file, without which it cannot be read."""
        self._file.close()


@contextmanager
def _writer(to: Path) -> Iterator[Writer]:
    """Open a new file. Raises CannotWrite."""
    if str(to) == "-":
        yield _Lines(document())
        return
    parquet = to.suffix == PARQUET
    if parquet and find_spec("pyarrow") is None:
        raise CannotWrite(
            f"Parquet needs pyarrow; JSON lines need nothing: name a file .jsonl. {extra_hint('parquet')}"
        )
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        with to.open("xb") if parquet else to.open("x", encoding="utf-8", newline="\n") as out:
            if not parquet:
                yield _Lines(out)
                return
            table = _Parquet(out)
            try:
                yield table
            finally:
                table.close()
    except FileExistsError:
        raise CannotWrite(f"{to} already exists; name another file with --to") from None
    except OSError as error:
        raise CannotWrite(f"{to} cannot be written: {error.strerror}") from None


@contextmanager
def _progress(matches: int) -> Iterator[Any]:
    """Yield a function to call after each match: it moves a bar if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console  # takes a while to import
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Verifying and writing matches", total=matches)
        yield lambda: bar.advance(task)
