"""Minesweeper in the line mode as conversations: what the server says, what a person reads, types and sends."""

from typing import Any

import pytest
from tests.client.messages import ROOM, joined, over, table, turn, update, welcome
from tests.client.minesweeper_rooms import player, race, view

from parlour_client.core.errors import WrongProtocol
from parlour_client.core.session import Session
from parlour_client.line_commands import Commands, Dialogue
from parlour_client.play.entry import Entry
from parlour_client.play.room_client import RoomClient
from parlour_protocol.messages import Act, Error, Join, Plain, ServerMessage

URL = "ws://localhost:7777"
NEW = view(player(0), rows=["...", "..."], phase="new")
OPEN = view(player(3), rows=["..1", ".21"])


class Game:
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
        self.session = Session("maria", entropy=bytes)
        self.session.hello()
        self.client = RoomClient(self.session, Entry(URL, Join(ROOM), "maria", keep=keep), url=URL)
        self.dialogue = Dialogue(self.client)
        self._commands = Commands(self.dialogue)
        agreed = table(
            "playing" if shown else "waiting", options=options or {"mode": "solo", "level": "custom"}, **more
        )
        entered = self.hear(welcome(), joined(0, seat=seat, game="minesweeper", view=shown, table=agreed))
        self.client.outgoing.clear()
        self.entered = entered[3:]

    def hear(self, *messages: ServerMessage) -> list[str]:
        for message in messages:
            if self.session.is_news(message):
                self.session.receive(message)
                self.dialogue.message(message)
        lines, self.dialogue.out = self.dialogue.out, []
        return lines

    def asks(self, seq: int, rid: int, shown: Plain, *events: Plain, **more: Any) -> list[str]:
        return self.hear(turn(seq, rid, [], *events, view=shown, **more))

    def types(self, text: str) -> tuple[list[str], list[Any]]:
        self._commands.line(text)
        sent = list(self.client.outgoing)
        self.client.outgoing.clear()
        for message in sent:
            self.session.outgoing(message)
        return self.hear(), sent


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


def test_a_duel_in_turns() -> None:
    duel = view(player(found=0, bomb="kept"), player(found=0, bomb="kept"), mode="duel", turn=0, rows=["...", "..."])
    game = Game(duel)
    game.asks(1, 1, duel)
    game.types("a1")
    passed = {**duel, "turn": 1}
    missed: Plain = {"e": "miss", "seat": 0, "at": [0, 0], "n": 1}
    assert game.hear(update(2, missed, view=passed, ok={"rid": 1, "act": {"do": "open"}})) == [
        "You find no mine at a1."
    ]
    assert game.types("b1")[0] == ["It is not your turn: otto is asked."]


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


def test_a_spectator_of_a_race_is_told_numbers_only() -> None:
    shown = {**race(player(3), player(4)), "rows": None}
    game = Game(shown, seat=None)
    assert game.entered == ["Alone: 4×3 cells, 2 mines.", "10 cells to open. Opened by maria 3, otto 4."]
    assert game.types("board")[0] == ["You are watching. Spectators see the board of a race when it is over."]


@pytest.mark.parametrize("rows", [7, ["...", ".."], ["\x1b[2", "..."], [[], []], {"0": "..."}])
def test_rows_that_are_none_are_a_breach_of_the_protocol(rows: Any) -> None:
    game = Game(OPEN)
    with pytest.raises(WrongProtocol, match="a board from the server cannot be understood"):
        game.asks(1, 1, {**OPEN, "rows": rows})
    with pytest.raises(WrongProtocol):
        game.types("a1")


def test_coming_back_shows_how_it_stands() -> None:
    game = Game(OPEN)
    game.session.hello()
    more: dict[str, Any] = {"game": "minesweeper", "table": table("playing", options={"mode": "duel"}), "view": OPEN}
    assert game.hear(welcome(ROOM), joined(900, why="resume", gap=True, **more))[1:] == [
        "Back in room K7QD. You may have missed events:",
        "A duel: 3×2 cells, 2 mines.",
        "3 of 10 open, 0 of 2 mines marked.",
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
