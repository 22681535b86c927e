"""A board whose area shrinks while a far corner is shown."""

from rich.text import Text
from tests.client.tui.games.minesweeper.boards import board
from tests.client.tui.games.uno.tables import TRUECOLOUR
from textual.app import App, ComposeResult

from parlour_client.tui.games.minesweeper.board import BoardView, Marks

LARGE = board(*["." * 60] * 30)


class Shown(App[int]):
    def compose(self) -> ComposeResult:
        yield BoardView(TRUECOLOUR)


async def test_smaller_cells_stay_on_the_board() -> None:
    async with Shown().run_test(size=(80, 24)) as pilot:
        view = pilot.app.query_one(BoardView)
        view.fit((400, 200), LARGE)
        view.show(LARGE, Marks(), Text())
        view.point((59, 29))
        view.fit((80, 24), LARGE)
        (x, y), (across, down) = view.seen.offset, view.seen.seen
        assert (x + across, y + down) <= (60, 30)
        assert view.render_line(10).cell_length == 80
