"""What is told when a match is over."""

from typing import Any

import pytest
from tests.client.messages import over
from tests.client.minesweeper_rooms import player, room, view
from tests.client.tui.games.minesweeper.tables import TRUECOLOUR

from parlour_client.core.errors import WrongProtocol
from parlour_client.tui.games.minesweeper.progress import standings, statistics

SEAT: dict[str, Any] = {
    "ms": 41_260, "clicks": 50, "opened": 9, "bbbv": 40, "rate": 969, "efficiency": 80, "flagged": 90, "open": 100,
}  # fmt: skip


def told(stats: Any, rows: list[str] | None = None) -> list[str]:
    here = room(view(player(9), player(3), phase="over", rows=rows))
    here.over = over(9, result={"ranks": {"0": 1}, "scores": {"0": 9}, "why": "won", "stats": stats})
    return [line.plain for line in statistics(TRUECOLOUR, here)]


def test_a_table_and_what_the_openings_were() -> None:
    guesses = [[0, 0, 8_590], [1, 0, 8_455], [2, 0, 50], [3, 0, 0]]
    lines = told(
        {"bbbv": 40, "seats": [{**SEAT, "forced": 30, "guesses": guesses, "unjudged": 2}, {**SEAT, "clicks": 0}]},
        ["..1F", "*M1X", "0000"],
    )
    assert lines[0].split() == ["time", "3BV", "3BV/s", "clicks", "thrupt", "flags", "open"]
    assert lines[1].split() == ["you", "41.3", "s", "40", "0.97", "50", "80", "%", "90", "%", "100", "%"]
    assert lines[2].split()[0] == "otto"
    assert lines[3] == "3BV of the board: 40. The column: how much of it each opened."
    assert lines[4:] == [
        "you           30 certain, 4 guesses (a1 85.9 %, b1 84.5 %, c1 0.5 %, 1 more), 2 not judged",
        "⚑ mine   ✱ unmarked mine   ✱! set off   ⚐x wrong flag",
    ]
    assert max(map(len, lines[:4])) <= 66
    assert {len(line) for line in lines[:3]} == {len(lines[0])}


def test_one_guess_and_none() -> None:
    seats = [{**SEAT, "guesses": [[0, 0, 5_000]]}, {**SEAT, "forced": 4}]
    lines = told({"bbbv": 40, "seats": seats})
    assert "you           0 certain, 1 guess (a1 50 %)" in lines
    assert "otto          4 certain, no guess" in lines


def test_a_board_with_nothing_but_flags_needs_no_legend() -> None:
    lines = told({"bbbv": 40, "seats": [{**SEAT, "forced": 4}]}, ["FF1F", "FF11", "1100"])
    assert lines[-1] == "you           4 certain, no guess"


@pytest.mark.parametrize("stats", [None, {}, {"seats": [{"found": 3, "opened": 2}]}])
def test_nothing_is_told_of_a_duel_or_of_no_board(stats: Any) -> None:
    assert told(stats) == []


def test_statistics_that_are_none_are_the_servers_fault() -> None:
    with pytest.raises(WrongProtocol):
        told({"bbbv": "many", "seats": []})


def test_nothing_is_told_before_the_end() -> None:
    assert statistics(TRUECOLOUR, room(view())) == []
    assert standings(TRUECOLOUR, room(view())) == []


def test_the_standings_have_places_and_the_only_seat_its_time() -> None:
    here = room(view(player(9), player(3), phase="over"))
    stats = {"bbbv": 40, "seats": [{**SEAT, "open": 62}, {**SEAT, "ms": 39_000}]}
    here.over = over(9, result={"ranks": {"0": 2, "1": 1}, "scores": {}, "why": "won", "stats": stats})
    assert [line.plain.split() for line in standings(TRUECOLOUR, here)] == [
        ["time", "open"],
        ["1.", "otto", "39.0", "s", "100", "%"],
        ["2.", "you", "41.3", "s", "62", "%"],
    ]
    here.table["options"]["mode"] = "coop"
    assert [line.plain for line in standings(TRUECOLOUR, here)] == ["time 41.3 s   open 62 %"]
    stats["seats"] = [SEAT]
    assert [line.plain for line in standings(TRUECOLOUR, here)] == ["time 41.3 s   open 100 %"]
