"""The middle of the table."""

from typing import Any

from tests.client.messages import VIEW, joined, table
from tests.client.tui.games.uno.tables import TRUECOLOUR
from tests.client.tui.snapshots import lines, underlined
from textual.app import App, ComposeResult

from parlour_client.core.room import JoinedRoom
from parlour_client.tui.games.uno.piles import Piles


class Lying(App[int]):
    CSS = "Piles { height: 100%; width: 100%; }"

    def __init__(self, seat: int | None = 0, **view: Any) -> None:
        super().__init__()
        self.piles = Piles(TRUECOLOUR)
        self.here = JoinedRoom.of(joined(0, seat=seat, view={**VIEW, **view}, table=table("playing")))
        self.draws = 0

    def compose(self) -> ComposeResult:
        yield self.piles

    def on_mount(self) -> None:
        self.piles.show(self.here)

    def on_piles_deck(self) -> None:
        self.draws += 1


async def drawn(app: Lying, size: tuple[int, int] = (80, 8)) -> str:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        return "\n".join(lines(app))


async def test_what_is_pending_and_the_other_direction_are_seen() -> None:
    shown = await drawn(Lying(pending=6, direction=-1, colour="blue"))
    assert all(part in shown for part in ("+6 pending", "↺ counter-clockwise", "◆ BLUE"))


async def test_a_first_wild_has_no_colour_yet() -> None:
    assert "not named yet" in await drawn(Lying(colour=None, top=100))


async def test_there_are_tall_cards_where_there_is_space_and_words_where_there_is_none() -> None:
    assert "▄▄▄▄▄" in await drawn(Lying(), (80, 12))
    words = await drawn(Lying(pending=4), (60, 3))
    assert words.split("\n")[0].split() == ["deck", "80", "on", "top", "7", "▲", "RED", "↻", "+4", "pending"]


async def test_a_watcher_has_no_points() -> None:
    assert "you" not in await drawn(Lying(seat=None))


async def test_a_click_beside_the_deck_draws_nothing() -> None:
    app = Lying()
    async with app.run_test(size=(80, 8)) as pilot:
        for x, y in ((app.piles.deck.stop + 4, 3), (app.piles.deck.start, 0), (app.piles.deck.start, 7)):
            await pilot.click(app.piles, (x, y))
        assert app.draws == 0
        await pilot.click(app.piles, (app.piles.deck.start, 3))
        assert app.draws == 1


async def test_where_words_stand_for_the_deck_there_is_nothing_to_click() -> None:
    app = Lying()
    async with app.run_test(size=(80, 8)) as pilot:
        was = app.piles.deck.start
        await pilot.resize_terminal(80, 3)
        await pilot.click(app.piles, (was, 1))
        assert app.draws == 0


async def test_the_mouse_underlines_the_deck_and_nothing_else() -> None:
    app = Lying()
    async with app.run_test(size=(80, 8)) as pilot:
        await pilot.pause()
        assert underlined(app) == ""
        await pilot.hover(Piles, offset=(app.piles.deck.start + 1, 3))
        assert underlined(app).strip() == "deck 80"
        await pilot.hover(Piles, offset=(0, 0))
        assert underlined(app) == ""
