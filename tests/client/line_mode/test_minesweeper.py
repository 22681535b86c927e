"""Minesweeper in the line mode as conversations: what the server says, what a person reads, types and sends."""

from typing import Any

from tests.client.line_mode.talk import Talk
from tests.client.messages import ROOM, joined, over, table, turn, update, welcome
from tests.client.minesweeper_rooms import player, view

from parlour_protocol.messages import Act, Error, Plain

NEW = view(player(0), rows=["...", "..."], phase="new")
OPEN = view(player(3), rows=["..1", ".21"])


class Game(Talk):
    """A person in a Minesweeper room."""

    def __init__(self, shown: Plain | None, *, options: Plain | None = None, keep: bool = False, **more: Any) -> None:
        super().__init__(keep=keep)
        agreed = options or {"mode": "solo", "level": "custom"}
        now = table("playing" if shown else "waiting", options=agreed, **more)
        self.entered = self.hear(welcome(), joined(0, game="minesweeper", view=shown, table=now))[3:]
        self.sent()

    def asks(self, seq: int, rid: int, shown: Plain, *events: Plain, **more: Any) -> list[str]:
        return self.hear(turn(seq, rid, [], *events, view=shown, **more))


def test_before_a_match_it_is_told_what_will_be_played() -> None:
    assert Game(None, options={"mode": "race", "level": "expert"}).entered[0] == "A race, level expert."


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


def test_odds_are_told_to_be_no_record_and_not_shown_where_times_count_or_the_table_has_none() -> None:
    def hinted(**more: Any) -> tuple[Game, list[str]]:
        game = Game(OPEN, **more)
        game.asks(1, 1, OPEN)
        return game, game.types("hint")[0]

    game, [hint, note] = hinted()
    assert hint == "Mines: b1. Least risk of a mine (50 %): a1, a2."
    assert "record" in note
    assert game.types("hint") == ([hint], [])
    timed, [why] = hinted(keep=True, size=1, unrated="alone")
    assert why != hint
    assert [each.client.room and each.client.room.helped for each in (game, timed)] == [True, False]
    assert hinted(keep=True, size=1, unrated="casual")[1] == [hint]
    assert hinted(hints=False)[1] == ["This table has no hints."]
    assert Game(None).types("hint") == (["There is no board yet."], [])


def test_the_board_is_shown_again_when_asked_for_and_not_by_a_refusal() -> None:
    game = Game(OPEN)
    game.asks(1, 1, OPEN)
    shown = ["    a b c", "  1 . . 1", "  2 . 2 1"]
    assert game.types("")[0] == [*shown, "Your move (14 s). 3 of 10 open, 0 of 2 mines marked."]
    assert game.types("board")[0] == game.types("hand")[0] == [*shown, "You have opened 3 cells."]
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


def test_the_end_shows_the_board_the_standings_and_the_statistics() -> None:
    game = Game(OPEN)
    game.asks(1, 1, OPEN)
    finished = view(player(4), rows=["M*1", "121"], phase="over")
    row = {"ms": 1000, "clicks": 2, "bbbv": 2, "rate": 2000, "efficiency": 100, "flagged": 0, "open": 100, "forced": 2}
    result: Any = {"ranks": {"0": 2}, "scores": {"0": 4}, "why": "lost", "stats": {"bbbv": 3, "seats": [row]}}
    told = game.hear(over(2, view=finished, result=result, events=[{"e": "review"}]))[:-2]
    assert told[:3] == ["    a b c", "  1 M * 1", "  2 1 2 1"]
    assert [line.split()[0] for line in told[3:]] == ["On", "The", "maria", "Digest", "The", "you:", "you:"]
