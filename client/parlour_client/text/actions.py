"""Actions of any game in words, alone or grouped, and the cells of a board that an action names.

A cell is a pair of ``row`` and ``column`` or of ``y`` and ``x``, both from 0 at the top left; a field such as ``cell``,
``from`` or ``to`` with a pair [row, column] or with the number of the cell, row by row; ``column`` or ``row`` alone
names all cells of it.

Many actions of one kind are a group: one is chosen by the values of the fields in which they differ.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from string import ascii_lowercase
from typing import Any, TypeAlias

import attrs

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.shapes import Grid, own, parts, shown, spaced
from parlour_protocol.messages import Plain

_ROWS, _COLUMNS = ("row", "y", "r"), ("column", "col", "x", "c")
_CELLS = ("cell", "at", "from", "to", "square", "position", "place", "start", "end", "field")
_CARDS = ("card", "cards")
"""Fields whose numbers need no name."""
_NAMED = re.compile(r"([a-z]{1,2})(\d{1,2})")


@attrs.frozen
class CellAddress:
    """A cell; with a missing coordinate, a whole row or column."""

    row: int | None
    column: int | None

    def holds(self, row: int, column: int) -> bool:
        """Return whether the cell is here."""
        return self.row in (None, row) and self.column in (None, column)

    @property
    def name(self) -> str:
        """The name, such as ``d3``: the column's letters and the row's number, from 1."""
        return f"{'' if self.column is None else column_name(self.column)}{'' if self.row is None else self.row + 1}"


@attrs.frozen
class Way:
    """An action that is legal now: the decision it answers, its number there, its words, and the cells it names."""

    rid: int
    index: int
    action: Plain
    words: str
    places: tuple[CellAddress, ...]

    def fits(self, cells: Sequence[tuple[int, int]]) -> bool:
        """Return whether the action names these cells first, in this order."""
        named = zip(self.places, cells, strict=False)
        return len(cells) <= len(self.places) and all(place.holds(*cell) for place, cell in named)


def ways(room: JoinedRoom) -> list[Way]:
    """Return all actions that are legal for us now: those of the question first."""
    asked = [(room.question.rid, room.question.legal)] if room.question else []
    listed = [*asked, *((offer["rid"], offer["legal"]) for offer in room.may)]
    return [way for rid, legal in listed for way in ways_of(room, rid, legal)]


def ways_of(room: JoinedRoom, rid: int, legal: Iterable[Plain]) -> list[Way]:
    """Return the actions that answer a decision."""
    board = board_of(room)
    return [
        Way(rid, index, action, _words(room, board, action), tuple(place for _, place in _places(action, board)))
        for index, action in enumerate(legal)
    ]


def board_of(room: JoinedRoom) -> Grid | None:
    """Return the largest board of the view."""
    boards = [part for part in parts(room) if isinstance(part, Grid)]
    return max(boards, key=lambda board: board.height * board.width, default=None)


def action(room: JoinedRoom, action: Plain) -> str:
    """Return an action in words."""
    return _words(room, board_of(room), action)


def cell_names(room: JoinedRoom, action: Plain) -> dict[str, str]:
    """Return the names of the cells that an action or an event names, by field."""
    return {fields[0]: place.name for fields, place in _places(action, board_of(room))}


def column_name(column: int) -> str:
    """Return the letters of a column: a to z, then aa."""
    before, last = divmod(column, len(ascii_lowercase))
    return (ascii_lowercase[before - 1] if before else "") + ascii_lowercase[last]


def _words(room: JoinedRoom, board: Grid | None, action: Plain) -> str:
    do = str(action.get("do", ""))
    named = dict(_places(action, board))
    cells = {fields[0]: place.name for fields, place in named.items()}
    if (found := own(room, f"act.{do}", {**action, **cells})) is not None:
        return found
    taken = {field for fields in named for field in fields}
    rest = {field: value for field, value in action.items() if field != "do" and field not in taken}
    said = [spaced(do), *cells.values()]
    for field, value in rest.items():
        words = shown(room, value, field)
        bare = field in _CARDS or words != str(value) or isinstance(value, str)
        said.append(words if bare and not isinstance(value, bool) else f"{spaced(field)} {words}")
    return " ".join(filter(None, said))


def _places(action: Plain, board: Grid | None) -> Iterator[tuple[tuple[str, ...], CellAddress]]:
    """Yield the fields that name a cell of the board, and the cell, in the order of the fields."""
    if board is None:
        return
    taken: set[str] = set()
    for field, value in action.items():
        if field == "do" or field in taken:
            continue
        fields, place = _place(field, value, action, board)
        if place is not None and (place.row or 0) in range(board.height) and (place.column or 0) in range(board.width):
            taken.update(fields)
            yield fields, place


def _place(field: str, value: Any, action: Plain, board: Grid) -> tuple[tuple[str, ...], CellAddress | None]:
    match value:
        case bool():
            return (field,), None
        case int() if field in _ROWS:
            other = next((name for name in _COLUMNS if _number(action.get(name))), None)
            return (field, other or field), CellAddress(value, action[other] if other else None)
        case int() if field in _COLUMNS:
            other = next((name for name in _ROWS if _number(action.get(name))), None)
            return (field, other or field), CellAddress(action[other] if other else None, value)
        case int() if field in _CELLS:
            return (field,), CellAddress(*divmod(value, board.width))
        case [int() as row, int() as column]:
            return (field,), CellAddress(row, column)
        case str() if field in _CELLS and (found := _NAMED.fullmatch(value)):
            return (field,), CellAddress(int(found[2]) - 1, column_number(found[1]))
    return (field,), None


def column_number(letters: str) -> int:
    """Return the number of a column, from 0, by its letters."""
    number = 0
    for letter in letters:
        number = number * len(ascii_lowercase) + ascii_lowercase.index(letter) + 1
    return number - 1


def _number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


MANY = 20
"""The number of actions of one kind above which they are a group."""
_LONGEST = 400
_RUN = 2
"""Values in a row that are said as a range."""


@attrs.frozen
class Group:
    """Actions of one decision that have the same name, and differ in ``fields`` only."""

    ways: tuple[Way, ...]
    fields: tuple[str, ...]

    def options(self, way: Way, at: int) -> list[Way]:
        """Return an action for each value that field ``at`` can have beside the values of ``way`` in earlier fields.

        Later fields keep the values of ``way`` where that is possible.
        """
        found: dict[str, Way] = {}
        for other in self.ways:
            if self._kept(other, way, 0, at) < at:
                continue
            value = _key(other, self.fields[at])
            best = found.get(value)
            if best is None or self._kept(other, way, at + 1) > self._kept(best, way, at + 1):
                found[value] = other
        return [*found.values()]

    def step(self, way: Way, at: int, by: int) -> Way:
        """Return ``way`` with the next value of field ``at``, or the one before it; the first follows the last."""
        options = self.options(way, at)
        here = [_key(option, self.fields[at]) for option in options].index(_key(way, self.fields[at]))
        return options[(here + by) % len(options)]

    def typed(self, way: Way) -> str:
        """Return how an action is typed: its name and the values of the fields."""
        return f"{spaced(way.action.get('do'))} {self._values(way)}".lower()

    def named(self, text: str) -> list[Way]:
        """Return the actions that are typed as ``text``, with or without their name."""
        return [way for way in self.ways if text in (self._values(way).lower(), self.typed(way))]

    def _values(self, way: Way) -> str:
        return " ".join(str(way.action.get(field)) for field in self.fields)

    def _kept(self, one: Way, other: Way, start: int, end: int | None = None) -> int:
        """Return in how many fields, counted from ``start``, two actions agree."""
        count = 0
        for field in self.fields[start:end]:
            if _key(one, field) != _key(other, field):
                break
            count += 1
        return count


Item: TypeAlias = Way | Group


def grouped(found: Sequence[Way]) -> list[Item]:
    """Return actions and groups, in the order of the actions. Actions that name cells are never grouped."""
    items: list[Item] = []
    for kind in _kinds(found):
        fields = _differing(kind)
        items += [Group(tuple(kind), fields)] if len(kind) > MANY and fields else kind
    return items


def typed(found: Sequence[Way], text: str, first: int) -> list[Way]:
    """Return the actions that ``text`` names by a number that is shown or by the values of their fields.

    The numbers that are shown count all actions from ``first``. Those of a group are not shown. Values name an action
    of a few, too: who has learnt how to type one of many goes on in that way. A number that is shown comes before.
    """
    items = grouped(found)
    number = int(text) - first if text.isascii() and text.isdigit() else -1
    shown = [found[number]] if 0 <= number < len(found) and found[number] in items else []
    kinds = [list(item.ways) for item in items if isinstance(item, Group)] if shown else _kinds(found)
    return shown + [way for kind in kinds for way in _named(kind, text)]


def _kinds(found: Sequence[Way]) -> list[list[Way]]:
    """Return the actions that answer the same decision and have the same name together."""
    kinds: dict[tuple[int, Any], list[Way]] = {}
    for way in found:
        kinds.setdefault((way.rid, way.action.get("do")), []).append(way)
    return [*kinds.values()]


def _named(kind: Sequence[Way], text: str) -> list[Way]:
    """Return the actions that are typed as ``text``: by the values of the fields that differ, or of all fields."""
    names = dict.fromkeys(field for way in kind for field in way.action if field != "do")
    differing = [name for name in names if len({_key(way, name) for way in kind}) > 1]
    if not names or any(way.places for way in kind):
        return []
    return Group(tuple(kind), tuple(differing)).named(text) or Group(tuple(kind), tuple(names)).named(text)


def field_name(room: JoinedRoom, way: Way, field: str) -> str:
    """Return the name of a field of an action: the phrase ``act.DO.FIELD``, or the field itself."""
    found = own(room, f"act.{way.action.get('do')}.{field}", {})
    return spaced(field) if found is None else found


def described(room: JoinedRoom, group: Group) -> str:
    """Return a line about a group: which values its fields can have, and an example."""
    values = _tree(room, group, group.ways, 0)
    if len(values) > _LONGEST:
        each = [_tree(room, Group(group.ways, (field,)), group.ways, 0) for field in group.fields]
        values = ", ".join(each)[:_LONGEST]
    way = group.ways[len(group.ways) // 2]
    worded = own(room, f"act.{way.action.get('do')}", way.action) is not None
    return say(
        "line.any.group",
        kind=None if worded else spaced(way.action.get("do")),
        values=values,
        fields=", ".join(field_name(room, way, field) for field in group.fields),
        example=way.words
        if worded and len({each.words for each in group.ways}) == len(group.ways)
        else group.typed(way),
    )


def _differing(kind: list[Way]) -> tuple[str, ...]:
    """Return the fields by which one of these actions can be chosen; none if a list is the better way."""
    if any(way.places for way in kind):
        return ()
    names = dict.fromkeys(field for way in kind for field in way.action)
    values = {name: {_key(way, name) for way in kind} for name in names}
    fields = tuple(name for name in names if len(values[name]) > 1)
    numbers = all(type(way.action.get(field)) is int for way in kind for field in fields)
    few = sum(len(values[field]) for field in fields) <= len(kind) // 2
    return fields if few or numbers else ()


def _key(way: Way, field: str) -> str:
    return json.dumps(way.action.get(field))


def _tree(room: JoinedRoom, group: Group, ways: Sequence[Way], at: int) -> str:
    """Return which values the fields from ``at`` have: ``count 3, face 5 to 6; count 4 to 9, face 1 to 6``."""
    field = group.fields[at]
    name = field_name(room, ways[0], field)
    branches: dict[str, list[Way]] = {}
    for way in ways:
        branches.setdefault(_key(way, field), []).append(way)
    rest: dict[str, list[Any]] = {}
    for each in branches.values():
        below = _tree(room, group, each, at + 1) if at + 1 < len(group.fields) else ""
        rest.setdefault(below, []).append(each[0].action.get(field))
    parts = (f"{name} {_ranges(room, field, values)}{below and f', {below}'}" for below, values in rest.items())
    return "; ".join(parts)


def _ranges(room: JoinedRoom, field: str, values: list[Any]) -> str:
    """Return values in words; numbers that follow each other as a range."""
    runs: list[list[Any]] = []
    for value in values:
        if runs and type(value) is int and type(runs[-1][-1]) is int and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    said = []
    for run in runs:
        words = [shown(room, value, field) for value in run]
        said.append(f"{words[0]}–{words[-1]}" if len(run) > _RUN else ", ".join(words))
    return ", ".join(said)
