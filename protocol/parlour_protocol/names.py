"""Names of players: which strings are names, and which of them look alike. Names that differ in case only are the same.

A name has letters and digits of any script, as UTS 39 (Unicode Security Mechanisms) recommends for identifiers: its
restriction level is "highly restrictive". ``names.json`` holds Unicode's data, under the license in
``names.LICENSE``; ``tests/protocol/make_name_table.py`` writes it.
"""

import json
from bisect import bisect_right
from functools import cache
from importlib.resources import files
from typing import NamedTuple
from unicodedata import category, combining, decimal, east_asian_width, is_normalized, normalize

LONGEST = 20
"""Columns. Wide characters, such as Chinese ones, take two."""
MARKS = 2
"""The number of marks without a column that may follow each other."""
_OVERLAY = 1
"""The combining class of marks that lie over a letter."""
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
_TOGETHER = {
    "Hani": ("Hanb", "Jpan", "Kore"),
    "Bopo": ("Hanb",),
    "Hira": ("Jpan",),
    "Kana": ("Jpan",),
    "Hang": ("Kore",),
}
"""The writing systems of several scripts, each of which Latin may be mixed with."""
_MIXED = {"Hanb", "Jpan", "Kore"}


class NoName(ValueError):
    """The string is not a name. The text says why, and begins with a verb."""


def check(name: str) -> None:
    """Raise NoName unless ``name`` is a name."""
    if not name:
        raise NoName("must not be empty")
    if width(name) > LONGEST:
        raise NoName(f"must be at most {LONGEST} columns wide; wide characters take two")
    if name[0] in "-_":
        raise NoName("must begin with a letter or digit")
    if not set(name) <= _PLAIN:
        _check_unicode(name)


def is_name(text: str) -> bool:
    """Return whether ``text`` is a name."""
    try:
        check(text)
    except NoName:
        return False
    return True


def normal(text: str) -> str:
    """Return ``text`` in the normal form of names, NFC."""
    return normalize("NFC", text)


def looks(name: str) -> frozenset[str]:
    """Return what ``name`` looks like, as written and in lowercase. Names that share one are too similar."""
    return frozenset((skeleton(name), skeleton(name.lower())))


def skeleton(name: str) -> str:
    """Return what ``name`` looks like: names that look alike as they are written have the same skeleton."""
    alike = _table().alike
    return normalize("NFD", "".join(alike.get(char, char) for char in normalize("NFD", name)))


def width(text: str) -> int:
    """Return how many columns a terminal needs for ``text``."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def padded(text: str, columns: int) -> str:
    """Return ``text`` with blanks up to ``columns`` columns."""
    return text + " " * (columns - width(text))


def valid(text: str, ending: str = "", *, default: str = "guest") -> str:
    """Return ``text`` plus ``ending`` as a name: hyphens replace other characters, and the end is cut."""
    parts = "".join(char if _is_allowed(char) else " " for char in normal(text)).split()
    kept = "-".join(parts).strip("-_") or default
    while width(kept + ending) > LONGEST:
        kept = kept[:-1]
    if is_name(kept + ending):
        return kept + ending
    return valid(kept.encode("ascii", "ignore").decode(), ending, default=default)


def _check_unicode(name: str) -> None:
    for char in name:
        if not _is_allowed(char):
            raise NoName(f"must be letters, digits, - and _, without {char!a}")
    if not is_normalized("NFC", name):
        raise NoName("must be in Unicode normalization form C")
    _check_marks(name)
    if len({ord(char) - decimal(char) for char in name if category(char) == "Nd"}) > 1:
        raise NoName("must not mix digits of several scripts")
    if not _is_highly_restrictive(name):
        raise NoName("must not mix scripts, except Latin with Chinese, Japanese or Korean")


def _check_marks(name: str) -> None:
    """Refuse marks without a letter, marks over a letter, the same mark twice, and piles of marks."""
    marks, before = 0, "-"
    for char in name:
        kind = category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        alone = kind[0] == "M" and before in "-_"
        if alone or marks > MARKS or (marks and char == before) or combining(char) == _OVERLAY:
            raise NoName(f"must have no mark twice, over a letter or without one, and at most {MARKS} a letter")
        before = char


def _is_highly_restrictive(name: str) -> bool:
    sets = [_systems(char) for char in name if _scripts(char)]
    if not sets or frozenset.intersection(*sets):
        return True
    rest = [each for each in sets if "Latn" not in each]
    return bool(frozenset.intersection(*rest) & _MIXED)


def _systems(char: str) -> frozenset[str]:
    """Return the scripts of a character, and the writing systems that these belong to."""
    scripts = _scripts(char)
    return scripts.union(*(_TOGETHER.get(script, ()) for script in scripts))


def _columns(char: str) -> int:
    if category(char) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


class _Table(NamedTuple):
    """The characters of names: ranges with the same scripts, and what characters look like."""

    first: list[int]
    last: list[int]
    scripts: list[frozenset[str]]
    alike: dict[str, str]

    def at(self, char: str) -> int | None:
        """Return the position of the range of ``char``; None if it is not allowed."""
        place = bisect_right(self.first, ord(char)) - 1
        return place if place >= 0 and ord(char) <= self.last[place] else None


@cache
def _table() -> _Table:
    found = json.loads(files("parlour_protocol").joinpath("names.json").read_text(encoding="ascii"))
    first, last, scripts = zip(*found["allowed"], strict=True)
    return _Table([*first], [*last], [frozenset(each.split()) for each in scripts], found["alike"])


def _is_allowed(char: str) -> bool:
    return char in _PLAIN or _table().at(char) is not None


def _scripts(char: str) -> frozenset[str]:
    """Return the scripts of an allowed character; none if it goes with all."""
    place = _table().at(char)
    assert place is not None
    return _table().scripts[place]
