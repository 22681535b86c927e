"""What happens in Minesweeper, line by line."""

from typing import Any

import pytest
from tests.client.minesweeper_rooms import player, race, room, view

from parlour_client.core.errors import WrongProtocol
from parlour_client.text.minesweeper.words import event as describe
from parlour_protocol.messages import Plain

COOP = view(player(3), player(4), player(0), mode="coop", lives=2)
DUEL = view(player(), player(), mode="duel")
RACE = race(player(3), player(40), player(100, "done"), safe=100)


@pytest.mark.parametrize(
    ("shown", "event", "line"),
    [
        (COOP, {"e": "making"}, "Looking for a board without guessing."),
        (COOP, {"e": "board"}, None),
        (COOP, {"e": "board", "at": [3, 4], "n": 12}, "The mines are placed. d5 is open to begin with: 12 cells."),
        (COOP, {"e": "board", "n": 1}, "The mines are placed. Everybody has the same first cell: 1 cell."),
        (COOP, {"e": "open", "seat": 0, "at": [[3, 4]], "n": 1}, "You open d5."),
        (COOP, {"e": "open", "seat": 1, "at": [[3, 4]], "n": 12}, "otto opens d5: 12 cells."),
        (COOP, {"e": "open", "seat": 1, "at": [[3, 4], [0, 0]], "n": 2}, "otto opens d5, a1."),
        (
            COOP,
            {"e": "open", "seat": 0, "at": [[x, 0] for x in range(10)], "n": 30},
            "You open a1, b1, c1, d1, e1, f1, g1, h1 and 2 more: 30 cells.",
        ),
        (COOP, {"e": "flag", "seat": 0, "at": [[3, 4]], "on": True}, "You flag d5."),
        (COOP, {"e": "flag", "seat": 1, "at": [[3, 4], [0, 0]], "on": False}, "otto takes the flag off d5, a1."),
        (COOP, {"e": "mine", "seat": 0, "at": [3, 4]}, "You set off the mine at d5. 2 lives left."),
        (COOP, {"e": "out", "seat": 1, "why": "resigned"}, "otto resigns."),
        (COOP, {"e": "out", "seat": 1, "why": "left"}, "otto has left the match."),
        (COOP, {"e": "out", "seat": 1, "why": "clock"}, "otto is frozen."),
        (COOP, {"e": "out", "seat": 0, "why": "clock"}, "You can open nothing more; the others play on."),
        (COOP, {"e": "out", "seat": 0, "why": "resigned"}, "You are out."),
        (COOP, {"e": "end", "why": "won"}, "The board is clear: won."),
        (COOP, {"e": "end", "why": "lost"}, "The board is lost."),
        (COOP, {"e": "end", "why": "no_board"}, "No board without guessing was found."),
        (COOP, {"e": "end", "why": "race"}, None),
        (COOP, {"e": "review"}, None),
        (COOP, {"e": "from-the-future"}, None),
        (RACE, {"e": "mine", "seat": 1}, "otto sets off a mine."),
        (RACE, {"e": "mine", "seat": 0, "at": [0, 0]}, "You set off the mine at a1."),
        (RACE, {"e": "out", "seat": 1, "why": "mine"}, "otto is out."),
        (RACE, {"e": "out", "seat": 1, "why": "clock"}, "otto is out."),
        (RACE, {"e": "out", "seat": 0, "why": "mine"}, "You are out."),
        (RACE, {"e": "done", "seat": 0, "ms": 61_249}, "You have cleared the board in 61.2 s."),
        (RACE, {"e": "done", "seat": 1, "ms": 900}, "otto has cleared the board in 0.9 s."),
        (DUEL, {"e": "board"}, "The mines are placed."),
        (DUEL, {"e": "found", "seat": 0, "at": [[3, 4]]}, "You find a mine at d5."),
        (DUEL, {"e": "found", "seat": 1, "at": [[3, 4], [0, 0]]}, "otto finds mines at d5, a1."),
        (DUEL, {"e": "miss", "seat": 1, "at": [3, 4], "n": 1}, "otto finds no mine at d5."),
        (DUEL, {"e": "miss", "seat": 0, "at": [3, 4], "n": 7}, "You find no mine at d5; 7 cells come open."),
        (
            DUEL,
            {"e": "bomb", "seat": 1, "at": [3, 4], "n": 20, "found": 1},
            "otto bombs around d5: 1 mine, 20 cells open.",
        ),
        (DUEL, {"e": "pass", "seat": 0}, "You pass."),
        (DUEL, {"e": "out", "seat": 1, "why": "left"}, "otto has left the match."),
        (DUEL, {"e": "end", "why": "majority"}, None),
    ],
)
def test_an_event_is_a_line(shown: Plain, event: Plain, line: str | None) -> None:
    assert describe(room(shown), event) == line


def test_a_rival_is_heard_of_each_quarter_of_the_way() -> None:
    lines = []
    for opened in range(10, 101, 10):
        shown = race(player(0), player(opened), safe=100)
        lines.append(describe(room(shown), {"e": "open", "seat": 1, "n": 10}))
    assert [line for line in lines if line] == [
        "otto has opened 30 of 100.",
        "otto has opened 50 of 100.",
        "otto has opened 80 of 100.",
        "otto has opened 100 of 100.",
    ]


def test_who_is_done_is_told_once() -> None:
    assert describe(room(RACE), {"e": "open", "seat": 2, "n": 70}) is None


def test_marks_are_not_missed_when_much_happens_at_once() -> None:
    """The view tells how it stands after all of the events."""
    events: list[Plain] = [{"e": "open", "seat": seat, "n": n} for seat, n in ((1, 30), (2, 5), (1, 10), (1, 30))]
    here = room(race(player(0), player(70), player(5), safe=100), 0, None, *events)
    assert [describe(here, event) for event in here.events] == [
        "otto has opened 30 of 100.",
        None,
        None,
        "otto has opened 70 of 100.",
    ]


def test_a_spectator_is_never_addressed() -> None:
    assert describe(room(COOP, None), {"e": "open", "seat": 0, "at": [[0, 0]], "n": 1}) == "maria opens a1."


@pytest.mark.parametrize(
    "event",
    [
        {"e": "open", "seat": 0, "at": [7], "n": 1},
        {"e": "open", "seat": 0, "at": [[1, 2, 3]], "n": 1},
        {"e": "open", "seat": 0, "at": {"x": 1}, "n": 1},
        {"e": "open", "seat": 0, "at": 7, "n": 1},
        {"e": "open", "seat": 9, "n": 1},
        {"e": "open", "seat": "0", "n": 1},
        {"e": "open", "seat": 1, "n": "many"},
        {"e": "open", "seat": 1},
        {"e": "flag", "seat": 0},
        {"e": "mine", "seat": 0, "at": [0]},
        {"e": "done", "seat": 0, "ms": "soon"},
        {"e": "done", "seat": 0, "ms": None},
    ],
)
def test_what_cannot_be_understood_is_the_servers_fault(event: Any) -> None:
    """These are what the line mode takes for a breach of the protocol."""
    with pytest.raises((WrongProtocol, LookupError, TypeError, AttributeError)):
        describe(room(RACE), event)
