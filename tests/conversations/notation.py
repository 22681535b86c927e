"""The notation of the conversations: one message a line, in a relaxed JSON.

::

    # a comment
    rules: stand-ins, turn-clock   the rules that the conversation shows, by their anchors in SPEC.md
    deal: r1 r2 … / b1 b2 … / r5 / y9 y8     optional: the hands by seat, the first card, the draw pile from its top
    mines: 5x4 1,0 3,2 / 0,3       instead, for Minesweeper: the size, the mines, the start cell of a race
    first: 1                       with a deal: the seat that plays first, 0 unless told
    only: local                    optional: played against the room core only (``sockets``: against a server only)

    anna opens                     opens a socket named anna
    anna > hello name=anna kind=human          anna sends this
    anna < welcome name=anna token=$token      the next message to anna
    anna << turn rid=1                         a later message to anna, after any others
    anna closes                    loses the socket and all messages in transit to anna
    anna closed 4001               the server has closed the socket with this code

A message is its type and its fields. Values are words, numbers, "texts", true, false, null, [lists] and {maps: of
these}. An expected map may have more fields than named, a list ending in ``...`` may have more items, ``*`` matches
anything, ``-`` a missing field, and ``$name`` anything the first time and the same value later. Cards
are written by their faces, after a hash: ``card=#r5`` is the first red 5 of the deck, ``#r5'`` the second.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs

from parlour_games.uno.cards import CARDS_BY_FACE

Plain = dict[str, Any]

_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<number>-?\d+(?![\w-]))|(?P<mark>\.\.\.|[\[\]{}:,*]|-(?=[\s,\]}]|$))"""
    r"""|(?P<variable>\$\w+)|(?P<card>\#[\w+]+'?)|(?P<word>[\w-]+)|(?P<equals>=))""",
    re.VERBOSE,
)
MINES = "mines "
"""The prefix of a deal that gives a Minesweeper board."""
_CONSTANTS = {"true": True, "false": False, "null": None}


@attrs.frozen
class Variable:
    """A variable: any value at first, the same value later."""

    name: str


@attrs.frozen
class Mark:
    """A wildcard: ``*`` any value, ``-`` a missing field, ``...`` more items."""

    sign: str


ANYTHING, NOTHING, MORE = Mark("*"), Mark("-"), Mark("...")


class Mismatch(AssertionError):
    """A message differs from the expected one."""


@attrs.frozen
class Line:
    """A step of a conversation. ``verb``: opens, closes, closed, >, <, <<."""

    number: int
    who: str
    verb: str
    message: Plain


@attrs.frozen
class Conversation:
    name: str
    rules: tuple[str, ...]
    lines: tuple[Line, ...]
    only: str | None = None
    deal: str | None = None
    """The faces in dealing order: hands, first card, draw pile; or MINES and a board."""
    first: int = 0


def read(path: Path) -> Conversation:
    """Parse a file. Raises ValueError for invalid notation."""
    head: dict[str, str] = {}
    lines: list[Line] = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = re.sub(r"(^|\s)# .*|^#$", "", text).strip()
        if not text:
            continue
        if not lines and (field := re.fullmatch(r"(rules|deal|mines|first|only): *(.+)", text)):
            head[field[1]] = field[2]
        else:
            lines.append(_line(number, text))
    deal = head["deal"].replace("/", " ") if "deal" in head else None
    deal = MINES + head["mines"] if "mines" in head else deal
    rules = tuple(head["rules"].split(", "))
    return Conversation(path.stem, rules, tuple(lines), head.get("only"), deal, int(head.get("first", 0)))


def _line(number: int, text: str) -> Line:
    parts = re.fullmatch(r"(\w+) +(opens|closes|closed|<<|<|>)(?: +(.*))?", text)
    if parts is None:
        raise ValueError(f"line {number}: {text}")
    who, verb, rest = parts[1], parts[2], parts[3] or ""
    if verb == "closed":
        return Line(number, who, verb, {"t": "closed", "code": int(rest)})
    return Line(number, who, verb, _message(rest) if rest else {})


