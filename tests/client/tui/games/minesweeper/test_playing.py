"""What people do at Minesweeper tables, on a real server: the four modes from the first cell to the last."""

import pytest
from tests.client.minesweeper_rooms import player, room, view
from tests.client.tui.games.minesweeper.tables import Sitting, Table
from tests.client.tui.scripted_app import Seen, at_table
from tests.client.tui.snapshots import missing, shows

from parlour_client.text.minesweeper.board import CLOSED, board_of
from parlour_client.tui.games.minesweeper.moves import headline
from parlour_client.tui.games.minesweeper.widget import MinesweeperWidget
from parlour_protocol.messages import Act, Join, Plain, ServerMessage


async def finish(app: Sitting) -> None:
    while app.game_widget.board.board and app.game_widget.board.board.playing and (left := app.table.safe(app.seat)):
        await app.at(left[0], "space")


async def test_a_person_wins_alone() -> None:
    async with Sitting(Table()).shown() as (app, pilot):
        assert "OPEN A FIRST CELL" in app.said
        await pilot.press("space")
        assert "YOUR BOARD" in app.said
        await finish(app)
        await app.news()
        assert app.said == "CLEARED"
        assert missing(app, "0 mines left", "100% cleared") == []
        assert "".join(app.board_lines()).count("⚑") == 10
        statistics = [line.plain for line in app.game_widget.statistics(app.table.room())]
        assert statistics[0].split()[:3] == ["time", "3BV", "3BV/s"]
        assert statistics[1].startswith("you")
        assert app.game_widget.hints(app.table.room()) == [("mines.zoom", "Zoom")]


@pytest.mark.parametrize(
    ("mode", "states", "said"),
    [
        ("solo", ["done"], "CLEARED"),
        ("solo", ["out"], "LOST"),
        ("coop", ["frozen", "done"], "CLEARED"),
        ("coop", ["out", "out"], "LOST"),
        ("race", ["out", "done"], "THE RACE IS OVER"),
        ("duel", ["done", "out"], "YOU WIN"),
        ("duel", ["out", "done"], "OTTO WINS"),
    ],
)
def test_the_end_of_a_match_is_known_before_its_result(mode: str, states: list[str], said: str) -> None:
    here = room(view(*(player(10, state) for state in states), mode=mode, phase="over"))
    board = board_of(here)
    assert board is not None
    assert headline(here, board) == said


async def test_a_person_loses_and_sees_why() -> None:
    async with Sitting(Table()).shown() as (app, pilot):
        await pilot.press("enter")
        await app.at(app.table.safe()[0], "f")
        await app.at(app.table.mines[2], "space")
        await app.news()
        board = "\n".join(app.board_lines())
        assert app.said == "LOST"
        assert board.count("✱!") == 1
        assert board.count("⚐x") == 1
        assert board.count("✱") == 10
        told = [line.plain for line in app.game_widget.statistics(app.table.room())]
        assert told[-1] == "✱ unmarked mine   ✱! set off   ⚐x wrong flag"
        before = len(app.acts)
        await pilot.press("space")
        assert len(app.acts) == before
        assert "The board is finished." in app.said


async def test_racers_see_how_far_the_others_are() -> None:
    async with Sitting(Table(seats=3, mode="race", level="intermediate")).shown() as (app, _):
        assert shows(app, "maria")
        begun = app.table.view()["players"][0]["open"]
        app.table.open(1, *app.table.safe(1)[:60])
        app.table.open(2, app.table.mines[0])
        await app.news()
        share = app.table.view()["players"][1]["open"] / 216
        assert missing(app, f"{share:.0%}", "out") == []
        assert app.table.view()["players"][0]["open"] == begun
        await app.at(app.table.mines[3], "space")
        assert app.said.split() == ["YOU", "ARE", "OUT", "the", "others", "play", "on"]
        app.table.act(1, {"do": "resign"})
        await app.news()
        assert "OTTO WINS" in app.said


