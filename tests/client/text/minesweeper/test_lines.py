from typing import Any

import pytest
from tests.client.messages import over
from tests.client.minesweeper_rooms import asked, player, race, room, view

from parlour_client.core.errors import WrongProtocol
from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import UnclearInput
from parlour_client.text.minesweeper import lines, sentences
from parlour_client.text.minesweeper.board import board_of
from parlour_client.text.minesweeper.lines import _title
from parlour_client.text.minesweeper.review import legend, review
from parlour_client.text.minesweeper.words import event as describe
from parlour_protocol.messages import Plain

BOARD = ["    a b c d", "  1 . . 1 F", "  2 1 1 1 2", "  3"]
DUEL = view(player(3, found=1, bomb="ready"), player(4, found=2, bomb="kept"), mode="duel", mines=51, turn=0)


@pytest.mark.parametrize(
    ("shown", "left", "line"),
    [
        (view(), 14_000, "Your move (14 s). 9 of 10 open, 1 of 2 mines marked."),
        (view(), None, "Your move. 9 of 10 open, 1 of 2 mines marked."),
        (view(phase="new", rows=["....."] * 5), 200, "Open a first cell (1 s), for example c3; ? for help."),
        (
            race(player(9), player(4), player(7, "out")),
            None,
            "Your move. 9 of 10 open, 1 of 2 mines marked. Opened by otto 4, pia 7 (out).",
        ),
        (
            view(player(9), player(0, "frozen"), mode="coop", lives=1),
            None,
            "Your move. 9 of 10 open, 1 of 2 mines marked. Opened by you 9, otto 0 (frozen).",
        ),
        (
            DUEL,
            None,
            "Your turn: find a mine. Found: you 1 (A), otto 2 (B); 26 of 51 win. You may throw your bomb: b CELL.",
        ),
        (
            {**DUEL, "players": DUEL["players"][::-1]},
            None,
            "Your turn: find a mine. Found: you 2 (A), otto 1 (B); 26 of 51 win.",
        ),
    ],
)
def test_the_prompt(shown: Plain, left: int | None, line: str) -> None:
    assert lines.question(asked(shown, left)) == [line]


def test_lives_are_told_where_there_is_more_than_one() -> None:
    here = asked(view(mode="coop", lives=2), options={"lives": 3})
    assert lines.question(here) == ["Your move (14 s). 9 of 10 open, 1 of 2 mines marked, 2 lives left."]


@pytest.mark.parametrize(
    ("here", "told"),
    [
        (asked(None), "There is no board yet."),
        (asked(view(phase="making")), "The board is being made."),
        (asked(view(phase="over")), "The board is finished."),
        (asked(race(player(9, "out"))), "You are out; the others play on."),
        (asked(race(player(9, "done"))), "You have cleared the board; the others play on."),
        (asked(view(player(9, "frozen"), mode="coop")), "Your clock has run out; the others play on."),
        (asked({**view(), "rows": None}), "The board is finished."),
        (room(view()), "There is nothing to decide now."),
        (room({**DUEL, "turn": 1}), "It is not your turn: otto is asked."),
        (room({**DUEL, "turn": None}), "There is nothing to decide now."),
        (room(view(), None), "You are watching."),
    ],
)
def test_where_nothing_is_asked_an_answer_is_told_why(here: JoinedRoom, told: str) -> None:
    assert lines.question(here) == []
    with pytest.raises(UnclearInput, match=told):
        lines.choose(here, "a1")


def test_the_board_comes_with_its_legend_when_all_is_over() -> None:
    assert lines.board(room(view())) == BOARD
    rows = ["M.1X", "111F", "*000"]
    assert lines.board(room(view(phase="over", rows=rows)))[-1] == (
        "On the board: F mine, M mine that nobody marked, X wrong flag, * mine that was set off."
    )
    assert lines.board(room(None)) == []


@pytest.mark.parametrize(
    ("shown", "seat", "line"),
    [
        (None, 0, "There is no board yet."),
        (view(), 0, "You have opened 9 cells."),
        (DUEL, 0, "You have found 1 mine; your bomb is ready."),
        (DUEL, 1, "You have found 2 mines; your bomb is for when you are behind."),
        (view(), None, "You are watching."),
        ({**race(), "rows": None}, None, "You are watching. Spectators see the board of a race when it is over."),
    ],
)
def test_what_there_is_in_place_of_a_hand(shown: Plain | None, seat: int | None, line: str) -> None:
    assert lines.hand(room(shown, seat)) == line


def test_how_things_stand() -> None:
    assert lines.state(room(view())) == [
        "Alone, level beginner: 4×3 cells, 2 mines.",
        "9 of 10 open, 1 of 2 mines marked.",
    ]
    watched = {**race(player(9), player(4)), "rows": None}
    assert lines.state(room(watched, None))[1] == "10 cells to open. Opened by maria 9, otto 4."
    assert lines.state(room(None)) == ["Alone, level beginner."]
    custom = room(None)
    custom.table = {**custom.table, "options": {"mode": "race", "level": "custom", "width": 5, "height": 4, "mines": 3}}
    assert lines.state(custom) == ["A race: 5×4 cells, 3 mines."]


