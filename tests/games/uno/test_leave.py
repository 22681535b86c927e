"""A seat leaves: in every phase there are still 108 cards, and the match continues."""

import pytest
from tests.games.uno.tables import UNO, match, table

from parlour_games.game import Timer
from parlour_games.uno.actions import Resign
from parlour_games.uno.events import Asked, Caught, Drawn, MatchEnded, Out, RoundEnded


def test_the_cards_go_under_the_draw_pile_and_the_seat_is_closed() -> None:
    t = table("r1 r2", "y1 y2", "g1 g2", top="r5")
    deck = t.view()["deck"]
    assert t.remove(1) == [Out(1, "left")]
    assert (t.view()["out"], t.view()["counts"], t.view()["deck"]) == ([1], [2, 0, 2], deck + 2)


def test_on_its_own_turn_the_next_seat_is_asked() -> None:
    t = table("r1 r2", "y1 y2", "g1 g2", top="r5")
    t.remove(0)
    assert t.asked() == (1, "turn")


def test_in_the_direction_of_play() -> None:
    t = table("rr r2 r3", "y1 y2", "g1 g2", "b1 b2", top="r5")
    t.play(0, "rr")
    t.remove(3)
    assert t.asked() == (2, "turn")


def test_with_a_card_just_drawn_the_next_seat_gets_a_whole_turn() -> None:
    t = table("r1 r2", "y1 y2", "g1 g2", top="r5", deck="r9")
    t.draw(0)
    t.remove(0)
    assert t.asked() == (1, "turn")
    assert "drawn" not in t.view(1)


def test_another_seats_question_stays_the_same() -> None:
    t = table("r1 r2", "y1 y2", "g1 g2", top="r5")
    key, legal = t.key(0), t.legal(0)
    t.remove(2)
    assert (t.key(0), t.legal(0)) == (key, legal)


def test_its_turn_does_not_come_any_more() -> None:
    t = table("r1 r2 r3", "y1 y2", "g1 g2", top="r5")
    t.remove(1)
    t.play(0, "r1")
    assert t.asked() == (2, "turn")


def test_with_two_left_reverse_acts_as_a_skip() -> None:
    t = table("rr r2 r3", "y1 y2", "g1 g2", top="r5")
    t.remove(1)
    t.play(0, "rr")
    assert t.asked() == (0, "turn")


def test_one_seat_left_wins() -> None:
    t = table("r1 r2", "y1 y2", top="r5")
    assert t.remove(0) == [Out(0, "left"), MatchEnded((1,))]
    assert t.result().ranks == (2, 1)
    assert t.result().why == "last"
    assert UNO.decisions(t.state) == []


def test_leaving_twice_or_after_the_end_changes_nothing() -> None:
    t = table("r1 r2", "y1 y2", "g1 g2", top="r5")
    t.remove(0)
    before = UNO.canonical(t.state)
    assert t.remove(0) == []
    assert UNO.canonical(t.state) == before
    t.remove(1)
    assert t.remove(2) == []
    assert t.result().ranks == (3, 2, 1)


def test_when_the_seat_that_names_the_first_colour_leaves_the_next_seat_names_it() -> None:
    t, _ = match("r1 r2 r3 r4 r5 r6 r7 b1 b2 b3 b4 b5 b6 b7 g1 g2 g3 g4 g5 g6 g7 w", 3)
    t.remove(1)
    assert t.asked() == (2, "colour")
    t.name(2, "green")
    assert t.asked() == (2, "turn")


def test_the_dealer_leaves_and_the_deal_moves_on() -> None:
    t = table("b1 b2", "r1", "g1 g2", top="r5")
    assert t.view()["dealer"] == 0
    t.remove(0)
    t.play(1, "r1")
    [deal, *_] = t.settle("pause")
    assert deal.dealer == 1


def test_in_the_pause() -> None:
    t = table("r1", "y1 y2", "g1 g2", top="r5")
    t.play(0, "r1")
    assert t.remove(1) == [Out(1, "left")]
    assert UNO.pending(t.state) == Timer("pause", 5000)
    [deal, *_] = t.settle("pause")
    assert (deal.dealer, t.view()["counts"]) == (2, [7, 0, 7])


def test_in_the_pause_with_two_seats_the_match_is_over() -> None:
    t = table("r1", "y1 y2", top="r5")
    t.play(0, "r1")
    t.remove(0)
    assert UNO.pending(t.state) is None
    assert UNO.outcome(t.state)


# A Wild Draw Four


def test_when_the_seat_facing_a_wild_draw_four_leaves_no_seat_draws() -> None:
    t = table("w+4 r2 r3", "y1 y2", "g1 g2", top="r5")
    t.play(0, "w+4", "green")
    assert t.remove(1) == [Out(1, "left")]
    assert t.asked() == (2, "turn")
    assert t.view()["counts"] == [2, 0, 2]