def _message(text: str) -> Plain:
    tokens = list(_tokens(text))
    kind, rest = tokens[0], tokens[1:]
    message: Plain = {"t": kind[1]}
    while rest:
        name = rest[0][1]
        if len(rest) < 3 or rest[1][0] != "equals":
            raise ValueError(f"{name} has no value: {text}")
        message[name], rest = _value(rest[2:])
    return message


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text.rstrip()):
        found = _TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            raise ValueError(f"cannot be read: {text[at:]}")
        at = found.end()
        yield found.lastgroup, found[found.lastgroup]


def _value(tokens: list[tuple[str, str]]) -> tuple[Any, list[tuple[str, str]]]:
    (kind, text), rest = tokens[0], tokens[1:]
    if text == "[":
        return _list(rest)
    if text == "{":
        return _map(rest)
    simple: dict[str, Callable[[], Any]] = {
        "text": lambda: re.sub(r"\\(.)", r"\1", text[1:-1]),
        "number": lambda: int(text),
        "mark": lambda: Mark(text),
        "variable": lambda: Variable(text[1:]),
        "card": lambda: CARDS_BY_FACE[text[1:].removesuffix("'")][text.endswith("'")],
        "word": lambda: _CONSTANTS.get(text, text),
    }
    return simple[kind](), rest


def _list(rest: list[tuple[str, str]]) -> tuple[list[Any], list[tuple[str, str]]]:
    items = []
    while rest[0][1] != "]":
        item, rest = _value(rest)
        items.append(item)
        rest = rest[1:] if rest[0][1] == "," else rest
    return items, rest[1:]


def _map(rest: list[tuple[str, str]]) -> tuple[Plain, list[tuple[str, str]]]:
    found: Plain = {}
    while rest[0][1] != "}":
        name = rest[0][1].strip('"')
        found[name], rest = _value(rest[2:])
        rest = rest[1:] if rest[0][1] == "," else rest
    return found, rest[1:]


def filled(value: Any, known: Plain) -> Any:
    if isinstance(value, Variable):
        return known[value.name]
    if isinstance(value, list):
        return [filled(item, known) for item in value]
    if isinstance(value, dict):
        return {name: filled(item, known) for name, item in value.items()}
    return value


def match(expected: Any, found: Any, known: Plain, path: str = "") -> None:
    """Compare ``found`` with the expected value and bind its variables. Raises Mismatch."""
    if expected is ANYTHING or expected == ANYTHING:
        return
    if isinstance(expected, Variable):
        expected = known.setdefault(expected.name, found)
    if isinstance(expected, dict) and isinstance(found, dict):
        for name, item in expected.items():
            _match_field(item, found, name, known, f"{path}.{name}")
    elif isinstance(expected, list) and isinstance(found, list):
        _match_list(expected, found, known, path)
    elif type(expected) is not type(found) or expected != found:
        raise Mismatch(f"{path or 'message'} is {found!r}, expected {expected!r}")


def _match_field(expected: Any, found: Plain, name: str, known: Plain, path: str) -> None:
    if expected == NOTHING:
        if name in found:
            raise Mismatch(f"{path} is {found[name]!r}, expected nothing")
    elif name not in found:
        raise Mismatch(f"{path} is missing")
    else:
        match(expected, found[name], known, path)


def _match_list(expected: list[Any], found: list[Any], known: Plain, path: str) -> None:
    open_ended = bool(expected) and expected[-1] == MORE
    items = expected[:-1] if open_ended else expected
    if len(found) < len(items) or (len(found) > len(items) and not open_ended):
        raise Mismatch(f"{path} has {len(found)} items, expected {len(items)}: {found!r}")
    for number, (item, each) in enumerate(zip(items, found, strict=False)):
        match(item, each, known, f"{path}[{number}]")
