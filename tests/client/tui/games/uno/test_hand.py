"""The hand on its own, and where its cards stand."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.client.tui.games.uno.tables import TRUECOLOUR
from tests.client.tui.seated import Alone
from tests.client.tui.snapshots import lines
from textual.geometry import Region

from parlour_client.tui.games.uno.cards import HUGE, LARGE, SHORT
from parlour_client.tui.games.uno.hand import Fan, Hand, fan_of
from parlour_client.tui.widgets import canvas

SEVEN = [1, 9, 26, 51, 76, 100, 104]


class Holding(Alone[Hand]):
    def __init__(self, cards: Sequence[int], playable: Sequence[int] = ()) -> None:
        super().__init__(Hand(TRUECOLOUR))
        self.hand, self.cards, self.playable = self.widget, cards, playable
        self.picked: list[tuple[int, bool]] = []

    def on_mount(self) -> None:
        self.hand.hold(self.cards, self.playable)

    def on_hand_picked(self, message: Hand.Picked) -> None:
        self.picked.append((message.card, message.marking))


async def test_the_cursor_stays_with_its_card_or_where_it_was_and_goes_around_the_ends() -> None:
    app = Holding(SEVEN)
    async with app.run_test(size=(80, 7)):
        app.hand.select(3)
        for cards, pointed in (([1, 26, 51, 100], 51), ([1, 26, 100], 100), ([1], 1), ([], None)):
            app.hand.hold(cards, [])
            assert app.hand.card == pointed
        app.hand.move(1)
        app.hand.next_playable()
        app.hand.hold([9, 10], [])
        assert app.hand.card == 9
        app.hand.hold(SEVEN, [26])
        app.hand.select(0)
        for step, pointed in ((-1, 104), (1, 1)):
            app.hand.move(step)
            assert app.hand.card == pointed
        for _ in range(2):
            app.hand.next_playable()
            assert app.hand.card == 26
        app.hand.select_card(99)
        assert app.hand.card == 26


async def test_marks_are_kept_as_long_as_the_cards_are_held() -> None:
    app = Holding(SEVEN)
    async with app.run_test(size=(80, 7)) as pilot:
        for card in (26, 51, 76, 51):
            app.hand.mark(card)
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


async def test_a_right_click_marks_and_only_the_rows_that_changed_are_drawn_again() -> None:
    app = Holding(SEVEN, [1])
    async with app.run_test(size=(80, 7)) as pilot:
        column = app.hand.fan.column(4) + 4
        await pilot.click(app.hand, (column, 3))
        await pilot.click(app.hand, (column, 3), button=3)
        await pilot.click(app.hand, (0, 3))
        assert app.picked == [(76, False), (76, True)]
        await pilot.pause()
        drawn: list[Region] = []
        app.hand.refresh = lambda *regions, **_: drawn.extend(regions)  # type: ignore[method-assign, assignment]
        app.hand.hold(SEVEN, [1])
        assert drawn == []
        app.hand.hold(SEVEN, [1, 9])
        assert {region.y for region in drawn} == {1, 2, 3, 4, 5, 6}


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


@st.composite
def fans(draw: st.DrawFn) -> tuple[Fan, int]:
    count, width = draw(st.integers(1, 60)), draw(st.integers(30, 160))
    selected, first = draw(st.integers(0, count - 1)), draw(st.integers(0, count))
    return fan_of(count, width, draw(st.sampled_from([SHORT, LARGE, HUGE])).width, selected, first), width


@given(fans())
def test_the_selected_card_is_seen_whole_and_every_card_in_sight_in_part(made: tuple[Fan, int]) -> None:
    fan, width = made
    assert fan.selected in fan.seen
    start, end = fan.span(fan.selected)
    assert end - start == fan.card
    for index in fan.seen:
        start, end = fan.span(index)
        assert 0 <= start < end <= width
        assert end - start >= 4


@given(fans())
def test_no_column_belongs_to_two_cards_and_the_card_seen_in_a_column_is_found_there(made: tuple[Fan, int]) -> None:
    fan, width = made
    owners = {column: index for index in fan.seen for column in range(*fan.span(index))}
    assert len(owners) == sum(end - start for start, end in map(fan.span, fan.seen))
    assert all(fan.at(column) == owners.get(column) for column in range(-5, width + 5))


def test_up_to_eight_cards_stand_side_by_side_and_all_stand_still_while_the_selection_moves() -> None:
    fan = fan_of(8, 80, 9, 3)
    assert [fan.span(index)[1] - fan.span(index)[0] for index in fan.seen] == [9] * 8
    assert fan.step == 10
    places = [[fan_of(15, 80, 9, selected).column(index) for index in range(15)] for selected in range(15)]
    assert all(place == places[0] for place in places)


def test_a_larger_hand_is_seen_through_a_window_that_follows_the_selection() -> None:
    fan = fan_of(30, 60, 9, 0)
    assert (fan.first, fan.shown) == (0, 11)
    fan = fan_of(30, 60, 9, 15, fan.first)
    assert 15 in fan.seen
    back = fan_of(30, 60, 9, 14, fan.first)
    assert back.first == fan.first
    assert fan_of(30, 60, 9, 29, back.first).seen == range(19, 30)
