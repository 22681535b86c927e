"""The layout of a view: which of its fields are hands, piles, points or boards.

Clients recognise the parts of a view by their shape. A game declares in ``Game.layout`` what the shape does not say.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct

Kind: TypeAlias = Literal["hand", "cards", "pile", "backs", "open", "laid", "sealed", "score", "badge", "board"]
Piece: TypeAlias = Literal["cards", "dice", "tiles"]
KINDS: Mapping[Kind, str] = {
    "hand": "a list of values: what the viewer holds; pressing one chooses an action that has its value",
    "cards": "a value, None, or a list of values: they lie open in the middle",
    "pile": "a number: a pile of so many, face down, in the middle; pressing it chooses the action `act`",
    "backs": "a number for each seat: what the seat holds, face down",
    "open": "a list for each seat: what the seat shows",
    "laid": "a value, None or a list for each seat: it lies before the seat, the last of a list on top",
    "sealed": "a list of seats: each has one thing face down",
    "score": "a number for each seat: its points",
    "badge": "a list of seats that are marked with the name of the field",
    "board": "strings or lists of one length: the rows of a board from the top",
}
"""What a field of each kind has to be, and how it is shown."""


class Shown(Struct, frozen=True, omit_defaults=True):
    """How clients show a field of the view."""

    kind: Kind
    of: Piece = "cards"
    """What the values are drawn as."""
    act: str = ""
    """Of a pile: the tag of an action without fields."""
    signs: str = ""
    """Of a board: the sign of the pieces of each seat, in the order of the seats."""
    columns: bool = False
    """Of a board: whether actions name whole columns, into which pieces fall."""


def fault(layout: Mapping[str, Shown], tags: list[str]) -> str | None:
    """Return what is wrong with a layout whatever the view is, None if nothing. ``tags``: those of the actions."""
    for field, shown in layout.items():
        if shown.kind not in KINDS:
            return f"layout: {field} is of the kind {shown.kind!r}: choose from {', '.join(KINDS)}"
        if shown.act and shown.act not in tags:
            return f"layout: {field} has the act {shown.act!r}: choose from {', '.join(tags)}"
    return None


def fits(shown: Shown, value: Any, seats: int) -> bool:
    """Return whether ``value`` fits this layout in a match with ``seats`` seats."""
    match shown.kind:
        case "hand":
            return _values(value)
        case "cards":
            return _scalar(value) or _values(value)
        case "pile":
            return type(value) is int
        case "backs" | "score":
            return _each(value, seats, lambda one: one is None or type(one) is int)
        case "open":
            return _each(value, seats, _values)
        case "laid":
            return _each(value, seats, lambda one: _scalar(one) or _values(one))
        case "sealed" | "badge":
            return isinstance(value, list) and all(type(one) is int and 0 <= one < seats for one in value)
        case "board":
            rows = isinstance(value, list) and value and all(isinstance(row, str) or _values(row) for row in value)
            return bool(rows) and len({len(row) for row in value}) == 1 and len(value[0]) > 0
    return False


def _scalar(value: Any) -> bool:
    return value is None or isinstance(value, str | int)


def _values(value: Any) -> bool:
    return isinstance(value, list) and all(map(_scalar, value))


def _each(value: Any, seats: int, right: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and len(value) == seats and all(map(right, value))
