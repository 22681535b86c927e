"""The widget of an example game, as its package brings it."""

import pytest
from tests.client.tui.seated import Seated, Seats
from tests.client.tui.snapshots import lines

from parlour_client.text.base import add_words
from parlour_client.tui.games.base import widget_for
from parlour_client.tui.theme import look_for
from parlour_fourinarow.widget import FourInARowWidget
from parlour_protocol.messages import Create
from parlour_server.local import Local

pytestmark = pytest.mark.usefixtures("example_games")


class Table(Seated):
    FACE = FourInARowWidget
    game_widget: FourInARowWidget


@pytest.mark.parametrize(("keys", "column"), [("enter", 3), ("right right enter", 5), ("left space", 2), ("7", 6)])
async def test_a_disc_is_dropped_at_the_cursor_or_by_number(keys: str, column: int) -> None:
    add_words("fourinarow")
    table = Seats(Local(), Create("fourinarow", seats=2), [("anna", "human"), ("otto", "bot")])
    async with Table(table, next(seat for seat in range(2) if table.room(seat).question), look_for({})).shown() as (
        app,
        pilot,
    ):
        await pilot.press(*keys.split())
        assert (app.acts, app.refusals) == ([{"do": "drop", "column": column}], [])
        assert app.game_widget.hints(table.room(app.seat)) == []
        screen = "\n".join(lines(app))
        assert "anna" in screen
        assert screen.count("X" if app.seat == 0 else "O") >= 2  # beside its player, and on the board


async def test_the_package_brings_it() -> None:
    assert widget_for("fourinarow") is FourInARowWidget
