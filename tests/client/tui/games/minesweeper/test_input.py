"""Keys and mouse at a Minesweeper board, fast clicks, refusals, the odds."""

from itertools import product

import pytest
from tests.client.tui.games.minesweeper.tables import Sitting, Table
from tests.client.tui.snapshots import shows
from textual.events import MouseScrollDown, Resize
from textual.geometry import Offset, Region, Size
from textual.pilot import Pilot

from parlour_client.text.minesweeper.board import CLOSED, Board
from parlour_client.tui.games.minesweeper.board import BoardView
from parlour_client.tui.games.minesweeper.widget import MinesweeperWidget
from parlour_games.minesweeper.actions import At
from parlour_protocol.messages import Plain


def place(app: Sitting, cell: At) -> Offset:
    """Return where a cell is in the widget."""
    where = app.game_widget.board.seen.where(cell)
    assert where, "the cell is not seen"
    return Offset(*where)


async def click(pilot: Pilot[int], app: Sitting, cell: At, button: int = 1) -> None:
    await pilot.click("BoardView", offset=place(app, cell), button=button)


def rows(table: Table) -> list[str]:
    shown: list[str] = table.view()["rows"]
    return shown


def lone_mine(table: Table) -> tuple[At, At]:
    """Return an open 1 with its mine and something to open around it, and that mine."""
    board = Board("solo", "playing", 16, 16, 40, 216, [], rows(table))
    for y, x in product(range(16), repeat=2):
        closed = [at for at in board.around(x, y) if board.at(*at) == CLOSED]
        mines = [at for at in closed if at in table.mines]
        if board.at(x, y) == "1" and len(mines) == 1 < len(closed):
            return (x, y), mines[0]
    raise AssertionError("there is no such number")


@pytest.mark.parametrize(
    ("keys", "goes"),
    [
        (["up", "left"], (3, 3)),
        (["k", "h"], (3, 3)),
        (["down", "right"], (5, 5)),
        (["j", "l"], (5, 5)),
        (["g"], (0, 0)),
        (["G"], (8, 8)),
        (["home", "up"], (0, 3)),
        (["end", "down"], (8, 5)),
        (["pageup"], (4, 0)),
        (["pagedown", "down"], (4, 8)),
    ],
)
async def test_keys_move_the_cursor_from_the_middle(keys: list[str], goes: At) -> None:
    async with Sitting(Table()).shown() as (app, pilot):
        await pilot.press(*keys)
        assert app.game_widget.board.cursor == goes


async def test_without_a_board_it_comes_to_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[BoardView.Pointed] = []
    app = Sitting(Table())
    draws = MinesweeperWidget.on_board_view_pointed

    def pointed(face: MinesweeperWidget, event: BoardView.Pointed) -> None:
        told.append(event)
        draws(face, event)

    monkeypatch.setattr(MinesweeperWidget, "on_board_view_pointed", pointed)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        told.clear()
        room = app.table.room(0)
        room.view = None
        app.game_widget.show(room)
        await pilot.pause()
        assert len(told) == 1


async def test_left_opens_right_flags_middle_chords() -> None:
    async with Sitting(Table(level="intermediate")).shown() as (app, pilot):
        await click(pilot, app, (8, 8))
        assert app.acts == [{"do": "open", "cells": [[8, 8]]}]
        number, mine = lone_mine(app.table)
        await click(pilot, app, mine, 3)
        assert app.acts[1] == {"do": "flag", "cells": [list(mine)]}
        before = sum(row.count(".") for row in rows(app.table))
        await click(pilot, app, number, 2)
        assert app.acts[2] == {"do": "chord", "cells": [list(number)]}
        assert sum(row.count(".") for row in rows(app.table)) < before
        assert app.game_widget.board.cursor == number


async def test_a_drag_does_nothing() -> None:
    async with Sitting(Table()).shown() as (app, pilot):
        here = place(app, (1, 1))
        await pilot.mouse_down("BoardView", offset=here)
        for there in (place(app, (3, 1)), here):
            await pilot.mouse_up("BoardView", offset=there)
        await pilot.mouse_down("BoardView", offset=here)
        await pilot.hover("TurnLine")
        await pilot.mouse_up("BoardView", offset=here)
        assert app.acts == []
        await click(pilot, app, (1, 1))
        assert len(app.acts) == 1


