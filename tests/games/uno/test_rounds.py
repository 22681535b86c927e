"""The start of rounds with every first card, and the end of rounds and matches."""

from typing import Any

import pytest
from tests.games.uno.tables import UNO, StackedFair, Table, fair, match, table

from parlour_games.game import Fired, Timer
from parlour_games.uno.actions import Colour
from parlour_games.uno.cards import CARDS_BY_FACE, SHORTS, cards_in
from parlour_games.uno.events import Drawn, Event, Named, Out, Reversed, RoundDealt, Skipped
from parlour_games.uno.options import Options
from parlour_games.uno.state import AT_PAUSE

SEVEN = "r1 r2 r3 r4 r5 r6 r7"
OTHER = "b1 b2 b3 b4 b5 b6 b7"
THIRD = "g1 g2 g3 g4 g5 g6 g7"


def begin(first: str, seats: int = 3, draws: str = "", **options: Any) -> tuple[Table, list[Any]]:
    """Seat 0 deals; the first player is seat 1."""
    hands = " ".join([SEVEN, OTHER, THIRD][:seats])
    return match(f"{hands} {first} {draws}", seats, **options)


def test_seven_cards_each_from_the_top_seat_by_seat_then_the_first_card() -> None:
    t, [deal] = begin("y8")
    assert [t.hand(seat) for seat in (0, 1, 2)] == [SEVEN, OTHER, THIRD]
    assert (deal.round, deal.dealer, SHORTS[deal.top], deal.colour) == (1, 0, "y8", "yellow")
    assert [cards_in(hand) for hand in deal.hands] == [cards_in(hand) for hand in t.state.hands]
    assert t.view()["deck"] == 108 - 21 - 1


def test_the_seat_after_the_dealer_starts() -> None:
    t, _ = begin("y8")
    assert t.asked() == (1, "turn")
    t, _ = match(f"{SEVEN} {OTHER} {THIRD} y8", 3, start=2)
    assert t.asked() == (0, "turn")


@pytest.mark.parametrize(
    ("first", "seats", "told", "asked"),
    [
        ("y+2", 3, Drawn(1, [CARDS_BY_FACE["b8"][0], CARDS_BY_FACE["b9"][0]], "first"), 2),
        ("y+2", 2, Drawn(1, [CARDS_BY_FACE["b8"][0], CARDS_BY_FACE["b9"][0]], "first"), 0),
        ("ys", 3, Skipped(1), 2),
        ("ys", 2, Skipped(1), 0),
        ("yr", 3, Reversed(-1), 0),
        ("yr", 2, Skipped(1), 0),
    ],
)
def test_what_the_first_card_does(first: str, seats: int, told: Event, asked: int) -> None:
    t, events = begin(first, seats, draws="b8 b9")
    assert (events[1:], t.asked()) == ([told], (asked, "turn"))
    assert t.view()["direction"] == (-1 if isinstance(told, Reversed) else 1)


def test_first_card_wild_lets_the_first_player_name_the_colour_then_play() -> None:
    t, [deal] = begin("w")
    assert deal.colour is None
    assert t.asked() == (1, "colour")
    assert (t.view()["phase"], t.view()["colour"], t.view()["turn"]) == ("colour", None, 1)
    assert t.legal(1) == [Colour(colour) for colour in ("red", "yellow", "green", "blue")]
    assert t.name(1, "blue") == [Named(1, "blue")]
    assert t.asked() == (1, "turn")
    assert t.faces(1) == [*OTHER.split(), "draw"]


@pytest.mark.parametrize(
    ("hand", "named"), [(OTHER, "blue"), ("r1 y1 y2 b1 b2 w w+4", "yellow"), ("w w w w+4 w+4 w+4 w+4", "red")]
)
def test_by_default_the_colour_held_most_is_named_ties_in_order(hand: str, named: str) -> None:
    t, _ = match(f"{SEVEN} {hand} w", 2)
    assert UNO.default_action(t.state, 1, t.key(1)) == Colour(named)


def test_first_card_wild_draw_four_goes_to_the_bottom_before_the_shuffle_and_another_is_turned_up() -> None:
    """The bottom is where the published derivation of the deal puts it; the test's shuffle moves one card below it."""
    t, [deal] = begin("w+4")
    assert (SHORTS[deal.top] != "w+4", t.state.reshuffles) == (True, 1)
    assert t.state.deck[1] == CARDS_BY_FACE["w+4"][0]


@pytest.mark.parametrize("first", ["yr", "ys", "y+2", "w", "w+4"])
def test_first_card_number_only_takes_numbers_only(first: str) -> None:
    t, [deal] = begin(first, first_card_number_only=True)
    assert SHORTS[deal.top][1:].isdigit()
    assert t.state.reshuffles >= 1
    assert t.asked() == (1, "turn")


def test_reshuffles_are_numbered_from_one_in_the_next_round() -> None:
    randomness = StackedFair(f"{SEVEN} {OTHER} w+4")
    state, _ = UNO.start(Options(), 2, randomness)
    state.phase = AT_PAUSE
    UNO.settle(state, Fired("pause"))
    assert randomness.stream.asked == ["start", "deck", "reshuffle/1", "deck", "reshuffle/1"]


def test_after_a_pause_without_decisions_the_deal_has_moved_on_by_one_seat() -> None:
    t = table("r1", "y1 y2", "g1 g2", top="r5")
    t.play(0, "r1")
    assert (t.view()["phase"], t.view()["turn"], UNO.decisions(t.state)) == ("pause", None, [])
    assert UNO.pending(t.state) == Timer("pause", 5000)
    assert UNO.outcome(t.state) is None
    [deal, *_] = t.settle("pause")
    assert (deal.round, deal.dealer) == (2, 1)
    assert (t.view()["counts"], t.view()["scores"]) == ([7, 7, 7], [6, 0, 0])


def test_without_a_pause_the_next_round_is_dealt_immediately() -> None:
    t = table("r1", "y1 y2", top="r5", pause=0)
    events = t.play(0, "r1")
    assert [event.e for event in events][:3] == ["play", "round", "deal"]
    assert UNO.pending(t.state) is None


def test_a_new_round_begins_clockwise_with_nothing_left_of_the_old_one() -> None:
    t = table("rr r2", "y1 y2", "g1", top="r5")
    t.play(0, "rr", uno=True)
    t.draw(2)
    t.keep(2)
    t.draw(1)
    t.keep(1)
    t.play(0, "r2")
    assert (t.view()["direction"], t.view()["phase"]) == (-1, "pause")
    t.settle("pause")
    assert t.view()["called"] == []
    assert t.state.passes == t.state.reshuffles == 0
    assert t.view()["direction"] == 1


def test_every_round_has_a_deal_of_its_own() -> None:
    state, [first, *_] = UNO.start(Options(), 2, fair(5))
    state.phase = AT_PAUSE
    [second, *_] = UNO.settle(state, Fired("pause"))
    deck = list(range(108))
    fair(5).deal(2).label("deck").shuffle(deck)
    assert isinstance(first, RoundDealt)
    assert isinstance(second, RoundDealt)
    assert cards_in(second.hands[0]) == sorted(deck[-7:])
    assert first.hands != second.hands


def test_an_eliminated_seat_is_out_and_gets_no_cards() -> None:
    t = table("r1", "y1 y2", "g1", top="r5", scores=[0, 99, 0], scoring="elimination", target=100)
    assert t.play(0, "r1")[-1] == Out(1, "points")
    t.settle("pause")
    assert t.view()["counts"] == [7, 0, 7]
    assert t.view()["out"] == [1]
    assert t.state.active == 2
