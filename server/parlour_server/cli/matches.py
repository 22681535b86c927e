"""``parlour matches`` and ``parlour verify``: list, export and verify finished matches."""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated

import attrs
from cyclopts import Parameter

from parlour_protocol.standard_output import document
from parlour_server.cli.decisions import CannotWrite, write_decisions
from parlour_server.game_files.reader import lines_of
from parlour_server.game_files.verify import Verdict
from parlour_server.game_files.verify import verify as checked
from parlour_server.settings import ServerSettings, Store, data_folder
from parlour_server.store.base import StoreError
from parlour_server.store.sqlite.archive import Archive, Finished, archive

OK, WRONG, USAGE = 0, 1, 2
ALL = "all"
"""The argument that stands for the digests of all matches."""
SHORTEST = 6
"""Digits of a digest that have to be given at least."""
SHOWN = 12
"""Digits of a digest that are shown in a table and named in a file."""
_BEGINNING = re.compile(f"[0-9a-f]{{{SHORTEST},64}}")
_DIGEST = re.compile("[0-9a-f]{64}")

To = Annotated[
    Path | None,
    Parameter(
        allow_leading_hyphen=True,
        help="The file; - is standard output. Default: named after the match, in the folder parlour/games of the"
        " platform's data, such as ~/.local/share/parlour/games.",
    ),
]
Json = Annotated[bool, Parameter("--json", negative="", help="Print JSON.")]


