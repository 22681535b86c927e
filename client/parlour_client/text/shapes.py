"""The parts of a view of any game: boards, cards, tables, and values of each seat; and words for them.

What the layout of the game does not declare is recognised by its shape.

Words are a game's own phrases where it has some, otherwise the names that its data uses. The keys are ``GAME.name``,
``GAME.event.E``, ``GAME.act.DO``, ``GAME.act.DO.FIELD``, ``GAME.view.FIELD``, ``GAME.view.FIELD.KEY``,
``GAME.value.TEXT``. An empty phrase hides a field or an event. One for a field of the view names it, or is a sentence
if it has places.
"""

from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

import attrs
from msgspec import ValidationError, convert

from parlour_client.core.phrases import Format, phrases, plain, say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import add_words, player_of
from parlour_games.layout import Shown, fits
from parlour_games.registry import games
from parlour_protocol.messages import Plain

NO_WORDS = (LookupError, TypeError, ValueError, RuntimeError)
"""The errors of a phrase of a foreign game: a missing field, an unknown format, a broken template."""
SEATS = ("seat", "player", "turn", "winner", "loser", "dealer", "leader", "starter", "by", "of", "target", "asked")
"""Fields whose numbers are seats."""
_LONGEST = 400
_NONE: Mapping[str, Any] = {}


def own(room: JoinedRoom, key: str, fields: Mapping[str, Any]) -> str | None:
    """Return the phrase ``key`` of the room's game, None if it has none that fits."""
    return phrase(room.game, key, fields, formats_of(room))


def formats_of(room: JoinedRoom) -> dict[str, Format]:
    """Return the formats of the phrases of a game, beside those of all phrases."""
    player = player_of(room)
    worded = partial(_worded, room)
    return {
        "": worded,
        "select": worded,
        "player": player,
        "players": partial(_players, player),
        "list": partial(_listed, room),
        "seats": partial(_by_seat, room, player),
    }


def phrase(game: str, key: str, fields: Mapping[str, Any] = _NONE, formats: Mapping[str, Format] = _NONE) -> str | None:
    """Return the phrase ``key`` of ``game``, None if it has none that fits."""
    add_words(game)
    try:
        return say(whole, fields, formats) if (whole := f"{game}.{key}") in phrases else None
    except NO_WORDS:
        return None


def game_name(game: str) -> str:
    """Return the name of ``game``."""
    return game if (found := phrase(game, "name")) is None else found


def spaced(name: object) -> str:
    """Return a name of a field as words."""
    return str(name).replace("_", " ").strip()


def heading(room: JoinedRoom, field: str, key: str = "") -> str:
    """Return the name of a field of the view, or of a key of the map in it; empty for one that is not shown."""
    found = own(room, f"view.{field}.{key}" if key else f"view.{field}", {})
    return spaced(key or field) if found is None else found


def sentence(room: JoinedRoom, field: str, value: Any) -> str | None:
    """Return what the game says of a field with this value, None if it only has a name for it.

    The sentence has places for ``value``, and for the keys of a map.
    """
    add_words(room.game)
    key = f"{room.game}.view.{field}"
    if key not in phrases or not _has_places(key):
        return None
    return own(room, f"view.{field}", {**(value if isinstance(value, dict) else {}), "value": value})


def shown(room: JoinedRoom, value: Any, field: str = "") -> str:
    """Return a value of the view, an event or an action in words."""
    match value:
        case None:
            return "–"
        case bool():
            return say("tui.yes" if value else "tui.no")
        case int() if field in SEATS and is_seat(room, value):
            return player_of(room)(value)[0]
        case str():
            return value if (found := own(room, f"value.{value}", {})) is None else found
        case list():
            between = "; " if any(isinstance(each, list | dict) for each in value) else ", "
            return between.join(shown(room, each, field) for each in value)[:_LONGEST] or "–"
        case dict():
            parts = (f"{spaced(name)} {shown(room, each, name)}" for name, each in value.items())
            return ", ".join(parts)[:_LONGEST] or "–"
    return str(value)


_learnt: dict[str, dict[str, Shown]] = {}
"""The layouts that servers have sent, by game."""


def learn_layout(game: str, layout: Plain | None) -> None:
    """Note the layout of a game that is not installed here; leave out what this client cannot show."""
    _learnt[game] = found = {}
    for field, shown in (layout or {}).items():
        with suppress(ValidationError):
            found[field] = convert(shown, Shown)


