"""Any game in words, from its view, events and actions; implements ``base.Lines`` and ``text_view.Sentences``."""

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from parlour_client.core.phrases import say
from parlour_client.core.printing import time_left
from parlour_client.core.room import JoinedRoom
from parlour_client.text.actions import (
    CellAddress,
    Group,
    Way,
    cell_names,
    column_name,
    described,
    grouped,
    typed,
    ways,
    ways_of,
)
from parlour_client.text.actions import action as action
from parlour_client.text.base import UnclearInput, player_of
from parlour_client.text.shapes import (
    Cards,
    Fact,
    Grid,
    Part,
    Seated,
    TextTable,
    own,
    parts,
    phrase,
    seats,
    shown,
    spaced,
)
from parlour_protocol.messages import Offer, Over, Plain

_MOST = 40
"""Choices that are listed at a time."""
_SEVERAL = 8
"""Choices from which each gets no line of its own."""
_COLUMNS = 78
"""The length of a line of choices."""


def manual() -> list[str]:
    """Return how to answer, in a few lines."""
    return [say(f"line.any.help.{part}") for part in ("choice", "cell", "board")]


def in_short(game: str, options: Plain) -> list[str]:
    """Return the names of the options that are on."""
    return [
        spaced(name) if (found := phrase(game, f"option.{name}")) is None else found
        for name, value in options.items()
        if value is True
    ]


def how_to(game: str, options: Plain) -> list[str]:
    """Return the phrases ``manual.1``, ``manual.2`` and so on of the game."""
    told: list[str] = []
    while (sentence := phrase(game, f"manual.{len(told) + 1}", options)) is not None:
        told.append(sentence)
    return told


def event(room: JoinedRoom, event: Plain) -> str | None:
    """Return a line about ``event``, None if the game's words say that it is not worth one."""
    what = str(event.get("e", ""))
    found = own(room, f"event.{what}", {**event, **cell_names(room, event)})
    if found is not None:
        return found or None
    rest = {field: value for field, value in event.items() if field not in ("e", "seat")}
    facts = ", ".join(f"{spaced(field)} {shown(room, value, field)}" for field, value in rest.items())
    said = f"{spaced(what)}{f' ({facts})' if facts else ''}"
    seat = event.get("seat")
    if not isinstance(seat, int):
        return f"{said.capitalize()}."
    return f"{shown(room, seat, 'seat').capitalize() if seat == room.seat else room.name(seat)}: {said}."


def state(room: JoinedRoom) -> list[str]:
    """Return everything but the boards; before a match, the options."""
    if room.view is None:
        options = room.table["options"]
        return [_option(room, name, value) for name, value in options.items()]
    return list(chain.from_iterable(_lines(room, part) for part in parts(room) if not isinstance(part, Grid)))


def _option(room: JoinedRoom, name: str, value: Any) -> str:
    label, chosen = phrase(room.game, f"option.{name}"), phrase(room.game, f"option.{name}.{value}")
    return f"{label or spaced(name).capitalize()}: {shown(room, value) if chosen is None else chosen}."


def board(room: JoinedRoom) -> list[str]:
    """Return the boards as lines, with the names of columns and rows."""
    return list(chain.from_iterable(_picture(part) for part in parts(room) if isinstance(part, Grid)))


def turn(room: JoinedRoom) -> list[str]:
    """Return a line about whose turn it is, if the view says so."""
    seat = (room.view or {}).get("turn")
    return [say("line.any.turn", {"seat": seat}, {"player": player_of(room)})] if isinstance(seat, int) else []


def rows(room: JoinedRoom) -> list[str]:
    """Return a line for each row of a board, with the name and the sign of each cell that is not empty."""
    found = []
    for part in parts(room):
        if isinstance(part, Grid):
            found.append(say("line.any.size", name=part.name, width=part.width, height=part.height))
            for number, row in enumerate(part.cells):
                filled = [f"{CellAddress(number, column).name} {cell}" for column, cell in enumerate(row) if cell]
                found.append(say("line.any.row", n=number + 1, cells=", ".join(filled) or None))
    return found


def question(room: JoinedRoom) -> list[str]:
    """Return the prompt: the question, what is on the table, and the numbered choices."""
    if room.question is None:
        return []
    left = None if room.question.left is None else time_left(max(1000, room.question.left))
    return [say("line.any.asked", left=left), *state(room), *listed(room, ways(room))]


def hint(room: JoinedRoom) -> list[str]:
    """Return the numbered choices."""
    return listed(room, ways(room)) or [say("line.idle")]


def offer(room: JoinedRoom, offer: Offer) -> str | None:
    """Return a line with the numbered choices of an optional decision."""
    numbered = [(n, way) for n, way in enumerate(ways(room), 1) if way.rid == offer["rid"]]
    return say("line.any.offer", choices="  ".join(f"{n} {way.words}" for n, way in numbered[:_MOST]))


