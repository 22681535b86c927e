"""Mistakes of bots: the source line, the reason, and the turn, for the bot's author."""

import functools
import inspect
import json
import linecache
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Literal, TypeAlias

import attrs

import parlour_client
import parlour_games
import parlour_protocol
from parlour_bots.sdk import Turn

_OURS = (Path(__file__), *(Path(str(each.__file__)) for each in (parlour_client, parlour_games, parlour_protocol)))
_OUR_FOLDERS = tuple(file.parent for file in _OURS)
_OTHERS = (*_OUR_FOLDERS, Path(attrs.__file__).parents[1], Path(json.__file__).parents[1])
"""Folders with code that is not a bot's author's: the bundled bots and their SDK, packages, the standard library."""
MISTAKES_SHOWN = 5
"""The number of a bot's mistakes that are printed. Further ones are only counted."""


Kind: TypeAlias = Literal["late", "broken", "illegal"]
"""The ways in which a bot can fail a turn: no answer in time, a crash, or an illegal answer."""


class BadChoice(Exception):
    """The bot returned something that is not an answer to its turn."""


class Late(Exception):
    """The answer took longer than the turn allowed."""


class Broken(Exception):
    """There will be no answer: the bot's program has exited, or its output cannot be read.

    ``calls``: the author's lines that led there, outermost first, if the bot raised in a process of its own.
    """

    def __init__(self, what: str = "", calls: Sequence["SourceLine"] = ()) -> None:
        super().__init__(what)
        self.calls = calls


@attrs.frozen
class SourceLine:
    """A source line: its location, such as ``hello.py:7``, and its text."""

    where: str
    text: str


@attrs.frozen
class Mistake:
    """An exception or an illegal answer of a bot, and the turn at which it happened."""

    what: str
    place: SourceLine
    turn: Turn
    error: Exception | None = attrs.field(default=None, eq=False, repr=False)
    """The exception that the bot raised, with its traceback."""

    @property
    def kind(self) -> Kind:
        """Return the kind of mistake, read from the start of ``what``."""
        named: dict[str, Kind] = {"illegal answer": "illegal", Late.__name__: "late"}
        return named.get(self.what.partition(":")[0], "broken")

    def __str__(self) -> str:
        """Return the report for the author: location, error, source line if known, and turn."""
        turn = json.dumps(self.turn.plain(), separators=(",", ":"), default=repr)
        calls = (f"  called from {call.where}: {call.text}\n" for call in reversed(author_calls(self.error)[:-1]))
        return f"{self.short}\n{''.join(calls)}  turn: {turn}"

    @property
    def short(self) -> str:
        """Return the report without the turn."""
        line = f"\n    {self.place.text}" if self.place.text else ""
        return f"{self.place.where}: {self.what}{line}"


def place(culprit: Callable[..., Any], error: BaseException) -> SourceLine:
    """Return the line in the file of ``culprit`` that raised ``error``, else the line of its definition."""
    return _declared_place(culprit) or place_in(_source(culprit)[0], error) or definition(culprit)


def author_calls(error: BaseException | None) -> list[SourceLine]:
    """Return the lines of a traceback that are the author's, outermost first: neither parlour's nor a library's."""
    if isinstance(error, Broken) and error.calls:
        return [*error.calls]
    return _by_authors(traceback.extract_tb(error.__traceback__)) if error else []


def whereabouts(thread: threading.Thread) -> list[SourceLine]:
    """Return the author's lines that ``thread`` is executing, outermost first."""
    frame = sys._current_frames().get(thread.ident or 0)
    return _by_authors(traceback.extract_stack(frame)) if frame else []


def author_calling(frame: FrameType) -> SourceLine | None:
    """Return the author's line for which ``frame`` works; None if parlour itself called it."""
    for each, number in traceback.walk_stack(frame):
        file = each.f_code.co_filename
        if _by_author(file):
            return _line(file, number)
        if any(Path(file).is_relative_to(folder) for folder in _OUR_FOLDERS):
            return None
    return None


def _by_authors(frames: traceback.StackSummary) -> list[SourceLine]:
    return [_line(frame.filename, frame.lineno) for frame in frames if frame.lineno and _by_author(frame.filename)]


def _by_author(file: str) -> bool:
    path = Path(file)
    return path.is_file() and not any(path.is_relative_to(folder) for folder in _OTHERS)


def place_in(file: str, error: BaseException) -> SourceLine | None:
    """Return the innermost line of ``file`` in the traceback of ``error``, or the line of a syntax error."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return _line(file, error.lineno or 1)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == file and frame.lineno:
            return _line(file, frame.lineno)
    return None


def definition(culprit: Callable[..., Any]) -> SourceLine:
    """Return the line where ``culprit`` is defined, or the ``place`` that a bot declares."""
    if declared := _declared_place(culprit):
        return declared
    file, number = _source(culprit)
    return _line(file, number) if number else SourceLine(repr(culprit), "")


def _declared_place(culprit: Callable[..., Any]) -> SourceLine | None:
    """Return the ``place`` of a bot in another process, whose adapter in this one is not its author's code."""
    found = getattr(getattr(inspect.unwrap(culprit), "__self__", None), "place", None)
    return found if isinstance(found, SourceLine) else None


def _source(culprit: Callable[..., Any]) -> tuple[str, int]:
    """Return file and line, or ("", 0) for an object without Python source."""
    found = _defined(culprit)
    if code := getattr(found, "__code__", None):
        return code.co_filename, code.co_firstlineno
    try:
        return inspect.getsourcefile(found) or "", inspect.getsourcelines(found)[1]
    except (OSError, TypeError):
        return "", 0


def _defined(culprit: Callable[..., Any]) -> Any:
    found = inspect.unwrap(culprit.func if isinstance(culprit, functools.partial) else culprit)
    named = inspect.isroutine(found) or inspect.isclass(found)
    return found if named and not inspect.isbuiltin(found) else type(found)


def _line(file: str, number: int) -> SourceLine:
    return SourceLine(f"{file}:{number}", linecache.getline(file, number).strip())


def raised_at(error: BaseException) -> str:
    """Return an error of code that is not ours in one line: what it is, and the line that raised it."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    where = "".join(f" ({Path(frame.filename).name}:{frame.lineno}: {frame.line})" for frame in last)
    return f"{type(error).__name__}: {error}{where}"