def test_when_the_seat_facing_a_last_wild_draw_four_leaves_the_round_is_won() -> None:
    t = table("w+4", "y1 y2", "g1 g2", top="r5")
    t.play(0, "w+4", "green")
    assert t.remove(1) == [Out(1, "left"), RoundEnded(0, (0, 0, 3), (3, 0, 0))]


@pytest.mark.parametrize("other", ["r2", "b2"])
def test_the_offender_leaves_and_the_question_stays(other: str) -> None:
    t = table(f"w+4 {other} b3", "y1 y2", "g1 g2", top="r5")
    t.play(0, "w+4", "green")
    key = t.key(1)
    t.remove(0)
    assert t.key(1) == key
    challenged, *drawn = t.challenge(1)
    assert challenged.guilty == (other == "r2")
    assert [(event.seat, len(event.cards)) for event in drawn if isinstance(event, Drawn)] == (
        [] if challenged.guilty else [(1, 6)]
    )
    assert t.view()["counts"][0] == 0


def test_the_offender_leaves_after_its_last_card_and_still_has_won_the_round() -> None:
    t = table("w+4", "y1", "g1 g2", top="r5")
    t.play(0, "w+4", "green")
    t.remove(0)
    *_, ended = t.accept(1)
    assert ended.winner == 0
    assert UNO.pending(t.state) == Timer("pause", 5000)


def test_a_single_round_won_by_a_leaver_is_played_again() -> None:
    t = table("w+4", "y1", "g1 g2", top="r5", scoring="single")
    t.play(0, "w+4", "green")
    t.remove(0)
    t.accept(1)
    assert UNO.outcome(t.state) is None
    t.settle("pause")
    assert t.view()["counts"] == [0, 7, 7]


# The breath


def test_when_the_exposed_seat_leaves_no_seat_can_be_caught() -> None:
    t = table("r1 b2", "y1 y2", "g1 g2", top="r5")
    t.play(0, "r1")
    t.catch(2, of=0)
    t.remove(0)
    assert t.reactions() == []
    assert t.settle() == [Asked(1)]
    assert t.asked() == (1, "turn")


def test_a_catcher_leaves_and_the_next_catch_held_counts() -> None:
    t = table("r1 b2", "y1 y2", "g1 g2", "b1 b3", top="r5")
    t.play(0, "r1")
    t.catch(2, of=0)
    t.catch(3, of=0)
    t.remove(2)
    caught, *_ = t.settle()
    assert caught == Caught(0, 3, 2)


def test_the_seat_on_turn_after_the_breath_leaves() -> None:
    t = table("r1 b2", "y1 y2", "g1 g2", top="r5")
    t.play(0, "r1")
    t.remove(1)
    assert t.asked() is None
    assert UNO.pending(t.state) == Timer("breath", 750, serial=1)
    assert [seat for seat, _ in t.reactions()] == [0, 2]
    assert t.settle() == [Asked(2)]
    assert t.asked() == (2, "turn")


def test_the_seat_facing_a_wild_draw_four_after_the_breath_leaves() -> None:
    t = table("w+4 b2", "y1 y2", "g1 g2", top="r5")
    t.play(0, "w+4", "green")
    t.remove(1)
    t.settle()
    assert t.asked() == (2, "turn")


def test_one_of_two_leaves_in_the_breath() -> None:
    for seat in (0, 1):
        t = table("r1 b2", "y1 y2", top="r5")
        t.play(0, "r1")
        t.remove(seat)
        assert UNO.pending(t.state) is None
        assert UNO.decisions(t.state) == []


def test_a_departure_begins_the_count_of_passes_again() -> None:
    t = table("y1 y2", "y3 y4", "b1", top="r9", rest=2)
    for seat in (0, 1):
        t.draw(seat)
        t.keep(seat)
    t.remove(0)
    assert t.state.passes == 0
    assert t.asked() == (2, "turn")


# Resigning


def test_resigning_is_accepted_under_any_open_question_but_never_listed() -> None:
    t = table("r1 r2", "y1 y2", "g1 g2", top="r5")
    assert Resign() not in t.legal(0)
    assert t.resign(0) == [Out(0, "resigned")]
    assert t.asked() == (1, "turn")


def test_resigning_during_a_reaction() -> None:
    for seat in (0, 1, 2):
        t = table("r1 b2", "y1 y2", "g1 g2", top="r5")
        t.play(0, "r1")
        assert t.resign(seat, must=False) == [Out(seat, "resigned")]
        assert t.view()["out"] == [seat]


def test_resigning_as_one_of_two_loses() -> None:
    t = table("r1 r2", "y1 y2", top="r5")
    t.resign(0)
    assert t.result().ranks == (2, 1)