def choose(room: JoinedRoom, text: str) -> tuple[int, Plain]:
    """Return the rid and the action for ``text``. Raises UnclearInput."""
    found, wanted = ways(room), " ".join(text.lower().split())
    if room.question is not None and wanted == "resign" and not any(way.action.get("do") == "resign" for way in found):
        return room.question.rid, {"do": "resign"}
    if not found:
        raise UnclearInput(_waiting(room))
    fitting, grouping = typed(found, wanted, 1), len(grouped(found)) < len(found)
    if not fitting and not (wanted.isdigit() and grouping):
        numbers = {word for word in wanted.split() if word.isdigit()}
        fitting = [way for way in matching(found, wanted) if numbers <= {*re.findall(r"\d+", way.words)}]
    if len(fitting) == 1:
        return fitting[0].rid, fitting[0].action
    raise UnclearInput(
        " ".join([say("line.any.unclear", word=text[:40], n=len(fitting)), *listed(room, fitting or found)])
    )


def hand(room: JoinedRoom) -> str:
    """Return the cards of the view."""
    if room.view is None:
        return say("line.not_dealt")
    return "  ".join(chain.from_iterable(_lines(room, part) for part in parts(room) if isinstance(part, Cards)))


def review(room: JoinedRoom, over: Over) -> list[str]:
    """Return nothing: the standings are enough."""
    return []


def writing() -> list[str]:
    """Return how to write an answer."""
    return [say("line.view.writing", example='{"do": "resign"}')]


def situation(room: JoinedRoom) -> list[str]:
    """Return whose turn it is, a line for each field of the view, and one for each row of a board."""
    return [*turn(room), *state(room), *rows(room)]


def choices(room: JoinedRoom, legal: Iterable[Plain]) -> list[str]:
    """Return a line for each action, with its index; one for many of a kind, with the values that they can have."""
    items = grouped(ways_of(room, 0, legal))
    return [described(room, item) if isinstance(item, Group) else f"{item.index}: {item.words}" for item in items]


def by_number(room: JoinedRoom, legal: Iterable[Plain], number: int) -> list[int]:
    """Return the indices of the actions that a number names: one of the lines, or the value of a group's only field."""
    return [way.index for way in typed(ways_of(room, 0, legal), str(number), 0)]


def matching(found: Sequence[Way], wanted: str) -> list[Way]:
    """Return the actions that ``wanted`` names.

    By all their words; else by a place; else by some of their words in this order, as ``3 4`` names "Bid 3 × 4"; else
    by parts of their words.
    """
    wanted = wanted.lower()
    named = _tokens(wanted)
    whole = [way for way in found if way.words.lower() == wanted] or [
        way for way in found if named and _tokens(way.words) == named
    ]
    placed = [way for way in found if wanted and "".join(place.name for place in way.places) == wanted.replace(" ", "")]
    in_order = [way for way in found if named and _follow(named, _tokens(way.words))]
    parts = (way for way in found if all(word in way.words.lower() for word in wanted.split()))
    return whole or placed or in_order or [*parts]


def listed(room: JoinedRoom, found: Sequence[Way]) -> list[str]:
    """Return choices with their numbers, from 1; many of one kind as a line about the values that they can have."""
    items, every = grouped(found), ways(room)
    numbered = grouped(every)
    single = [
        f"{every.index(way) + 1} {way.words}" if way in numbered else way.words for way in items if isinstance(way, Way)
    ]
    more = [say("line.any.more", n=len(single) - _MOST)] if len(single) > _MOST else []
    return [*_rows(single[:_MOST]), *more, *(described(room, item) for item in items if isinstance(item, Group))]


def _rows(choices: list[str]) -> list[str]:
    """Return a line for each of a few choices, otherwise lines of several."""
    if len(choices) <= _SEVERAL:
        return choices
    rows = [""]
    for choice in choices:
        if rows[-1] and len(rows[-1]) + 2 + len(choice) > _COLUMNS:
            rows.append("")
        rows[-1] += f"  {choice}" if rows[-1] else choice
    return rows


def _tokens(words: str) -> list[str]:
    """Return the words and numbers, without the signs between them; an ``x`` between numbers is such a sign."""
    return re.findall(r"\w+", re.sub(r"(?<=\d)\s*x\s*(?=\d)", " ", words.lower()))


def _follow(wanted: list[str], words: list[str]) -> bool:
    """Return whether ``wanted`` occur among ``words`` in this order."""
    rest = iter(words)
    return all(word in rest for word in wanted)


def _lines(room: JoinedRoom, part: Part) -> list[str]:
    match part:
        case Fact(name, words):
            return [f"{name}: {words}" if name else words]
        case Cards(name, _, words):
            return [f"{name}: {' '.join(words) or '–'}"]
        case Seated(name, words):
            named = (f"{shown(room, seat, 'seat')} {words[seat]}" for seat in range(seats(room)))
            return [f"{name}: {('; ' if any(',' in each for each in words) else ', ').join(named)}"]
        case TextTable(name, heads, rows):
            return [f"{name}:", *("  " + "  ".join(row) for row in (*([heads] if heads else []), *rows))]
    return []


def _picture(board: Grid) -> list[str]:
    wide = max(1, *(len(cell) for row in board.cells for cell in row), len(column_name(board.width - 1)))
    side = len(str(board.height))
    head = " ".join(column_name(column).rjust(wide) for column in range(board.width))
    rows = (" ".join((cell or ".").rjust(wide) for cell in row) for row in board.cells)
    return [" " * side + " " + head, *(f"{number:>{side}} {row}" for number, row in enumerate(rows, 1))]


def _waiting(room: JoinedRoom) -> str:
    if room.seat is None:
        return say("line.watching")
    if (room.view or {}).get("turn") == room.seat:
        return say("line.idle")
    return next(iter(turn(room)), say("line.idle"))
