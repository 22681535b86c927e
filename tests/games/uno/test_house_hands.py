"""Sevens swap hands and zeros pass them on: the new hands, their visibility, and calls."""

import pytest
from tests.games.uno.tables import UNO, table

from parlour_games.uno.actions import Draw, Play
from parlour_games.uno.cards import mask_of
from parlour_games.uno.events import Played, Rotated, Swapped


def test_a_seven_is_listed_once_for_each_seat_to_swap_with() -> None:
    t = table("r7 r2 r3", "y1 y2", "g1", "b1 b2", top="r5", seven_zero=True)
    seven = t.held(0, "r7")
    swaps = [action for action in t.legal(0) if isinstance(action, Play) and action.card == seven]
    assert swaps == [Play(seven, swap=seat) for seat in (1, 2, 3)]
    assert t.legal(0)[-1] == Draw()


def test_a_seven_swaps_hands_and_the_turn_goes_on() -> None:
    t = table("r7 r2 r3", "y1 y2 y3", "g1 g2 g3 g4", top="r5", seven_zero=True)
    mine, theirs = t.state.hands[0] & ~mask_of([t.held(0, "r7")]), t.state.hands[2]
    played, swapped = t.play(0, "r7", swap=2)
    assert (played.swap, swapped) == (2, Swapped(0, 2, (theirs, mine)))
    assert (t.hand(0), t.hand(2)) == ("g1 g2 g3 g4", "r2 r3")
    assert t.view()["counts"] == [4, 3, 2]
    assert t.asked() == (1, "turn")


def test_a_zero_passes_every_hand_on_in_the_direction_of_play() -> None:
    t = table("r0 r2 r3", "y1 y2", "g1 g2 g3 g4", top="r5", seven_zero=True)
    _, rotated = t.play(0, "r0")
    assert [t.hand(seat) for seat in (0, 1, 2)] == ["g1 g2 g3 g4", "r2 r3", "y1 y2"]
    assert rotated == Rotated(1, tuple(t.state.hands))
    assert t.asked() == (1, "turn")


def test_a_zero_after_a_reverse_goes_the_other_way_and_past_seats_that_are_out() -> None:
    t = table("rr r2 r3", "y1 y2", "g1 g2 g3 g4", "r0 b1 b2 b3 b4", "b5 b6", top="r5", seven_zero=True)
    t.play(0, "rr")
    t.remove(4)
    t.play(3, "r0")
    assert [t.hand(seat) for seat in range(5)] == ["y1 y2", "g1 g2 g3 g4", "b1 b2 b3 b4", "r2 r3", ""]


def test_without_the_rule_they_are_numbers() -> None:
    t = table("r7 r0 r3", "y1 y2", top="r5")
    t.play(0, "r7")
    assert t.hand(0) == "r0 r3"


@pytest.mark.parametrize("face", ["r7", "r0"])
def test_as_last_card_they_move_no_hands(face: str) -> None:
    t = table(face, "y1 y2", "g1", top="r5", seven_zero=True)
    assert t.legal(0) == [Play(t.held(0, face)), Draw()]
    played, ended = t.play(0, face)
    assert isinstance(played, Played)
    assert (ended.winner, ended.points) == (0, (0, 3, 1))


@pytest.mark.parametrize("face", ["r7", "r0"])
def test_a_seat_that_gives_its_hand_away_has_nothing_to_call(face: str) -> None:
    t = table(f"{face} r2", "y1 y2 y3", "g1 g2 g3", top="r5", seven_zero=True)
    assert {action.uno for action in t.legal(0) if isinstance(action, Play) and action.card == t.held(0, face)} == {
        False
    }
    t.play(0, face, swap=1 if face == "r7" else None)
    assert t.view()["counts"] == [3, 1, 3]
    assert t.view()["called"] == [1], "who comes to one card by it counts as having called"
    assert t.reactions() == []
    assert t.asked() == (1, "turn")


def test_a_hand_of_one_that_moves_takes_its_call_along() -> None:
    t = table("r1 b2", "r7 y2 y3", "g1 g2", top="r5", seven_zero=True)
    t.play(0, "r1", uno=True)
    t.play(1, "r7", swap=0)
    assert t.view()["counts"] == [2, 1, 2]
    assert t.view()["called"] == [1]


def test_time_running_out_on_a_forced_seven_swaps_with_the_fewest_cards_lowest_seat_first() -> None:
    t = table("r7 y2 y3", "b1 b2 b3", "g1 g2", "b4 b5", top="r5", seven_zero=True, force_play=True)
    assert t.faces(0) == ["r7"]
    assert UNO.default_action(t.state, 0, t.key(0)) == Play(t.held(0, "r7"), swap=2)


def test_a_seven_to_swap_with_a_seat_that_leaves_makes_another_question() -> None:
    t = table("r7 r2 r3", "y1 y2", "g1", "b1 b2", top="r5", seven_zero=True)
    key = t.key(0)
    t.remove(2)
    assert t.key(0) != key
    assert [action.swap for action in t.legal(0) if isinstance(action, Play) and action.swap is not None] == [1, 3]


@pytest.mark.parametrize("swap", [None, 0, 4, -1])
def test_a_seven_without_another_seat_is_refused(swap: int | None) -> None:
    t = table("r7 r2 r3", "y1 y2", "g1", "b1 b2", top="r5", seven_zero=True)
    assert t.refused(0, Play(t.held(0, "r7"), swap=swap)).phrase == "swap"


def test_a_swap_where_nothing_swaps_is_refused() -> None:
    for t in (
        table("r8 r2 r3", "y1 y2", top="r5", seven_zero=True),
        table("r7 r2 r3", "y1 y2", top="r5"),
        table("r7", "y1 y2", top="r5", seven_zero=True),
    ):
        card = next(action.card for action in t.legal(0) if isinstance(action, Play))
        assert t.refused(0, Play(card, swap=1)).phrase == "no_swap"


@pytest.mark.parametrize(("face", "swap"), [("r7", 1), ("r0", None)])
def test_calling_with_a_card_that_moves_hands_is_refused(face: str, swap: int | None) -> None:
    t = table(f"{face} r2", "y1 y2", top="r5", seven_zero=True)
    assert t.refused(0, Play(t.held(0, face), uno=True, swap=swap)).phrase == "hand_moves"