async def test_a_flag_shows_at_once_and_goes_if_the_server_refuses() -> None:
    async with Sitting(Table(), delay=True).shown() as (app, pilot):
        await pilot.press("f", "right", "f")
        assert shows(app, "⚑   ⚑")
        assert app.game_widget.board.marks.pending == {(4, 4), (5, 4)}
        app.game_widget.show_refusal(app.table.room(), "the server says no")
        await pilot.pause()
        assert shows(app, "⚑   ⚑"), "that may have been about something else"
        app.game_widget.show_pending(None)
        await pilot.pause()
        assert "⚑" not in "".join(app.board_lines())
        assert "the server says no" in app.said
        await pilot.press("space")
        assert app.acts[-1] == {"do": "open", "cells": [[5, 4]]}, "the decision is still open"


async def test_an_act_that_is_repeated_after_a_lost_connection_is_waited_for() -> None:
    async with Sitting(Table(), delay=True).shown() as (app, pilot):
        room = app.table.room()
        await pilot.press("f", "right", "f")
        asked, room.question = room.question, None
        app.game_widget.show(room)
        await pilot.pause()
        assert shows(app, "⚑   ⚑"), "we are back, but not asked again yet"
        room.question = asked
        app.game_widget.show(room)
        await pilot.pause()
        assert len(app.acts) == 1, "the first act is still on its way under this question"
        app.deliver()
        await pilot.pause()
        assert app.acts[1:] == [{"do": "flag", "cells": [[5, 4]]}]


async def test_next_goes_to_the_cells_beside_numbers() -> None:
    async with Sitting(Table(level="intermediate")).shown() as (app, pilot):
        await pilot.press("space", "g")
        found = []
        for _ in range(2):
            await pilot.press("n")
            found.append(app.game_widget.board.cursor)
        assert found == sorted(found, key=lambda at: (at[1], at[0]))
        assert [rows(app.table)[y][x] for x, y in found] == [".", "."]


async def test_the_odds_are_shown_over_the_cells_and_vanish_with_the_board_they_are_of() -> None:
    async with Sitting(Table(level="intermediate")).shown() as (app, pilot):
        await pilot.press("space")
        await app.odds()
        hints = app.game_widget.board.marks.hints
        assert hints
        mines = set(app.table.mines)
        assert hints.mines <= mines
        assert not hints.safe & mines
        assert shows(app, "ok")
        assert hints.summary() in app.said
        before = rows(app.table)
        await pilot.press("n", "space")
        assert rows(app.table) != before
        assert app.game_widget.board.marks.hints is not hints
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert app.game_widget.board.marks.hints not in (None, hints)
        await pilot.press("H")
        assert app.game_widget.board.marks.hints is None
        assert not shows(app, "ok")


async def test_a_table_without_hints_shows_no_odds() -> None:
    async with Sitting(Table(hints=False)).shown() as (app, pilot):
        await pilot.press("space", "H")
        assert "This table has no hints." in app.said
        assert app.game_widget.board.marks.hints is None
        assert "mines.odds" not in dict(app.game_widget.hints(app.table.room()))


async def test_odds_are_told_to_be_no_record_and_not_shown_where_times_count() -> None:
    async with Sitting(Table()).shown() as (app, pilot):
        await pilot.press("space")
        await app.odds()
        room = app.table.room()
        assert room.helped
        assert shows(app, "no record")
        room.remembered, room.helped = True, False
        app.game_widget.show(room)
        assert app.game_widget.board.marks.hints is None
        assert "mines.odds" not in dict(app.game_widget.hints(room))
        assert not room.helped


