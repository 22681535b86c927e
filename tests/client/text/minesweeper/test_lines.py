"""The prompt, the board and how things stand."""

import pytest
from tests.client.minesweeper_rooms import asked, player, race, room, view

from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import UnclearInput
from parlour_client.text.minesweeper import lines, sentences
from parlour_client.text.minesweeper.lines import _title
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