@pytest.mark.parametrize(
    ("options", "title"),
    [
        ({"mode": "race", "level": "expert", "no_guess": True}, "A race, level expert, no guess needed"),
        ({"mode": "race", "level": "expert", "penalty": 5000}, "A race, level expert, 5 s for a mine"),
        ({"mode": "coop", "level": "custom", "lives": 3}, "Together, 3 lives"),
        ({"mode": "duel", "level": "beginner"}, "A duel"),
        ({"mode": "duel", "level": "custom"}, "A duel"),
        ({"mode": "chase", "level": ["?"]}, "chase, level ['?']"),
    ],
)
def test_what_was_agreed_on(options: Plain, title: str) -> None:
    assert _title(options) == title


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"do": "open", "cells": [[3, 4]]}, "open d5"),
        ({"do": "bomb", "at": [0, 0]}, "bomb a1"),
        ({"do": "seq", "moves": [["open", 0, 0]] * 3}, "3 moves"),
        ({"do": "pass"}, "pass"),
    ],
)
def test_actions(action: Plain, words: str) -> None:
    assert sentences.action(room(view()), action) == words


def test_the_help_is_true() -> None:
    """What the help gives as examples can be typed."""
    rows = ["........"] * 3 + ["...1...."] + ["........"] * 4
    for text in ("d5", "d5 e6 f6", "f d5", "f d5 e5", "f d5 c d4", "resign"):
        assert lines.choose(asked(view(rows=rows)), text)[0] == 7
    assert "f d5 e5 c d4" in " ".join(lines.manual())


COOP = view(player(3), player(4), player(0), mode="coop", lives=2)
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


ROW: Plain = {
    "ms": 61_249, "clicks": 41, "opened": 71, "bbbv": 34, "rate": 555, "efficiency": 82, "flagged": 40, "open": 100,
    "forced": 30, "unjudged": 0, "guesses": [[3, 4, 5000], [0, 0, 8_939]],
}  # fmt: skip


def told(stats: Any, seat: int | None = 0) -> list[str]:
    result: Any = {"ranks": {"0": 1}, "scores": {"0": 71}, "why": "won", **({} if stats is None else {"stats": stats})}
    return review(room(view(player(), player()), seat), over(1, result=result))


def test_the_statistics_of_a_seat() -> None:
    assert told({"bbbv": 34, "seats": [ROW]}) == [
        "The board has a 3BV of 34, the least number of openings that clears it.",
        "you: 61.2 s, 3BV 34 (0.56/s), 41 clicks, throughput 82 %, 40 % of the mines flagged, "
        "100 % of the safe cells open.",
        "you: openings: 30 certain, 2 guesses (d5 at 50 %, a1 at 89.39 %).",
    ]


def test_the_others_are_called_by_name() -> None:
    row = {**ROW, "clicks": 1, "guesses": [[0, 0, 1]], "unjudged": 3}
    lines = told({"bbbv": 34, "seats": [row, {**ROW, "guesses": []}]}, None)
    assert lines[1].startswith("maria: 61.2 s, 3BV 34 (0.56/s), 1 click,")
    assert lines[2] == "maria: openings: 30 certain, 1 guess (a1 at 0.01 %), 3 not judged."
    assert lines[4] == "otto: openings: 30 certain, no guess."


def test_many_guesses_are_not_all_named() -> None:
    [line] = told({"bbbv": 1, "seats": [{**ROW, "guesses": [[0, 0, 5000]] * 20}]})[2:]
    assert line.count("a1 at 50 %") == 12
    assert line.endswith(", 8 more).")


@pytest.mark.parametrize("stats", [None, {"seats": [{"found": 3, "opened": 4}]}])
def test_without_statistics_nothing_is_told(stats: Any) -> None:
    assert told(stats) == []


@pytest.mark.parametrize(
    "stats",
    [
        {"bbbv": "34", "seats": []},
        {"bbbv": 34},
        {"bbbv": 34, "seats": [{**ROW, "ms": None}]},
        {"bbbv": 34, "seats": [{**ROW, "guesses": [[1, 2]]}]},
        {"bbbv": 34, "seats": [{**ROW, "guesses": [[1, 200, 3]]}]},
    ],
)
def test_statistics_that_are_none_are_the_servers_fault(stats: Any) -> None:
    with pytest.raises(WrongProtocol):
        told(stats)


def test_the_legend_names_what_is_there() -> None:
    finished = board_of(room(view(phase="over", rows=["F1"])))
    assert finished
    assert legend(finished) == ["On the board: F mine."]
    untouched, running = board_of(room(view(phase="over", rows=["11"]))), board_of(room(view(rows=["F1"])))
    assert untouched
    assert running
    assert legend(untouched) == legend(running) == []