async def test_cells_are_as_large_as_fit_until_the_player_zooms() -> None:
    async with Sitting(Table()).shown() as (app, pilot):
        await pilot.press("space")
        sizes = []
        for _ in range(4):
            sizes.append(app.game_widget.board.seen.cell)
            await pilot.press("z")
        assert sizes == [(4, 2), (6, 3), (2, 1), (3, 1)]
        await pilot.resize_terminal(120, 40)
        assert app.game_widget.board.seen.cell == (6, 3), "it was back at the size that fits, and grows with the screen"
        await pilot.press("z")
        await pilot.resize_terminal(80, 24)
        assert app.game_widget.board.seen.cell == (2, 1), "a size that was chosen stays"


async def test_a_board_whose_cells_shrink_is_shown_from_a_cell_on_it() -> None:
    async with Sitting(Table(level="intermediate")).shown((100, 50)) as (app, pilot):
        await pilot.press("G")
        view = app.game_widget.board
        assert app.game_widget.board.seen.cell == (4, 2)
        view.on_resize(Resize(Size(40, 20), Size(40, 20)))
        assert view.seen.offset != (0, 0), "the end of the board is shown"
        assert view.board
        view.fit((40, 20), view.board)
        assert app.game_widget.board.seen.cell == (2, 1)
        assert view.seen.offset == (0, 0)


async def test_a_board_larger_than_the_screen_scrolls_with_the_cursor_and_the_wheel() -> None:
    huge = Table(level="custom", width=100, height=100, mines=1_500)
    async with Sitting(huge).shown() as (app, pilot):
        await pilot.press("G")
        assert app.game_widget.board.seen.at(*place(app, (99, 99))) == (99, 99)
        assert shows(app, "of 100 ─")
        await pilot.press("g")
        assert place(app, (0, 0))
        board = app.game_widget.board
        for _ in range(4):
            board.post_message(MouseScrollDown(None, 20, 5, 0, 0, 0, False, False, False))
        await pilot.pause()
        assert (board.seen.offset, board.cursor) == ((0, 12), (0, 0))
        await pilot.press("down")
        assert board.seen.offset == (0, 0), "the cursor is brought back into view"


async def test_the_cell_under_the_pointer_is_lighter() -> None:
    async with Sitting(Table()).shown() as (app, pilot):
        line = [app.game_widget.board.render_line(place(app, (1, 1)).y)]
        for hovered in ({"widget": "BoardView", "offset": place(app, (1, 1))}, {"widget": "TurnLine"}):
            await pilot.hover(**hovered)
            line.append(app.game_widget.board.render_line(place(app, (1, 1)).y))
        assert line[0] == line[2] != line[1]


@pytest.mark.parametrize("size", [(60, 20), (20, 6), (1, 1), (80, 3), (200, 60)])
async def test_it_can_be_any_size(size: tuple[int, int]) -> None:
    async with Sitting(Table(seats=10, mode="race", level="expert")).shown() as (app, pilot):
        await pilot.resize_terminal(*size)
        await pilot.press("down", "z", "G", "z", "g", "f")
        await pilot.resize_terminal(80, 24)
        assert shows(app, "eve")
        assert rows(app.table)[0][0] in "F012345678"


async def test_only_what_has_changed_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Sitting(Table()).shown() as (app, pilot):
        asked: list[Region] = []
        monkeypatch.setattr(app.game_widget.board, "refresh", lambda *regions: asked.extend(regions or [Region()]))
        await pilot.press("f")
        assert set(asked) == {Region(*place(app, (4, 4)), 4, 2)}
        asked.clear()
        app.game_widget.board.point((6, 4))
        assert asked == [Region(*place(app, (4, 4)), 12, 2)], "both cells of the cursor, in one row"
        asked.clear()
        app.game_widget.show(app.table.room())
        assert asked == []


async def test_what_a_server_must_not_send_marks_nothing() -> None:
    async with Sitting(Table()).shown() as (app, pilot):
        room = app.table.room()
        strange: list[Plain] = [{"e": "open", "seat": 1, "at": at} for at in ("d5", 7, [], [["a", "b"], [1]], {"x": 1})]
        app.game_widget.handle_events(room, [*strange, {"e": "mine", "seat": 1, "at": [2, 3]}])
        app.game_widget._draw()
        await pilot.pause()
        assert app.game_widget.board.marks.last == {(2, 3)}
