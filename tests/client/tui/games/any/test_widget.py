"""The widget for any game, at tables of the example games."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.client.tui.seated import Seated, Seats
from textual.pilot import Pilot

from parlour_client.tui.games.any.picture import Picture, Target
from parlour_client.tui.games.any.widget import AnyWidget
from parlour_client.tui.theme.theme import look_for
from parlour_protocol.messages import Create, Plain
from parlour_server.local import Local

pytestmark = pytest.mark.usefixtures("example_games")


class Table(Seated):
    FACE = AnyWidget
    game_widget: AnyWidget


@asynccontextmanager
async def at(game: str, seats: int = 2) -> AsyncIterator[tuple[Table, Pilot[int]]]:
    names = [("anna", "human"), ("otto", "bot"), ("cleo", "bot")]
    table = Seats(Local(), Create(game, seats=seats), names[:seats])  # type: ignore[arg-type]  # names and kinds
    mine = next(seat for seat in range(seats) if table.room(seat).question)
    app = Table(table, mine, look_for({"COLORTERM": "truecolor"}))
    async with app.run_test(size=(100, 34)) as pilot:
        await pilot.pause()
        yield app, pilot


def shown(app: Table) -> str:
    return "\n".join("".join(piece.text for piece in line) for line in app.screen._compositor.render_strips())


@pytest.mark.parametrize(
    ("keys", "column"),
    [("1", 0), ("right right enter", 2), ("left enter", 6), ("tab right enter", 1), ("slash e enter", 4)],
)
async def test_a_disc_is_dropped_with_the_keys(keys: str, column: int) -> None:
    async with at("fourinarow") as (app, pilot):
        await pilot.press(*keys.split())
        await pilot.pause()
        assert (app.acts, app.refusals) == ([{"do": "drop", "column": column}], [])


async def test_a_click_on_a_cell_or_a_card_chooses_the_action_that_names_it() -> None:
    async with at("fourinarow") as (app, pilot):
        y, columns, target = app.game_widget.picture._places[3]
        assert target == Target(cell=(0, 3))
        await pilot.click(Picture, offset=(columns.start, y))
        assert app.acts == [{"do": "drop", "column": 3}]
    async with at("goofspiel", 3) as (app, pilot):
        y, columns, target = app.game_widget.picture._places[4]
        await pilot.click(Picture, offset=(columns.start, y))
        assert app.acts == [{"do": "bid", "card": target.card}]


async def test_the_table_has_the_seats_with_their_values_and_nothing_of_other_hands() -> None:
    async with at("goofspiel", 3) as (app, pilot):
        await pilot.press("5")
        await pilot.pause()
        text = shown(app)
        assert all(name in text for name in ("anna", "otto", "cleo", "scores", "hand"))
        assert app.game_widget.choices.ways == []
    other: Any = app.table.room(1).view
    assert "bid" not in other or other["bid"] is None


async def test_an_action_of_two_cells_is_chosen_cell_by_cell() -> None:
    moves: list[Plain] = [{"do": "move", "from": [0, column], "to": [1, to]} for column in (0, 1) for to in (0, 2)]
    async with at("fourinarow") as (app, pilot):
        room = app.table.room(app.seat)
        assert room.question
        room.question.legal = moves
        app.game_widget.show(room)
        await pilot.press("right", "enter", "down", "right", "enter")
        assert app.acts == [moves[3]]
