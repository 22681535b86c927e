"""The parts of the table on their own: the hand, the opponents with their clocks, the piles."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.client.messages import PEOPLE, VIEW, row
from tests.client.tui.games.uno.tables import TRUECOLOUR, room
from tests.client.tui.seated import Alone, Time
from tests.client.tui.snapshots import lines, underlined
from textual.geometry import Region

from parlour_client.core.room import JoinedRoom, Question
from parlour_client.tui.games.base import ShownClocks
from parlour_client.tui.games.uno.cards import HUGE, LARGE, SHORT
from parlour_client.tui.games.uno.hand import Fan, Hand, fan_of
from parlour_client.tui.games.uno.opponents import Opponents, next_seat
from parlour_client.tui.games.uno.piles import Piles
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


BOXES, LINES = (80, 5), (60, 3)
MARIA, OTTO, PIA = PEOPLE


def sitting(here: JoinedRoom, size: tuple[int, int], time: Time | None = None) -> Opponents:
    clocks = ShownClocks(time or Time())
    clocks.update(here)
    opponents = Opponents(TRUECOLOUR, clocks)
    opponents.show(here)
    opponents.styles.height = opponents.rows(size[0], size == BOXES)
    return opponents


async def drawn(here: JoinedRoom, size: tuple[int, int]) -> list[str]:
    app = Alone(sitting(here, size))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        return lines(app)


async def test_the_clock_counts_on_between_messages() -> None:
    time, here = Time(), room(turn=1)
    here.clocks = {"1": 21_000}
    app = Alone(sitting(here, BOXES, time))
    async with app.run_test(size=BOXES):
        time.now = 6.5
        app.widget.repaint()
        assert "─ 15s ┃" in lines(app)[3]


@pytest.mark.parametrize(("away", "replaced", "size", "told"), [
    ({"here": False, "left": 28_000}, {"here": False, "by": "standin"}, BOXES,
     {3: ["away, held 28s"], 2: ["human, a stand-in plays"]}),
    ({"here": False, "left": 9_000}, {"by": "standin"}, LINES, {0: ["away 9s", "stand-in"]}),
])  # fmt: skip
async def test_who_is_away_is_said_and_how_long_the_seat_is_held(
    away: dict[str, Any], replaced: dict[str, Any], size: tuple[int, int], told: dict[int, list[str]]
) -> None:
    shown = await drawn(room(people=[MARIA, row(1, "otto", **away), row(2, "pia", **replaced)]), size)
    assert [word for at, words in told.items() for word in words if word not in shown[at]] == []


async def test_who_is_out_is_said_and_a_name_is_harmless_and_cut() -> None:
    assert "│ out " in (await drawn(room(out=[1]), BOXES))[1]
    assert "otto human out" in (await drawn(room(out=[1]), LINES))[0]
    shown = await drawn(room(people=[MARIA, row(1, "o[red]t\x1b[2Jto" + "x" * 90), PIA]), BOXES)
    assert "o[red]t" in shown[0]
    assert "\x1b" not in "".join(shown)
    assert all(len(line) == 80 for line in shown)


@pytest.mark.parametrize(("turn", "direction", "out", "following"), [
    (0, 1, [], 1), (0, -1, [], 2), (2, 1, [], 0), (0, 1, [1], 2), (None, 1, [], None), (0, 1, [1, 2], None),
])  # fmt: skip
def test_who_comes_next(turn: int | None, direction: int, out: list[int], following: int | None) -> None:
    assert next_seat({**VIEW, "turn": turn, "direction": direction, "out": out}) == following


async def test_boxes_need_space_for_all() -> None:
    opponents = sitting(room(), BOXES)
    async with Alone(opponents).run_test(size=(80, 24)):
        assert [opponents.rows(*space) for space in ((80, True), (30, True), (80, False))] == [5, 2, 1]


@pytest.mark.parametrize(("size", "name"), [(BOXES, "pia"), (LINES, "otto")])
async def test_the_mouse_underlines_the_name_of_the_opponent_beneath_it(size: tuple[int, int], name: str) -> None:
    app = Alone(sitting(room(turn=0), size))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        place = app.widget.place(1 if name == "otto" else 2)
        assert place is not None
        await pilot.hover(Opponents, offset=place)
        assert name in underlined(app)
        await pilot.hover(app.screen, offset=(0, size[1] - 1) if size == LINES else (0, 0))
        assert underlined(app) == ""


def test_a_clock_runs_down_to_nothing_and_only_what_is_told_otherwise_sets_it_back() -> None:
    time, here = Time(), room()
    clocks = ShownClocks(time)
    here.clocks = {"1": 20_000}
    clocks.update(here)
    assert (clocks.left(1), clocks.share(1), clocks.running) == (20_000, 1.0, True)
    assert (clocks.left(0), clocks.left(None)) == (None, None)
    time.now = 5.0
    clocks.update(here)
    assert (clocks.left(1), clocks.share(1)) == (15_000, 0.75)
    time.now = 90.0
    assert (clocks.left(1), clocks.share(1)) == (0, 0.0)
    here.clocks, here.question = {"0": 9_000}, Question(1, [], 9_000)
    clocks.update(here)
    assert (clocks.left(1), clocks.left(0)) == (None, 9_000)
    here.question = Question(1, [], 5_000)
    clocks.update(here)
    assert clocks.left(0) == 5_000, "a refusal tells anew what is left for our question"
    here.clocks, here.question, here.table["seats"] = {}, None, [MARIA, row(1, "otto", left=28_000)]
    clocks.update(here)
    time.now = 93.0
    clocks.update(here)
    assert (clocks.held(1), clocks.running) == (25_000, True), "a seat is held until its owner is back"
    here.table["seats"] = PEOPLE
    clocks.update(here)
    assert (clocks.held(1), clocks.running) == (None, False)


class Lying(Alone[Piles]):
    def __init__(self, seat: int | None = 0, **view: Any) -> None:
        super().__init__(Piles(TRUECOLOUR))
        self.here = room(seat=seat, **view)
        self.draws = 0

    def on_mount(self) -> None:
        self.widget.show(self.here)

    def on_piles_deck(self) -> None:
        self.draws += 1


async def laid(app: Lying, size: tuple[int, int] = (80, 8)) -> str:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        return "\n".join(lines(app))


async def test_what_lies_there_for_whom_is_seen() -> None:
    shown = await laid(Lying(pending=6, direction=-1, colour="blue"))
    assert all(part in shown for part in ("+6 pending", "↺ counter-clockwise", "◆ BLUE"))
    assert "not named yet" in await laid(Lying(colour=None, top=100)), "the colour of a first wild"
    assert "you" not in await laid(Lying(seat=None)), "a watcher has no points"


async def test_there_are_tall_cards_where_there_is_space_and_words_where_there_is_none() -> None:
    assert "▄▄▄▄▄" in await laid(Lying(), (80, 12))
    words = await laid(Lying(pending=4), (60, 3))
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