@pytest.mark.parametrize("mode", ["race", "coop"])
async def test_the_first_press_where_cells_were_opened_sets_off_no_mine(mode: str) -> None:
    async with Sitting(Table(seats=2, mode=mode, level="intermediate")).shown() as (app, pilot):
        if mode == "coop":
            app.table.open(1, (0, 0))
            await app.news()
        x, y = app.game_widget.board.cursor
        board = app.game_widget.board.board
        assert board
        assert board.at(x, y).isdigit()
        assert any(board.at(*near) == CLOSED for near in board.around(x, y))
        await pilot.press("space")
        assert app.acts == []


async def test_who_clears_the_board_of_a_race_sees_the_time() -> None:
    table = Table(seats=2, mode="race", level="beginner")
    table.hall.wait(12_340)
    async with Sitting(table).shown() as (app, _):
        await finish(app)
        ms = table.view()["players"][0]["ms"]
        assert ms >= 12_340
        assert missing(app, f"{ms / 1000:.1f} s", "00:12") == []
        assert "CLEARED" in app.said


async def test_two_open_one_board_at_the_same_time() -> None:
    async with Sitting(Table(seats=2, mode="coop", level="intermediate", lives=2), delay=True).shown() as (app, pilot):
        app.table.open(1, (8, 8))
        app.hear()
        mine, cell = app.table.mines[0], app.table.safe()[0]
        await app.at(cell, "space")
        app.table.open(1, cell)
        app.table.act(1, {"do": "flag", "cells": [list(mine)]})
        app.hear()
        assert mine in app.game_widget.board.marks.last, "what the other one did is marked"
        app.deliver()
        await pilot.pause()
        assert not app.game_widget.board.marks.pending
        assert app.refusals == []
        players = app.table.view()["players"]
        assert players[0]["open"] == 0, "the other one was first"
        assert shows(app, "2 lives")
        await app.at(app.table.mines[1], "space")
        app.deliver()
        await pilot.pause()
        assert shows(app, "1 lives")


async def test_a_duel_with_a_bomb() -> None:
    async with Sitting(Table(seats=2, mode="duel"), 1).shown() as (app, pilot):
        assert "MARIA'S TURN" in app.said
        await pilot.press("space")
        assert "It is not your turn: maria is asked." in app.said
        app.table.open(0, app.table.mines[0], app.table.mines[1], app.table.safe()[0])
        await app.news()
        assert "YOUR TURN" in app.said
        assert shows(app, "▸B otto")
        assert ("mines.bomb", "Bomb") in app.game_widget.hints(app.table.room(1))
        middle = (8, 8)
        await app.at(middle, "b")
        assert app.acts == []
        assert "b again throws the bomb" in app.said
        assert "mines.keep" in dict(app.game_widget.hints(app.table.room(1)))
        assert len(app.game_widget.board.marks.last) == 25
        await pilot.press("escape")
        assert "bomb" not in app.said
        await pilot.press("b", "space")
        assert app.acts == [{"do": "bomb", "at": list(middle)}]
        found = app.table.view(1)["players"][1]["found"]
        assert found == len([mine for mine in app.table.mines if max(abs(mine[0] - 8), abs(mine[1] - 8)) <= 2])
        assert "".join(app.board_lines()).count("⚑B") == found
        assert shows(app, "no bomb")
        assert "MARIA'S TURN" in app.said


async def test_a_find_keeps_the_turn_and_the_majority_wins() -> None:
    async with Sitting(Table(seats=2, mode="duel", level="custom", width=6, height=6, mines=5)).shown() as (app, pilot):
        for mine in app.table.mines[:3]:
            await app.at(mine, "space")
        await app.news()
        assert "YOU WIN" in app.said
        assert app.game_widget.standings(app.table.room()) == app.game_widget.statistics(app.table.room()) == []
        app.game_widget.show(Table(seats=2, mode="duel", level="custom", width=9, height=6, mines=5).room())
        await pilot.pause()
        assert "e4 closed" in app.said  # where the cursor is on the new board


async def test_a_board_without_a_guess_is_being_made() -> None:
    async with Sitting(Table(no_guess=True)).shown() as (app, pilot):
        room = app.table.room()
        assert room.view
        room.view = {**room.view, "phase": "making"}
        room.question = None
        app.game_widget.show(room)
        await pilot.pause()
        assert app.said == "MAKING A BOARD  one that needs no guess; it may take a few seconds"
        await pilot.press("space")
        assert app.said.endswith("The board is being made: wait a moment.")
        assert app.acts == []