def layout_of(game: str) -> Mapping[str, Shown]:
    """Return how the fields of the views of ``game`` are shown, as far as the game declares it."""
    return games()[game].layout if game in games() else _learnt.get(game, {})


def is_seat(room: JoinedRoom, number: int) -> bool:
    """Return whether a player sits at seat ``number``."""
    return any(row["seat"] == number for row in room.table["seats"])


def seats(room: JoinedRoom) -> int:
    """Return how many seats the match has."""
    return 1 + max((row["seat"] for row in room.table["seats"]), default=-1)


def _has_places(key: str) -> bool:
    try:
        return phrases.has_places(key)
    except NO_WORDS:
        return False


def _players(player: Format, seats: Any) -> tuple[str, ...]:
    words = ", ".join(player(seat)[0] for seat in seats)
    return (words, "other") if words else ("", "none")


def _listed(room: JoinedRoom, value: Any) -> tuple[str, ...]:
    words = ", ".join(_worded(room, each)[0] for each in (value if isinstance(value, list) else [value]))
    return (words, "other") if words else ("", "none")


def _by_seat(room: JoinedRoom, player: Format, values: Any) -> tuple[str, ...]:
    """Return the values of a list by seat, or of a map, each after its player; without seats that have none."""
    pairs = values.items() if isinstance(values, dict) else enumerate(values)
    said = [f"{player(int(seat))[0]} {_listed(room, each)[0] or '–'}" for seat, each in pairs if each is not None]
    words = ("; " if any("," in each for each in said) else ", ").join(said)
    return (words, "other") if words else ("", "none")


def _worded(room: JoinedRoom, value: Any) -> tuple[str, ...]:
    """Return a text in the words of the game, and any other value as it is; the key of a case is the value itself."""
    words, *keys = plain(value)
    return shown(room, value) if isinstance(value, str) else words, *keys


_WIDEST = 64
"""Cells of the longest row or column of a board."""
_LEAST = 3
"""Rows and columns of the smallest board whose name does not say that it is one."""
_BOARDS = ("board", "grid", "rows", "cells", "field", "map")
_SHORT = 12
"""Letters of the longest card."""
_MARKS = ("line", "marks", "last", "path")
"""Names of lists of cells, each [row, column], that are pointed out on the board."""
_HANDS = ("hand", "card", "dice", "deck", "pile", "trick")
"""Words in names of numbers that are cards, even with as many as there are seats; so are lists with such a name."""
_OWN = frozenset(("hand", "dice", "cards", "tiles", "rack"))
"""Words in names of cards that their player decides with."""
_EMPTY = (None, "", " ", ".", "-", "_")
_SCALAR = (str, int, bool, type(None))


@attrs.frozen
class Grid:
    """A grid of cells, row by row from the top; an empty cell is ""."""

    name: str
    cells: tuple[tuple[str, ...], ...]

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.cells)

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.cells[0])


@attrs.frozen
class Cards:
    """A row of short values: as they are in the view, and in words."""

    name: str
    values: tuple[Any, ...]
    words: tuple[str, ...]


@attrs.frozen
class Seated:
    """A value for each seat, in words."""

    name: str
    words: tuple[str, ...]


