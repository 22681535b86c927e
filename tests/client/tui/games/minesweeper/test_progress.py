"""What is told above the board of each seat, and when a match is over."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.client.messages import over, row
from tests.client.minesweeper_rooms import player, room, view
from tests.client.tui.games.minesweeper.tables import TRUECOLOUR
from tests.client.tui.seated import Time

from parlour_client.core.errors import WrongProtocol
from parlour_client.core.room import JoinedRoom
from parlour_client.text.minesweeper.board import board_of
from parlour_client.tui.games.minesweeper.progress import Stopwatch, columns_for, seats, standings, statistics, status

SEATED = ["in", "out", "done", "frozen"]


def race(*players: dict[str, Any], mode: str = "race", seat: int | None = 0, **more: Any) -> JoinedRoom:
    here = room(view(*players, mode=mode, **more), seat)
    here.table["seats"] = [row(seat, f"player-{seat}") for seat in range(len(players))]
    here.players = {seat: f"player-{seat}" for seat in range(len(players))}
    return here


def told(here: JoinedRoom, width: int = 80, rows: int = 5) -> list[str]:
    board = board_of(here)
    assert board
    return [line.plain for line in seats(TRUECOLOUR, here, board, width, rows)]


@given(st.lists(st.sampled_from(SEATED), min_size=2, max_size=10), st.integers(30, 200), st.integers(1, 5))
def test_all_lines_fit_and_everybody_has_a_place_or_is_counted(states: list[str], width: int, rows: int) -> None:
    lines = told(race(*[player(5, state, ms=61_500) for state in states]), width, rows)
    assert len(lines) <= rows
    assert {len(line) for line in lines} == {len(lines[0])}
    assert len(lines[0]) <= width
    shown = sum(line.count("player-") for line in lines)
    if shown < len(states):
        assert f"and {len(states) - shown} more" in " ".join(lines)


def test_kind_share_and_state_of_each_racer_whose_names_do_nothing_to_the_terminal() -> None:
    here = race(player(5), player(10, "done", ms=41_260), player(2, "out"))
    here.table["seats"][1]["kind"] = "bot"
    here.players[1] = "\x1b[\u202eevil"
    here.table["seats"][2]["here"] = False
    (line,) = told(here, 100)
    for words in ("0 human", "50%", "\ufffd[\ufffdevil", "41.3 s", "2 away"):
        assert words in line
    assert line.rstrip().endswith("out")


def test_in_coop_it_is_told_who_opened_how_many_and_in_a_duel_sides_turn_finds_and_bombs() -> None:
    lines = told(race(player(3), player(4), mode="coop", lives=1, open=7))
    assert lines[0].split()[-1] == "4"
    assert " 3 " in lines[0]
    here = race(player(0, found=1, bomb="ready"), player(0, found=2, bomb="thrown"), mode="duel", turn=1)
    (line,) = told(here)
    assert line.startswith(" A player-0")
    for words in ("▸B player-1", "1, may bomb", "2, no bomb"):
        assert words in line


def test_of_too_many_those_who_are_ahead_are_shown_and_ourselves() -> None:
    names = " ".join(told(race(*[player(n) for n in range(10)], seat=0), 60, 2))
    assert [words for words in ("player-0", "player-9", "and 7 more") if words not in names] == []


@pytest.mark.parametrize(
    ("count", "width", "columns"), [(2, 80, 2), (3, 80, 3), (4, 80, 2), (10, 78, 3), (5, 60, 2), (3, 20, 1)]
)
def test_how_many_stand_side_by_side(count: int, width: int, columns: int) -> None:
    assert columns_for(count, width) == columns


def test_status_counts_mines_and_lives() -> None:
    here = room(view(player(0), mode="coop", lives=2), 0, {"lives": 3})  # all were open from the start
    board = board_of(here)
    assert board
    line = " ".join(status(TRUECOLOUR, here, board, "01:23", 80).plain.split())
    assert line == f"⚑ 1 mine left ◷ 01:23 ▦ 90% cleared {TRUECOLOUR.glyphs.lives} 2 lives"


def test_the_stopwatch() -> None:
    time = Time()
    watch = Stopwatch(time)
    new, playing, over = (board_of(room(view(phase=phase))) for phase in ("new", "playing", "over"))
    for at, board, ms, then, shown in (
        (0.0, new, None, 100.0, "00:00"),
        (100.0, playing, None, 183.0, "01:23"),
        (183.0, over, None, 500.0, "01:23"),
        (500.0, over, 84_999, 500.0, "01:24"),  # the server knows better
        (500.0, new, None, 500.0, "00:00"),  # a rematch
    ):
        time.now = at
        watch.update(board, ms)
        time.now = then
        assert watch.text() == shown
    late = Stopwatch(time)
    late.update(playing, None)
    time.now += 3_700.0
    assert late.text() == "61:40+", "who comes late does not know"
    late.update(playing, 3_800_000)
    assert late.text() == "63:20"


def test_the_stopwatch_of_a_race_begins_when_the_board_has_come() -> None:
    time = Time()
    watch = Stopwatch(time)
    watch.update(board_of(room(view(phase="over"))), 10_000)
    watch.begin()
    time.now = 50.0
    watch.update(board_of(room(view())), None)
    time.now = 53.0
    assert watch.text() == "00:03"


SEAT: dict[str, Any] = {
    "ms": 41_260, "clicks": 50, "opened": 9, "bbbv": 40, "rate": 969, "efficiency": 80, "flagged": 90, "open": 100,
}  # fmt: skip


def ended(stats: Any, rows: list[str] | None = None) -> list[str]:
    here = room(view(player(9), player(3), phase="over", rows=rows))
    here.over = over(9, result={"ranks": {"0": 1}, "scores": {"0": 9}, "why": "won", "stats": stats})
    return [line.plain for line in statistics(TRUECOLOUR, here)]


def test_a_table_and_what_the_openings_were() -> None:
    guesses = [[0, 0, 8_590], [1, 0, 8_455], [2, 0, 50], [3, 0, 0]]
    lines = ended(
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


def test_one_guess_and_none_and_a_board_with_nothing_but_flags_needs_no_legend() -> None:
    seats = [{**SEAT, "guesses": [[0, 0, 5_000]]}, {**SEAT, "forced": 4}]
    lines = ended({"bbbv": 40, "seats": seats}, ["FF1F", "FF11", "1100"])
    assert lines[-2:] == ["you           0 certain, 1 guess (a1 50 %)", "otto          4 certain, no guess"]


def test_nothing_is_told_of_a_duel_or_of_no_board_or_before_the_end() -> None:
    assert ended(None) == ended({}) == ended({"seats": [{"found": 3, "opened": 2}]}) == []
    assert statistics(TRUECOLOUR, room(view())) == standings(TRUECOLOUR, room(view())) == []


def test_statistics_that_are_none_are_the_servers_fault() -> None:
    with pytest.raises(WrongProtocol):
        ended({"bbbv": "many", "seats": []})


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
