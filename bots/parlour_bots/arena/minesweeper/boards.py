"""The boards of an arena: read from a file, or generated from a seed.

A file has one board per line::

    {"id": "a1", "width": 3, "height": 2, "mine_count": 1, "first": [0, 0], "mines": [[2, 1]]}

Cells are ``[x, y]``, column and row from 0 at the top left. ``first`` is opened before the bot plays. Other keys and
empty lines are ignored.
"""

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import attrs

from parlour_client.core.errors import Usage
from parlour_games.fair import Fair
from parlour_games.game import BadOptions
from parlour_games.minesweeper.board import Dealt
from parlour_games.minesweeper.options import Options, Shape

STARTS = ("corner", "centre", "random")
"""The first cell of a generated board: top left, in the middle, or random by the seed."""
INSET = 3
"""The first column and row of published figures with a guaranteed opening, which is larger off the edge."""

SECRET = sha256(b"parlour arena").digest()
"""A fixed value instead of a match's secret: everyone can repeat an arena."""


@attrs.frozen
class Board:
    """A mine layout and the cell to open first. Cells are ints, ``y · width + x``."""

    id: str | int
    width: int
    height: int
    first: int
    mines: tuple[int, ...]


class BadBoard(ValueError):
    """The data are not a valid board. The text says why."""


def read(path: Path) -> list[Board]:
    """Return the boards of a file. Raises Usage with the number of an invalid line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Usage(f"{path} cannot be read: {error}") from None
    boards = list(_boards(path, text))
    if not boards:
        raise Usage(f"{path} has no boards")
    return boards


def fresh(options: Options, start: str | None, seed: int, count: int) -> Iterator[Board]:
    """Generate ``count`` boards from ``seed``, with the size and first-click guarantee of ``options``.

    ``start`` is one of STARTS or X,Y. Its default is the corner; with a guaranteed opening 3,3, but at most the middle
    of the board. The first cell is always safe, since a game lost before the bot plays says nothing. Raises Usage.
    """
    for number in range(count):
        yield generated(options, start, seed, number)


def generated(options: Options, start: str | None, seed: int, number: int) -> Board:
    """Return the board with this number, counted from 0, of those that ``fresh`` generates. Raises Usage."""
    shape, promise = options.shape, "safe" if options.promise == "any" else options.promise
    dealt = Dealt(Fair(SECRET, f"{seed}/{number}", ()).deal(1))
    first = _first(shape, start or _usual(shape, promise), dealt)
    mines = sorted(dealt.mines(shape, promise, first, 1))
    return Board(f"{options.level}-{seed}-{number}", shape.width, shape.height, first, tuple(mines))


def board(data: Any) -> Board:
    """Return the board in a line's data. Raises BadBoard."""
    if not isinstance(data, dict):
        raise BadBoard("a board is a map")
    identity = _value(data, "id")
    if not isinstance(identity, str | int) or isinstance(identity, bool):
        raise BadBoard("id must be a string")
    width, height, count = (_number(data, name) for name in ("width", "height", "mine_count"))
    try:
        Options(level="custom", width=width, height=height, mines=count, first="any")
    except BadOptions as error:
        raise BadBoard(str(error)) from None
    mines = _mines(data, width, height, count)
    first = _cell(_value(data, "first"), "first", width, height)
    if first in mines:
        raise BadBoard(f"first {data['first']} is a mine")
    return Board(identity, width, height, first, mines)


def _boards(path: Path, text: str) -> Iterator[Board]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield board(_loaded(line))
            except BadBoard as bad:
                raise Usage(f"{path}:{number}: {bad}") from None


def _loaded(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadBoard(f"this is not JSON: {error}") from None


def _value(data: dict[str, Any], name: str) -> Any:
    if name not in data:
        raise BadBoard(f"{name} is missing")
    return data[name]


def _number(data: dict[str, Any], name: str) -> int:
    value = _value(data, name)
    if type(value) is not int:
        raise BadBoard(f"{name} must be a whole number, not {value!r}")
    return value


def _mines(data: dict[str, Any], width: int, height: int, count: int) -> tuple[int, ...]:
    listed = _value(data, "mines")
    if not isinstance(listed, list):
        raise BadBoard(f"mines must be a list of cells, not {listed!r}")
    mines = sorted(_cell(each, "mines", width, height) for each in listed)
    if len(mines) != count:
        raise BadBoard(f"mine_count is {count}, but mines has {len(mines)}")
    for one, following in pairwise(mines):
        if one == following:
            raise BadBoard(f"mines has [{one % width}, {one // width}] twice")
    return tuple(mines)


def _cell(value: Any, name: str, width: int, height: int) -> int:
    if not (isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value)):
        raise BadBoard(f"{name}: a cell is [x, y], not {value!r}")
    x, y = value
    if not (0 <= x < width and 0 <= y < height):
        raise BadBoard(f"{name}: {value} is off the board, x is 0 to {width - 1}, y is 0 to {height - 1}")
    return int(y * width + x)


def _first(shape: Shape, start: str, dealt: Dealt) -> int:
    if start == "random":
        return dealt.start(shape)
    x, y = {"corner": (0, 0), "centre": (shape.width // 2, shape.height // 2)}.get(start) or _place(shape, start)
    return y * shape.width + x


def _usual(shape: Shape, promise: str) -> str:
    inset = INSET if promise == "opening" else 0
    return f"{min(inset, (shape.width - 1) // 2)},{min(inset, (shape.height - 1) // 2)}"


def _place(shape: Shape, start: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,3}),(\d{1,3})", start)
    x, y = map(int, found.groups()) if found else (-1, -1)
    if not (0 <= x < shape.width and 0 <= y < shape.height):
        what = f"x 0 to {shape.width - 1} and y 0 to {shape.height - 1}"
        raise Usage(f"--start is corner, centre, random or X,Y with {what}, not {start[:20]!a}")
    return x, y