@attrs.frozen
class TextTable:
    """Rows of words under ``heads``, which may be empty."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@attrs.frozen
class Fact:
    """A single value."""

    name: str
    words: str


@attrs.frozen
class MarkedCells:
    """Cells of the board to point out, as (row, column)."""

    cells: tuple[tuple[int, int], ...]


Part: TypeAlias = Grid | Cards | Seated | TextTable | MarkedCells | Fact


def parts(room: JoinedRoom) -> list[Part]:
    """Return the parts of the view, in its order, without whose turn it is."""
    return [part for _, part in _by_field(room)]


def in_sight(room: JoinedRoom, names: Container[str]) -> list[Part]:
    """Return the parts that a decision is about, then the hands.

    A decision is about the fields of the view that are among ``names``, those of its actions and their fields, and
    about maps with such a key.
    """
    view, layout = room.view or {}, layout_of(room.game)
    own = {field for field in view if not _OWN.isdisjoint(field.split("_"))}
    own |= {field for field, shown in layout.items() if shown.kind == "hand"}
    found = [(field, part) for field, part in _by_field(room) if not isinstance(part, Grid | MarkedCells)]
    maps = {
        field
        for field, value in view.items()
        if isinstance(value, dict) and any(key in names for key in value if key not in SEATS)
    }
    subjects = [part for field, part in found if field in names or field in maps]
    hands = [part for field, part in found if isinstance(part, Cards) and field in own]
    return [*(part for part in subjects if part not in hands), *hands]


def _by_field(room: JoinedRoom) -> Iterator[tuple[str, Part]]:
    for field, value in (room.view or {}).items():
        if field != "turn":
            yield from ((field, part) for part in _parts(room, field, value))


def _declared(room: JoinedRoom, field: str, value: Any, shows: Shown) -> Part:
    """Return the part that a field is by the layout."""
    name = heading(room, field)
    match shows.kind:
        case "board":
            return _grid(room, name, value)
        case "hand" | "cards":
            return _cards(room, name, field, value if isinstance(value, list) else [] if value is None else [value])
        case "pile":
            return Fact(name, str(value)) if (said := sentence(room, field, value)) is None else Fact("", said)
        case "sealed" | "badge":
            return Fact(name, ", ".join(shown(room, seat, "seat") for seat in value) or "–")
    return Seated(name, tuple(shown(room, each) for each in value))


def _grid(room: JoinedRoom, name: str, values: list[Any]) -> Grid:
    return Grid(name, tuple(tuple("" if cell in _EMPTY else shown(room, cell) for cell in row) for row in values))


def _cards(room: JoinedRoom, name: str, field: str, values: list[Any]) -> Cards:
    return Cards(name, tuple(values), tuple(shown(room, each, field.removesuffix("s")) for each in values))


def _parts(room: JoinedRoom, field: str, value: Any) -> Iterator[Part]:
    shows = layout_of(room.game).get(field)
    if shows is not None and fits(shows, value, seats(room)):
        yield _declared(room, field, value, shows)
    elif (said := sentence(room, field, value)) is not None:
        yield from [Fact("", said)] if said else []
    elif value == {} or not (name := heading(room, field)):
        return
    elif isinstance(value, list):
        yield _list(room, name, field, value)
    elif isinstance(value, dict):
        yield _map(room, name, field, value)
    else:
        yield Fact(name, shown(room, value, field))


def _list(room: JoinedRoom, name: str, field: str, values: list[Any]) -> Part:
    if field in _MARKS and all(_is_cell(each) for each in values):
        return MarkedCells(tuple((row, column) for row, column in values))
    if _is_board(field, values) and not (field not in _BOARDS and _of_seats(room, field, values)):
        return _grid(room, name, values)
    if _of_seats(room, field, values):
        return Seated(name, tuple(shown(room, each) for each in values))
    if values and all(isinstance(each, dict) for each in values):
        return _records(room, name, field, values)
    cards = _cards(room, name, field, values)
    if all(isinstance(each, _SCALAR) for each in values) and all(len(word) <= _SHORT for word in cards.words):
        return cards
    return TextTable(name, (), tuple((word,) for word in cards.words))


def _is_board(field: str, values: list[Any]) -> bool:
    least = 1 if field in _BOARDS else _LEAST
    if not least <= len(values) <= _WIDEST or len({type(row) for row in values}) > 1:
        return False
    if not isinstance(values[0], str | list) or len({len(row) for row in values}) > 1:
        return False
    short = all(isinstance(cell, _SCALAR) and len(str(cell)) <= _SHORT for row in values for cell in row)
    return short and least <= len(values[0]) <= _WIDEST


def _is_cell(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(each) is int for each in value)


def _of_seats(room: JoinedRoom, field: str, values: list[Any]) -> bool:
    if len(values) != seats(room) or len(values) < 2:
        return False
    if all(isinstance(each, list) for each in values):
        return field not in _HANDS
    return all(each is None or isinstance(each, int) for each in values) and not any(word in field for word in _HANDS)


def _map(room: JoinedRoom, name: str, field: str, values: Plain) -> Part:
    numbers = [str(seat) for seat in range(seats(room))]
    if values and set(values) <= set(numbers):
        return Seated(name, tuple(shown(room, values[each]) if each in values else "" for each in numbers))
    rows = ((heading(room, field, key), shown(room, each, key)) for key, each in values.items())
    return TextTable(name, (), tuple(rows))


def _records(room: JoinedRoom, name: str, field: str, values: list[Plain]) -> TextTable:
    keys = list(dict.fromkeys(key for each in values for key in each))
    rows = (tuple(shown(room, each.get(key), key) for key in keys) for each in values)
    return TextTable(name, tuple(heading(room, field, key) for key in keys), tuple(rows))