def games(
    *,
    game: Annotated[str | None, Parameter(help="Only matches of this game.")] = None,
    contest: Annotated[str | None, Parameter(help="Only matches of this contest.")] = None,
    limit: Annotated[int, Parameter(help="How many matches, latest first; 0 lists all.")] = 20,
    store: Store = "",
    as_json: Json = False,
) -> int:
    """List the finished matches of a store, which a server may be using. The verbs below get match files.

    Examples:
    parlour matches
    parlour matches --game uno --limit 5 --json
    parlour matches --contest friday --limit 0
    parlour matches export 8f31c2
    parlour matches fetch DIGEST --server parlour.example.org
    """
    try:
        with archive(_url(store)) as found:
            matches = found.matches(game, limit or -1, contest)
    except StoreError as error:
        return _complain(str(error), USAGE)
    if as_json:
        sys.stdout.write(json.dumps([attrs.asdict(match) for match in matches]) + "\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in _table(matches))
    return OK


def export(
    digest: Annotated[
        str,
        Parameter(
            help=f"The digest of a match, or at least its first {SHORTEST} digits. With --decisions {ALL} means every"
            " match."
        ),
    ],
    /,
    *,
    to: To = None,
    decisions: Annotated[
        bool,
        Parameter(
            negative="",
            help="Write the decisions of players instead: view, legal actions, act and result, one JSON object a line,"
            " or Parquet if --to ends with .parquet. Only of matches that verify.",
        ),
    ] = False,
    game: Annotated[str | None, Parameter(help="With all: only matches of this game.")] = None,
    store: Store = "",
) -> int:
    """Write the file of a finished match from a store. An existing file is never overwritten.

    Examples:
    parlour matches export 8f31c2
    parlour matches export 8f31c2 --to - | parlour verify -
    parlour matches export all --decisions --game uno --to uno.parquet
    """
    every = decisions and digest == ALL
    if not every and not _BEGINNING.fullmatch(digest):
        word = f", or {ALL} for every match" if decisions else ""
        return _complain(f"{digest!a} is not a digest: {SHORTEST} to 64 hex digits{word}", USAGE)
    try:
        with archive(_url(store)) as found:
            if decisions:
                digests = [each.digest for each in found.matches(game)] if every else [_only(found, digest)]
                return write_decisions(found, digests, to or _folder() / f"decisions-{digest}.jsonl")
            full = _only(found, digest)
            lines = found.file(full)
    except (StoreError, LookupError, CannotWrite) as error:
        return _complain(str(error.args[0]), USAGE)
    if not lines:
        return _complain(f"the record of {full} was deleted because of its age; only its result is left", USAGE)
    return _write(lines, full, to)


def verify(
    file: Annotated[Path, Parameter(allow_leading_hyphen=True, help="The match file; - is standard input.")],
    /,
    *,
    digest: Annotated[str | None, Parameter(help="The digest shown at the end of the match.")] = None,
    as_json: Json = False,
) -> int:
    """Verify a match file: that nothing was changed, and that every deal, move and result is right.

    Examples:
    parlour verify uno-8f31c2a90b17.jsonl
    parlour verify uno-8f31c2a90b17.jsonl --digest DIGEST
    parlour verify - --json <match.jsonl
    """
    if digest is not None and not _DIGEST.fullmatch(digest):
        return _complain(f"{digest!a} is not a digest: 64 hex digits", USAGE)
    try:
        verdict = checked(lines_of(file), digest)
    except OSError as error:
        return _complain(f"{file} cannot be read: {error.strerror}", USAGE)
    if as_json:
        sys.stdout.write(json.dumps({"file": str(file), **attrs.asdict(verdict)}) + "\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in _report(file, verdict, digest))
    return OK if verdict.ok else WRONG


def _report(file: Path, verdict: Verdict, digest: str | None) -> Iterator[str]:
    what = "standard input" if str(file) == "-" else str(file)
    if not verdict.ok:
        where = what if verdict.digest else f"{what}, line {verdict.line}"
        yield f"{where}: {verdict.wrong}."
        return
    if digest is None:
        yield (
            f"{what} is consistent; it is not proved that this match was played. Compare its digest {verdict.digest}"
            " with the one that you were shown, or give that one with --digest."
        )
    else:
        yield f"{what} is right. Its digest is {verdict.digest}."
    yield from (f"  proved: {sentence}" for sentence in verdict.proved)
    yield from (f"  not proved: {sentence}" for sentence in verdict.doubts)


def _table(matches: Iterable[Finished]) -> Iterator[str]:
    rows = [(_when(match), match.game, match.room, match.digest[:SHOWN], _standings(match)) for match in matches]
    if not rows:
        yield "No match has finished yet."
        return
    head = ("when", "game", "room", "digest", "players, best first")
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    for row in (head, *rows):
        yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()


def _when(match: Finished) -> str:
    return datetime.fromtimestamp(match.ended).astimezone().strftime("%Y-%m-%d %H:%M")


def _standings(match: Finished) -> str:
    if not match.rated:
        return f"{', '.join(player.name for player in match.players)}: aborted, does not count"
    ranked = sorted(match.players, key=lambda player: (player.rank, player.seat))
    return ", ".join(f"{player.rank}. {player.name} {player.score}" for player in ranked)


def _only(found: Archive, beginning: str) -> str:
    """Return the one digest that begins so. Raises LookupError."""
    digests = found.digests(beginning)
    if len(digests) != 1:
        which = "no finished match has" if not digests else "several finished matches have"
        raise LookupError(f"{which} a digest that begins with {beginning}; see: parlour matches")
    return digests[0]


def _write(lines: list[str], digest: str, to: Path | None) -> int:
    text = "".join(f"{line}\n" for line in lines)
    if to is not None and str(to) == "-":
        document().write(text)
        return OK
    game = json.loads(lines[0])["game"]
    path = to or _folder() / f"{game}-{digest[:SHOWN]}.jsonl"
    try:
        if to is None:
            path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        there = isinstance(error, FileExistsError) and path.exists()
        why = "already exists; name another file with --to" if there else f"cannot be written: {error.strerror}"
        return _complain(f"{path} {why}", USAGE)
    sys.stdout.write(f"{path}\nCheck it with: parlour verify {path} --digest {digest}\n")
    return OK


def _folder() -> Path:
    """Return the folder of exported files."""
    return data_folder() / "games"


def _url(store: str) -> str:
    return ServerSettings(store=store).store_url()


def _complain(text: str, code: int) -> int:
    sys.stderr.write(f"parlour: {text}\n")
    return code
