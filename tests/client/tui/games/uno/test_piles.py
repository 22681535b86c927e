"""The middle of the table."""

from typing import Any

from tests.client.tui.games.uno.tables import TRUECOLOUR, room
from tests.client.tui.seated import Alone
from tests.client.tui.snapshots import lines, underlined

from parlour_client.tui.games.uno.piles import Piles


class Lying(Alone[Piles]):
    def __init__(self, seat: int | None = 0, **view: Any) -> None:
        super().__init__(Piles(TRUECOLOUR))
        self.here = room(seat=seat, **view)
        self.draws = 0

    def on_mount(self) -> None:
        self.widget.show(self.here)

    def on_piles_deck(self) -> None:
        self.draws += 1


async def drawn(app: Lying, size: tuple[int, int] = (80, 8)) -> str:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        return "\n".join(lines(app))


async def test_what_lies_there_for_whom_is_seen() -> None:
    shown = await drawn(Lying(pending=6, direction=-1, colour="blue"))
    assert all(part in shown for part in ("+6 pending", "↺ counter-clockwise", "◆ BLUE"))
    assert "not named yet" in await drawn(Lying(colour=None, top=100)), "the colour of a first wild"
    assert "you" not in await drawn(Lying(seat=None)), "a watcher has no points"


async def test_there_are_tall_cards_where_there_is_space_and_words_where_there_is_none() -> None:
    assert "▄▄▄▄▄" in await drawn(Lying(), (80, 12))
    words = await drawn(Lying(pending=4), (60, 3))
    assert words.split("\n")[0].split() == ["deck", "80", "on", "top", "7", "▲", "RED", "↻", "+4", "pending"]


async def test_a_click_at_the_deck_draws_and_none_beside_it_or_where_words_stand_for_it() -> None:
    app = Lying()
    async with app.run_test(size=(80, 8)) as pilot:
        deck = app.widget.deck
        for x, y in ((deck.stop + 4, 3), (deck.start, 0), (deck.start, 7)):
            await pilot.click(app.widget, (x, y))
        assert app.draws == 0
        await pilot.click(app.widget, (deck.start, 3))
        assert app.draws == 1
        await pilot.resize_terminal(80, 3)
        await pilot.click(app.widget, (deck.start, 1))
        assert app.draws == 1


async def test_the_mouse_underlines_the_deck_and_nothing_else() -> None:
    app = Lying()
    async with app.run_test(size=(80, 8)) as pilot:
        await pilot.pause()
        assert underlined(app) == ""
        await pilot.hover(Piles, offset=(app.widget.deck.start + 1, 3))
        assert underlined(app).strip() == "deck 80"
        await pilot.hover(Piles, offset=(0, 0))
        assert underlined(app) == ""