async def test_who_watches_a_race_sees_numbers_only() -> None:
    table = Table(seats=2, mode="race")
    table.watch()
    async with Sitting(table, 2).shown() as (app, pilot):
        assert app.said == "WATCHING  the board is shown when the race is over"
        assert not any(line.strip() for line in app.board_lines())
        assert shows(app, "otto")
        await pilot.press("space", "n", "down", "H", "z", "f")
        await pilot.click("BoardView", offset=(40, 5))
        assert app.acts == []
        for seat in (0, 1):
            table.act(seat, {"do": "resign"})
        await app.news()
        assert any(line.strip() for line in app.board_lines())


async def test_the_clock_stands_in_the_turn_line_and_runs_on_while_the_cursor_moves() -> None:
    async with Sitting(Table(clock={"bank": 60_000, "add": 5_000})).shown() as (app, pilot):
        assert shows(app, "65s")
        app.now = 12.0
        await pilot.press("right")
        assert shows(app, "53s")
        assert shows(app, "◷ 00:00"), "the match has not begun"


async def test_the_time_of_a_match_that_one_comes_late_to_is_marked() -> None:
    async with Sitting(Table(seats=2, mode="coop")).shown() as (app, pilot):
        await pilot.press("space")
        assert shows(app, "◷ 00:00 ")
        app.table.room(1)
    late = Sitting(app.table, 1)
    late.now = 5.0
    async with late.shown():
        assert shows(late, "◷ 00:00+")


def inbox(table: Table) -> list[ServerMessage]:
    """Return what seat 0 has been told since the last time."""
    told = list(table.peers[0].inbox)
    table.peers[0].inbox.clear()
    return told


async def carry(seen: Seen, table: Table) -> list[Plain | int]:
    """Let the acts that were sent arrive, and what follows from them come back; return them."""
    acts = seen.far.heard(Act)
    seen.far.sent.clear()
    for act in acts:
        table.peers[0].send(act)
    await seen.hear(*inbox(table))
    return [act.act for act in acts]


async def test_a_person_plays_in_a_room_until_a_mine() -> None:
    table = Table(level="expert")
    async with at_table(*inbox(table), enter=Join(table.code)) as seen:
        face = seen.screen.game_widget
        assert isinstance(face, MinesweeperWidget)
        assert seen.app.focused is face.board
        assert missing(seen.app, "OPEN A FIRST CELL", "Open") == []
        await seen.press("space", "f")
        await carry(seen, table)
        assert shows(seen.app, "10% cleared")
        assert face.board.board
        for mine in table.mines[:3]:
            face.board.point(mine)
            await seen.press("f")
        assert len(await carry(seen, table)) == 1, "one act is under way, the rest waits"
        assert await carry(seen, table) == [{"do": "flag", "cells": [list(at) for at in table.mines[:3]]}]
        assert shows(seen.app, "96 mines left")
        face.board.point(table.mines[3])
        await seen.press("space")
        await carry(seen, table)
        assert seen.screen._results.border_title == "lost"


async def test_a_refused_act_takes_its_flags_back_in_a_room() -> None:
    table = Table()
    async with at_table(*inbox(table), enter=Join(table.code)) as seen:
        face = seen.screen.game_widget
        assert isinstance(face, MinesweeperWidget)
        await seen.press("f")
        assert face.board.marks.pending == {(4, 4)}
        (act,) = seen.far.heard(Act)
        seen.far.sent.clear()
        table.peers[0].send(Act(act.room, act.rid, {"do": "flag", "cells": [[99, 99]]}))
        await seen.hear(*inbox(table))
        assert face.board.marks.pending == frozenset()
        assert "off the board" in face.turn.words
        await seen.press("f")
        assert [act.act for act in seen.far.heard(Act)] == [{"do": "flag", "cells": [[4, 4]]}]


async def test_the_time_of_a_race_begins_with_it() -> None:
    table = Table(seats=2, mode="race")
    first, *rest = inbox(table)
    async with at_table(first, enter=Join(table.code)) as seen:
        await seen.hear(*rest)
        assert shows(seen.app, "◷ 00:0")
        assert not shows(seen.app, "+  ")
        assert shows(seen.app, "otto")
