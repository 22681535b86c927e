"""A Minesweeper board from the server: validated, with names of cells, and as lines of text.

A cell is named by the letter of its column and the number of its row from the top: ``d5``. Column aa follows z.
"""

import re
from typing import Any, TypeVar

import attrs

from parlour_client.core.errors import WrongProtocol
from parlour_client.core.room import JoinedRoom
from parlour_client.text.actions import column_name, column_number
from parlour_games.minesweeper.options import SIDES
from parlour_protocol.converter import shared_converter

T = TypeVar("T")
At = tuple[int, int]
"""The column and row of a cell."""

CLOSED, FLAG = ".", "F"
NUMBERS = "012345678"
MINES = "*AB"
"""Characters of visible mines: set off, or found by seat 0 or 1 of a duel."""
PANEL = 36
"""Columns per panel: 76 characters, to fit into 80."""

_SHOWN = str.maketrans("0", " ")
_KNOWN = frozenset(CLOSED + FLAG + NUMBERS + MINES + "MX")
_NAME = re.compile(r"([a-z]{1,2})([0-9]{1,3})")
_CONVERTER = shared_converter(exact=False, detailed=False)


@attrs.frozen
class SeatView:
    """A seat in the view. ``found`` and ``bomb`` (ready, kept or thrown) belong to duels."""

    state: str
    open: int
    found: int = 0
    bomb: str = ""


@attrs.frozen
class Board:
    """The view of a match. ``rows`` is None for spectators of a race in progress."""

    mode: str
    phase: str
    width: int = attrs.field(validator=[attrs.validators.ge(1), attrs.validators.le(SIDES[1])])
    height: int = attrs.field(validator=[attrs.validators.ge(1), attrs.validators.le(SIDES[1])])
    mines: int
    safe: int
    players: list[SeatView]
    rows: list[str] | None = None
    lives: int | None = None

    def __attrs_post_init__(self) -> None:
        rows = self.rows
        if rows is not None and [len(row) for row in rows] != [self.width] * self.height:
            raise ValueError("must be as many and as long rows as height and width say")
        if not _KNOWN.issuperset("".join(rows or ())):
            raise ValueError("must be rows of known characters")

    @property
    def playing(self) -> bool:
        """Whether the match is in progress."""
        return self.phase in ("new", "playing")

    def player(self, seat: int | None) -> SeatView | None:
        """Return the player at ``seat``, None if there is none."""
        return self.players[seat] if seat is not None and 0 <= seat < len(self.players) else None

    def at(self, x: int, y: int) -> str:
        """Return the character of a cell. Needs ``rows``."""
        return (self.rows or [])[y][x]

    def around(self, x: int, y: int) -> list[tuple[int, int]]:
        """Return the neighbours of a cell."""
        columns, rows = range(max(0, x - 1), min(self.width, x + 2)), range(max(0, y - 1), min(self.height, y + 2))
        return [(column, row) for row in rows for column in columns if (column, row) != (x, y)]

    def count(self, chars: str) -> int:
        """Return the number of cells that show one of ``chars``."""
        return sum(char in chars for row in self.rows or () for char in row)


def board_of(room: JoinedRoom) -> Board | None:
    """Return the board in ``room``, None before the first match. Raises WrongProtocol if the view is not valid."""
    return None if room.view is None else read(Board, room.view)


def read(cls: type[T], value: Any) -> T:
    """Structure plain data from the server as an attrs class. Raises WrongProtocol if it does not fit."""
    try:
        return _CONVERTER.structure(value, cls)
    except (TypeError, ValueError, LookupError) as error:
        raise WrongProtocol(f"a {cls.__name__.lower()} from the server cannot be understood ({error})") from error


def name(at: Any) -> str:
    """Return the name of the cell ``[x, y]``. Raises WrongProtocol if it is not a cell."""
    match at:
        case [int(x), int(y)] if 0 <= x < SIDES[1] and 0 <= y < SIDES[1]:
            return f"{column_name(x)}{y + 1}"
    raise WrongProtocol(f"{at!a:.40} from the server is no cell")


def cell(word: str) -> tuple[int, int] | None:
    """Parse the name of a cell into (x, y). Returns None if ``word`` is not such a name."""
    match = _NAME.fullmatch(word)
    return (column_number(match[1]), int(match[2]) - 1) if match else None


def picture(board: Board) -> list[str]:
    """Return the board as lines with names of columns and rows. Wide boards are split into panels."""
    if board.rows is None:
        return []
    return [line for first in range(0, board.width, PANEL) for line in _panel(board, board.rows, first)]


def _panel(board: Board, rows: list[str], first: int) -> list[str]:
    names = [column_name(x).rjust(2) for x in range(first, min(first + PANEL, board.width))]
    rulers = [f"    {' '.join(letters)}" for letters in zip(*names, strict=True)]
    shown = (" ".join(row[first : first + PANEL].translate(_SHOWN)) for row in rows)
    return [*filter(str.strip, rulers), *(f"{y:>3} {row}".rstrip() for y, row in enumerate(shown, 1))]
