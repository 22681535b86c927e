"""Minesweeper in the line mode as conversations: what the server says, what a person reads, types and sends."""

from typing import Any

from tests.client.line_mode.talk import Talk
from tests.client.messages import ROOM, joined, over, table, turn, update, welcome
from tests.client.minesweeper_rooms import player, race, view

from parlour_protocol.messages import Act, Error, Plain

NEW = view(player(0), rows=["...", "..."], phase="new")
OPEN = view(player(3), rows=["..1", ".21"])


class Game(Talk):
    """A person in a Minesweeper room."""

    def __init__(
        self,
        shown: Plain | None,
        *,
        seat: int | None = 0,
        options: Plain | None = None,
        keep: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(keep=keep)
        agreed = options or {"mode": "solo", "level": "custom"}
        now = table("playing" if shown else "waiting", options=agreed, **more)
        self.entered = self.hear(welcome(), joined(0, seat=seat, game="minesweeper", view=shown, table=now))[3:]
        self.sent()

    def asks(self, seq: int, rid: int, shown: Plain, *events: Plain, **more: Any) -> list[str]:
        return self.hear(turn(seq, rid, [], *events, view=shown, **more))


def test_before_a_match_it_is_told_what_will_be_played() -> None:
    assert Game(None, options={"mode": "race", "level": "expert"}).entered == [
        "A race, level expert.",
        "Others join with: parlour join K7QD --server ws://localhost:7777",
        "Type ready to begin, ? for help.",
    ]


def test_a_game_alone() -> None:
    game = Game(None)
    assert game.asks(1, 1, NEW) == [
        "    a b c",
        "  1 . . .",
        "  2 . . .",
        "Open a first cell (14 s), for example b2; ? for help.",
    ]
    assert game.types("c2") == ([], [Act(ROOM, 1, {"do": "open", "cells": [[2, 1]]})])
    events: list[Plain] = [{"e": "board"}, {"e": "open", "seat": 0, "at": [[2, 1]], "n": 3}]
    assert game.asks(2, 2, OPEN, *events, ok={"rid": 1, "act": {"do": "open"}}) == [
        "You open c2: 3 cells.",
        "    a b c",
        "  1 . . 1",
        "  2 . 2 1",
        "Your move (14 s). 3 of 10 open, 0 of 2 mines marked.",
    ]
    assert game.types("c2") == (["c2 is open already. c c2 opens around it, if its flags are in place."], [])
    moves = [["flag", 0, 0], ["flag", 1, 0], ["chord", 1, 1]]
    assert game.types("f a1 b1 c b2") == ([], [Act(ROOM, 2, {"do": "seq", "moves": moves})])
    assert game.types("a1") == (["Your answer has been sent; please wait."], [])


def test_odds_are_told_to_be_no_record_and_not_shown_where_times_count() -> None:
    game = Game(OPEN)
    game.asks(1, 1, OPEN)
    [hint, note], _ = game.types("hint")
    assert "record" in note
    assert game.types("hint") == ([hint], [])
    assert game.client.room is not None
    assert game.client.room.helped
    timed = Game(OPEN, keep=True, size=1, unrated="alone")
    timed.asks(1, 1, OPEN)
    [why], _ = timed.types("hint")
    assert why != hint
    assert timed.client.room is not None
    assert not timed.client.room.helped
    casual = Game(OPEN, keep=True, size=1, unrated="casual")
    casual.asks(1, 1, OPEN)
    assert casual.types("hint")[0] == [hint]


def test_the_board_is_shown_again_when_asked_for() -> None:
    game = Game(OPEN)
    game.asks(1, 1, OPEN)
    shown = ["    a b c", "  1 . . 1", "  2 . 2 1"]
    assert game.types("")[0] == [*shown, "Your move (14 s). 3 of 10 open, 0 of 2 mines marked."]
    assert game.types("board")[0] == game.types("hand")[0] == [*shown, "You have opened 3 cells."]


def test_a_refusal_does_not_show_the_board_again() -> None:
    game = Game(OPEN)
    game.asks(1, 1, OPEN)
    refused = Error("illegal_action", "cell [9, 9] is off the board", room=ROOM, rid=1, left=9_000)
    assert game.hear(refused) == [
        "Not possible: cell [9, 9] is off the board.",
        "Your move (9 s). 3 of 10 open, 0 of 2 mines marked.",
    ]


def test_what_others_do_on_a_board_for_all_is_told_and_the_question_stays_open() -> None:
    before = view(player(0), player(0), mode="coop", rows=["...", "..."])
    after = view(player(0), player(3), mode="coop", rows=["..1", ".21"])
    game = Game(before)
    game.asks(1, 1, before)
    assert game.hear(update(2, {"e": "open", "seat": 1, "at": [[2, 0]], "n": 3}, view=after)) == [
        "otto opens c1: 3 cells."
    ]
    assert game.types("c1")[0] == ["c1 is open already. c c1 opens around it, if its flags are in place."]
    assert game.types("a1")[1] == [Act(ROOM, 1, {"do": "open", "cells": [[0, 0]]})]


def test_a_race_that_is_lost() -> None:
    game = Game(race(player(3), player(3), rows=["..1", ".21"]))
    game.asks(1, 1, race(player(3), player(3), rows=["..1", ".21"]))
    out = race(player(3, "out"), player(3), rows=["*.1", ".21"])
    events: list[Plain] = [{"e": "mine", "seat": 0, "at": [0, 0]}, {"e": "out", "seat": 0, "why": "mine"}]
    game.types("a1")
    assert game.hear(update(2, *events, view=out, ok={"rid": 1, "act": {"do": "open"}})) == [
        "You set off the mine at a1.",
        "You are out.",
    ]
    assert game.types("b1") == (["You are out; the others play on."], [])
    assert game.types("")[0] == ["    a b c", "  1 * . 1", "  2 . 2 1"]
    on: Plain = {"e": "open", "seat": 1, "n": 4}
    assert game.hear(update(3, on, view=race(player(3, "out"), player(7), rows=["*.1", ".21"]))) == [
        "otto has opened 7 of 10."
    ]


def test_the_end_shows_the_board_the_standings_and_the_statistics() -> None:
    game = Game(OPEN)
    game.asks(1, 1, OPEN)
    finished = view(player(4), rows=["M*1", "121"], phase="over")
    row = {"ms": 1000, "clicks": 2, "bbbv": 2, "rate": 2000, "efficiency": 100, "flagged": 0, "open": 100, "forced": 2}
    result: Any = {"ranks": {"0": 2}, "scores": {"0": 4}, "why": "lost", "stats": {"bbbv": 3, "seats": [row]}}
    assert game.hear(over(2, view=finished, result=result, events=[{"e": "review"}]))[:-2] == [
        "    a b c",
        "  1 M * 1",
        "  2 1 2 1",
        "On the board: M mine that nobody marked, * mine that was set off.",
        "The match is over (the board is lost). Standings:",
        "maria (you)  4",
        "Digest of the match file: d16e57",
        "The board has a 3BV of 3, the least number of openings that clears it.",
        "you: 1.0 s, 3BV 2 (2.00/s), 2 clicks, throughput 100 %, 0 % of the mines flagged, "
        "100 % of the safe cells open.",
        "you: openings: 2 certain, no guess.",
    ]


def test_a_hint_names_safe_cells_mines_and_the_least_risk() -> None:
    game = Game(None)
    assert game.types("hint") == (["There is no board yet."], [])
    game.asks(1, 1, NEW)
    assert game.types("hint") == (["Nothing is open yet: no cell is better than another."], [])
    game.asks(2, 2, OPEN)
    assert game.types("hint")[0][0] == "Mines: b1. Least risk of a mine (50 %): a1, a2."
    assert game.client.room is not None
    game.client.room.table["hints"] = False
    assert game.types("hint") == (["This table has no hints."], [])
