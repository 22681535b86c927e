"""The hand on its own."""

from collections.abc import Callable, Sequence

import pytest
from tests.client.tui.games.uno.tables import TRUECOLOUR
from tests.client.tui.snapshots import lines
from textual.app import App, ComposeResult
from textual.geometry import Region

from parlour_client.tui.games.uno.hand import Hand
from parlour_client.tui.widgets import canvas

SEVEN = [1, 9, 26, 51, 76, 100, 104]


class Holding(App[int]):
    CSS = "Hand { height: 7; width: 100%; }"

    def __init__(self, cards: Sequence[int], playable: Sequence[int] = ()) -> None:
        super().__init__()
        self.hand = Hand(TRUECOLOUR)
        self.cards, self.playable = cards, playable
        self.picked: list[tuple[int, bool]] = []

    def compose(self) -> ComposeResult:
        yield self.hand

    def on_mount(self) -> None:
        self.hand.hold(self.cards, self.playable)

    def on_hand_picked(self, message: Hand.Picked) -> None:
        self.picked.append((message.card, message.marking))


async def test_the_cursor_stays_with_its_card_or_where_it_was() -> None:
    app = Holding(SEVEN)
    async with app.run_test(size=(80, 7)):
        app.hand.select(3)
        app.hand.hold([1, 26, 51, 100], [])
        assert app.hand.card == 51
        app.hand.hold([1, 26, 100], [])
        assert app.hand.card == 100
        app.hand.hold([1], [])
        assert app.hand.card == 1
        app.hand.hold([], [])
        assert app.hand.card is None
        app.hand.move(1)
        app.hand.next_playable()
        app.hand.hold([9, 10], [])
        assert app.hand.card == 9


async def test_the_cursor_goes_around_the_ends() -> None:
    app = Holding(SEVEN, [26])
    async with app.run_test(size=(80, 7)):
        app.hand.move(-1)
        assert app.hand.card == 104
        app.hand.move(1)
        assert app.hand.card == 1
        app.hand.next_playable()
        assert app.hand.card == 26
        app.hand.next_playable()
        assert app.hand.card == 26
        app.hand.select_card(99)
        assert app.hand.card == 26


async def test_marks_are_kept_as_long_as_the_cards_are_held() -> None:
    app = Holding(SEVEN)
    async with app.run_test(size=(80, 7)) as pilot:
        app.hand.mark(26)
        app.hand.mark(51)
        app.hand.mark(76)
        app.hand.mark(51)
        await pilot.pause()
        assert app.hand.marked == [26, 76]
        assert lines(app)[6].split()[2] == "3✓"
        app.hand.hold([26, 100], [])
        assert app.hand.marked == [26]
        app.hand.unmark()
        assert app.hand.marked == []


async def test_a_hand_too_large_says_how_many_cards_are_out_of_sight() -> None:
    app = Holding(range(30))
    async with app.run_test(size=(60, 7)) as pilot:
        assert lines(app)[6].split()[-1] == "19›"
        app.hand.select(29)
        await pilot.pause()
        assert lines(app)[6].split()[0] == "‹19"
        assert "›" not in lines(app)[6]


async def test_a_right_click_marks() -> None:
    app = Holding(SEVEN)
    async with app.run_test(size=(80, 7)) as pilot:
        column = app.hand.fan.column(4) + 4
        await pilot.click(app.hand, (column, 3))
        await pilot.click(app.hand, (column, 3), button=3)
        await pilot.click(app.hand, (0, 3))
        assert app.picked == [(76, False), (76, True)]


async def test_a_shake_moves_the_card_and_puts_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    frames: list[Callable[[], None]] = []
    monkeypatch.setattr(canvas, "moves", lambda widget: True)
    monkeypatch.setattr(Hand, "set_timer", lambda _, delay, then: frames.append(then))
    app = Holding(SEVEN)
    async with app.run_test(size=(80, 7)) as pilot:
        at = lines(app)[0].index("┏")
        app.hand.shake()
        await pilot.pause()
        assert app.hand.fan.nudge
        assert lines(app)[0].index("┏") == at - 1
        while frames:
            frames.pop()()
        assert not app.hand.fan.nudge
        await pilot.pause()
        assert lines(app)[0].index("┏") == at


async def test_only_the_rows_that_changed_are_drawn_again() -> None:
    app = Holding(SEVEN, [1])
    async with app.run_test(size=(80, 7)) as pilot:
        await pilot.pause()
        drawn: list[Region] = []
        app.hand.refresh = lambda *regions, **_: drawn.extend(regions)  # type: ignore[method-assign, assignment]
        app.hand.hold(SEVEN, [1])
        assert drawn == []
        app.hand.hold(SEVEN, [1, 9])
        assert {region.y for region in drawn} == {1, 2, 3, 4, 5, 6}
