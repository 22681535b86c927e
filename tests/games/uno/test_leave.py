"""A seat leaves: in every phase there are still 108 cards, and the match continues."""

from typing import Any

import pytest
from tests.games.uno.tables import UNO, Table, match, table

from parlour_games.game import Timer
from parlour_games.uno.events import Asked, Caught, Drawn, MatchEnded, Out, RoundEnded


def three(first: str = "r1 r2", second: str = "y1 y2", **options: Any) -> Table:
    return table(first, second, "g1 g2", top="r5", **options)


def played(first: str, second: str = "y1 y2", **options: Any) -> Table:
    """Return a table of three at which seat 0 has played the first of its cards."""
    t = three(first, second, **options)
    face = first.split()[0]
    t.play(0, face, "green" if face == "w+4" else None)
    return t


def test_the_cards_go_under_the_draw_pile_and_the_questions_of_others_stay() -> None:
    t = three()
    deck, key, legal = t.view()["deck"], t.key(0), t.legal(0)
    assert t.remove(1) == [Out(1, "left")]
    assert (t.view()["out"], t.view()["counts"], t.view()["deck"]) == ([1], [2, 0, 2], deck + 2)
    assert (t.key(0), t.legal(0)) == (key, legal)


@pytest.mark.parametrize(
    ("t", "leaver", "asked"), [(three(), 0, 1), (played("rr r2 r3"), 2, 1), (played("w+4 r2 r3"), 1, 2)]
)
def test_when_the_seat_that_is_asked_leaves_the_next_one_has_the_turn(t: Table, leaver: int, asked: int) -> None:
    counts = [*t.view()["counts"][:leaver], 0, *t.view()["counts"][leaver + 1 :]]
    assert t.remove(leaver) == [Out(leaver, "left")]
    assert (t.asked(), t.view()["counts"]) == ((asked, "turn"), counts)


@pytest.mark.parametrize(("face", "asked"), [("r1", 2), ("rr", 0)])
def test_its_turn_does_not_come_any_more_and_with_two_left_a_reverse_skips(face: str, asked: int) -> None:
    t = three(f"{face} r2 r3")
    t.remove(1)
    t.play(0, face)
    assert t.asked() == (asked, "turn")


def test_with_a_card_just_drawn_the_next_seat_gets_a_whole_turn() -> None:
    t = three(deck="r9")
    t.draw(0)
    t.remove(0)
    assert t.asked() == (1, "turn")
    assert "drawn" not in t.view(1)


def test_one_seat_left_wins_and_leaving_twice_or_after_the_end_changes_nothing() -> None:
    t = three()
    t.remove(0)
    before = UNO.canonical(t.state)
    assert t.remove(0) == []
    assert UNO.canonical(t.state) == before
    assert t.remove(1) == [Out(1, "left"), MatchEnded((2,))]
    assert (t.remove(2), UNO.decisions(t.state)) == ([], [])
    assert (t.result().ranks, t.result().why) == ((3, 2, 1), "last")


def test_when_the_seat_that_names_the_first_colour_leaves_the_next_seat_names_it() -> None:
    t, _ = match("r1 r2 r3 r4 r5 r6 r7 b1 b2 b3 b4 b5 b6 b7 g1 g2 g3 g4 g5 g6 g7 w", 3)
    t.remove(1)
    assert t.asked() == (2, "colour")
    t.name(2, "green")
    assert t.asked() == (2, "turn")


def test_the_dealer_leaves_and_the_deal_moves_on() -> None:
    t = three("b1 b2", "r1")
    assert t.view()["dealer"] == 0
    t.remove(0)
    t.play(1, "r1")
    [deal, *_] = t.settle("pause")
    assert deal.dealer == 1


def test_in_the_pause() -> None:
    t = played("r1")
    assert t.remove(1) == [Out(1, "left")]
    assert UNO.pending(t.state) == Timer("pause", 5000)
    [deal, *_] = t.settle("pause")
    assert (deal.dealer, t.view()["counts"]) == (2, [7, 0, 7])


