"""What a bot did wrong, told so that its author can mend it: the line, the reason, the turn."""

import functools
import inspect
import json
import linecache
import traceback
from collections.abc import Callable
from types import FrameType
from typing import Any, Literal, TypeAlias

import attrs

from parlour_bots.sdk import Turn

MISTAKES_TOLD = 5
"""How many of a bot's mistakes are told: a bot that is wrong once is wrong often."""


Kind: TypeAlias = Literal["late", "broken", "illegal"]
"""How a bot can fail a turn: no answer in time, no answer at all (an exception, an end), an answer that is none."""


class BadChoice(Exception):
    """What the bot returned is no answer to its turn."""


class Late(Exception):
    """The answer took longer than the turn allowed."""


class Broken(Exception):
    """There will be no answer: the program of the bot has ended, or what it writes cannot be read."""


@attrs.frozen
class Place:
    """A line of source: ``hello.py:7`` and what stands there."""

    where: str
    text: str


@attrs.frozen
class Mistake:
    """An exception or an illegal answer of a bot, and the turn on which it happened."""

    what: str
    place: Place
    turn: Turn

    @property
    def kind(self) -> Kind:
        """Return which of the three findings it is. ``what`` begins with it, as with the type of an exception."""
        named: dict[str, Kind] = {"illegal answer": "illegal", Late.__name__: "late"}
        return named.get(self.what.partition(":")[0], "broken")

    def __str__(self) -> str:
        """Return the report for the author: where and what, the line if there is one, the turn."""
        turn = json.dumps(self.turn.plain(), separators=(",", ":"), default=repr)
        return f"{self.short}\n  turn: {turn}"

    @property
    def short(self) -> str:
        """Return the report without the turn."""
        line = f"\n    {self.place.text}" if self.place.text else ""
        return f"{self.place.where}: {self.what}{line}"


def place(culprit: Callable[..., Any], error: BaseException) -> Place:
    """Return the line of ``culprit``'s own file that ``error`` came from, else the line where it is defined."""
    return _told(culprit) or place_in(_source(culprit)[0], error) or definition(culprit)


def place_in(file: str, error: BaseException) -> Place | None:
    """Return the last line of ``file`` that ``error`` passed through, or where it does not parse."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return _line(file, error.lineno or 1)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == file and frame.lineno:
            return _line(file, frame.lineno)
    return None


def definition(culprit: Callable[..., Any]) -> Place:
    """Return the line where ``culprit`` is defined; of a bot that says so itself, its ``place``."""
    if told := _told(culprit):
        return told
    file, number = _source(culprit)
    return _line(file, number) if number else Place(repr(culprit), "")


def _told(culprit: Callable[..., Any]) -> Place | None:
    """Return the ``place`` of a bot that is no Python: our own lines that speak for it are not its author's."""
    found = getattr(getattr(inspect.unwrap(culprit), "__self__", None), "place", None)
    return found if isinstance(found, Place) else None


def _source(culprit: Callable[..., Any]) -> tuple[str, int]:
    """Return file and line, or nothing for what was not written in Python."""
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


def line_of(frame: FrameType) -> Place:
    """Return the line that ``frame`` is at."""
    return _line(frame.f_code.co_filename, frame.f_lineno)


def _line(file: str, number: int) -> Place:
    return Place(f"{file}:{number}", linecache.getline(file, number).strip())
