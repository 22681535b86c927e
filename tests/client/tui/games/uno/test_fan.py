"""Where the cards of a hand stand."""

from hypothesis import given
from hypothesis import strategies as st

from parlour_client.tui.games.uno.cards import HUGE, LARGE, SHORT
from parlour_client.tui.games.uno.hand import Fan, fan_of


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


def test_up_to_eight_cards_stand_side_by_side_in_80_columns() -> None:
    fan = fan_of(8, 80, 9, 3)
    assert [fan.span(index)[1] - fan.span(index)[0] for index in fan.seen] == [9] * 8
    assert fan.step == 10


def test_fifteen_cards_fit_in_80_columns() -> None:
    fan = fan_of(15, 80, 9, 0)
    assert fan.shown == 15
    assert fan.step == 5


def test_the_cards_stand_still_while_the_selection_moves() -> None:
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