@pytest.mark.parametrize(("hand", "leaver"), [("r1", 0), ("r1 b2", 0), ("r1 b2", 1)])
def test_one_of_two_leaves_in_the_pause_or_the_breath(hand: str, leaver: int) -> None:
    t = table(hand, "y1 y2", top="r5")
    t.play(0, "r1")
    t.remove(leaver)
    assert (UNO.pending(t.state), UNO.decisions(t.state)) == (None, [])
    assert UNO.outcome(t.state)


# A Wild Draw Four


def test_when_the_seat_facing_a_last_wild_draw_four_leaves_the_round_is_won() -> None:
    assert played("w+4").remove(1) == [Out(1, "left"), RoundEnded(0, (0, 0, 3), (3, 0, 0))]


@pytest.mark.parametrize(("other", "guilty", "draws"), [("r2", True, []), ("b2", False, [(1, 6)])])
def test_the_offender_leaves_and_the_question_stays(other: str, guilty: bool, draws: list[tuple[int, int]]) -> None:
    t = played(f"w+4 {other} b3")
    key = t.key(1)
    t.remove(0)
    assert t.key(1) == key
    challenged, *drawn = t.challenge(1)
    assert challenged.guilty == guilty
    assert [(event.seat, len(event.cards)) for event in drawn if isinstance(event, Drawn)] == draws
    assert t.view()["counts"][0] == 0


def test_a_guilty_offender_that_has_left_draws_nothing_whatever_its_seat() -> None:
    t = table("b1 b2", "w+4 r2 b3", "g1 g2", "y1 y2", top="r5", turn=1)
    t.play(1, "w+4", "green")
    t.remove(1)
    [challenged] = t.challenge(2)
    assert (challenged.guilty, challenged.of) == (True, 1)
    assert t.view()["counts"] == [2, 0, 2, 2]


@pytest.mark.parametrize("scoring", ["race", "single"])
def test_the_offender_leaves_after_its_last_card_and_still_has_won_the_round(scoring: str) -> None:
    t = played("w+4", "y1", scoring=scoring)
    t.remove(0)
    *_, ended = t.accept(1)
    assert ended.winner == 0
    assert UNO.outcome(t.state) is None, "a single round that a leaver has won is played again"
    assert UNO.pending(t.state) == Timer("pause", 5000)
    t.settle("pause")
    assert t.view()["counts"] == [0, 7, 7]


# The breath


def test_when_the_exposed_seat_leaves_no_seat_can_be_caught() -> None:
    t = played("r1 b2")
    t.catch(2, of=0)
    t.remove(0)
    assert t.reactions() == []
    assert t.settle() == [Asked(1)]
    assert t.asked() == (1, "turn")


def test_a_catcher_leaves_and_the_next_catch_held_counts() -> None:
    t = played("r1 b2")
    t.catch(2, of=0)
    t.catch(1, of=0)
    t.remove(2)
    assert t.settle()[0] == Caught(0, 1, 2)


@pytest.mark.parametrize("hand", ["r1 b2", "w+4 b2"])
def test_the_seat_that_is_asked_after_the_breath_leaves(hand: str) -> None:
    t = played(hand)
    t.remove(1)
    assert t.asked() is None
    assert UNO.pending(t.state) == Timer("breath", 750, serial=1)
    assert [seat for seat, _ in t.reactions()] == [0, 2]
    assert t.settle() == [Asked(2)]
    assert t.asked() == (2, "turn")


def test_a_departure_begins_the_count_of_passes_again() -> None:
    t = table("y1 y2", "y3 y4", "b1", top="r9", rest=2)
    for seat in (0, 1):
        t.draw(seat)
        t.keep(seat)
    t.remove(0)
    assert t.state.passes == 0
    assert t.asked() == (2, "turn")


def test_a_seat_may_resign_on_its_turn_and_during_a_reaction() -> None:
    t = three()
    assert t.resign(0) == [Out(0, "resigned")]
    assert t.asked() == (1, "turn")
    for seat in (0, 1, 2):
        assert played("r1 b2").resign(seat, must=False) == [Out(seat, "resigned")]
