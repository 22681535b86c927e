"""Print text on a terminal: made safe, wrapped to its width, and with times as people read and type them.

A name or chat message may contain escape sequences that move the cursor or set the title, direction marks that reverse
the text, or hundreds of accents on one letter.
"""

import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable
from math import ceil
from textwrap import wrap
from typing import Any, TextIO

from parlour_protocol.names import MARKS, width

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
LONGEST = 500
LONGEST_COMPLAINT = 2_000


def clean(text: str, longest: int = LONGEST) -> str:
    """Return ``text`` on one line, without control, format, surrogate or unassigned characters.

    It is cut to ``longest`` columns.
    """
    if text.isascii() and text.isprintable():
        return text if len(text) <= longest else text[: longest - 1] + "…"
    shown: list[str] = []
    marks = used = 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        harmless = _harmless(char)
        if marks > MARKS or harmless == REPLACEMENT == "".join(shown[-1:]):
            continue
        shown.append(harmless)
        used += width(harmless)
        if used > longest:
            while used > longest - 1:
                used -= width(shown.pop())
            return "".join(shown) + "…"
    return "".join(shown)


def clean_all(value: Any) -> Any:
    """Return plain data with all strings cleaned, including keys."""
    match value:
        case str():
            return clean(value)
        case list():
            return [clean_all(each) for each in value]
        case dict():
            return {clean(str(key)): clean_all(each) for key, each in value.items()}
    return value


def _harmless(char: str) -> str:
    category = unicodedata.category(char)
    if category.startswith("Z"):
        return " "
    return REPLACEMENT if category.startswith("C") else char


def tell(lines: Iterable[str], longest: int = LONGEST) -> None:
    """Print lines of text on standard output, made safe, each at most ``longest`` columns."""
    sys.stdout.writelines(f"{clean(line, longest)}\n" for line in lines)


def tell_json(data: Any) -> None:
    """Print plain data on standard output as JSON on one line, its strings made safe."""
    sys.stdout.write(f"{json.dumps(clean_all(data))}\n")


BOLD, RED = "1", "1;31"
"""Styles of a mark."""
_NARROWEST = 20


def folded(text: str, width: int, indent: int = 0) -> str:
    """Return ``text`` with its long lines wrapped. ``indent``: columns before their continuations."""
    lines = (
        wrap(line, max(_NARROWEST, width), subsequent_indent=" " * indent, break_on_hyphens=False) or [""]
        for line in text.split("\n")
    )
    return "\n".join(line for several in lines for line in several)


def marked_for(out: TextIO, text: str, mark: str, style: str = RED, indent: int = 0) -> str:
    """Return ``text``, which begins with ``mark``, wrapped if ``out`` is a terminal; there the mark has ``style``."""
    found = folded_for(out, text, indent)
    plain = not out.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    return found if plain else f"\x1b[{style}m{mark}\x1b[m{found.removeprefix(mark)}"


def folded_for(out: TextIO, text: str, indent: int = 0) -> str:
    """Return ``text`` wrapped if ``out`` is a terminal."""
    return folded(text, shutil.get_terminal_size().columns, indent) if out.isatty() else text


_HOUR = 3600
_UNITS = {"s": 1, "min": 60, "h": _HOUR, "d": 24 * _HOUR}


def time_left(ms: float) -> str:
    """Return the time left on a clock: whole seconds, from an hour on the two largest units."""
    seconds = ceil(ms / 1000)
    return _long(seconds) if seconds >= _HOUR else f"{seconds} s"


def duration(ms: int) -> str:
    """Return a time that is set: seconds, from an hour on the two largest units."""
    return _long(ms // 1000) if ms >= 1000 * _HOUR else f"{ms / 1000:g} s"


def seconds_of(number: str, unit: str) -> float:
    """Return the seconds of a number with a unit: s, min, h or d, by default seconds."""
    return float(number) * _UNITS[unit or "s"]


def _long(seconds: int) -> str:
    days, hours, minutes = seconds // _UNITS["d"], seconds // _HOUR % 24, seconds // 60 % 60
    parts = ((days, "d"), (hours, "h")) if days else ((hours, "h"), (minutes, "min"))
    return " ".join(f"{number} {unit}" for number, unit in parts if number)
