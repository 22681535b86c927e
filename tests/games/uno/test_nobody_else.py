"""A step for one seat, card or decision leaves all others unchanged."""

from tests.games.uno.tables import UNO, StackedFair, pick, table

from parlour_games.uno.cards import SHORTS, cards_in
from parlour_games.uno.events import Caught, Drawn, Reshuffled, Rotated
from parlour_games.uno.options import Options


def number(key: str) -> int:
    """Return the counter in the key of a decision."""
    return int(key.split(":")[1])


def test_a_call_stays_when_the_next_seat_calls() -> None:
    t = table("r1 r2", "r3 r4", "g1 g2", top="r5")
    t.play(0, "r1", uno=True)
    t.play(1, "r3", uno=True)
    assert t.view()["called"] == [0, 1]


def test_a_call_stays_after_a_late_call_of_another_seat() -> None:
    t = table("r1 r2", "r3 r4", "g1 g2", top="r5")
    t.play(0, "r1", uno=True)
    t.play(1, "r3")
    t.call(1)
    assert t.view()["called"] == [0, 1]


def test_a_leaver_takes_its_own_call_along_and_no_other() -> None:
    t = table("r1 r2", "r3 r4", "g1 g2", "b1 b2", top="r5")
    t.play(0, "r1", uno=True)
    t.play(1, "r3", uno=True)
    t.remove(3)
    assert t.view()["called"] == [0, 1]
    t.remove(0)
    assert t.view()["called"] == [1]


def test_a_guilty_offender_that_has_left_draws_nothing_whatever_its_seat() -> None:
    t = table("b1 b2", "w+4 r2 b3", "g1 g2", "y1 y2", top="r5", turn=1)
    t.play(1, "w+4", "green")
    t.remove(1)
    [challenged] = t.challenge(2)
    assert (challenged.guilty, challenged.of) == (True, 1)
    assert t.view()["counts"] == [2, 0, 2, 2]


def test_it_is_the_card_on_top_that_can_be_stacked_on() -> None:
    t = table("r+2 r2 r3", "y+2 y2", "g1 g2", top="r5", pile="g3 g4 g6", stack2=True)
    t.play(0, "r+2")
    assert t.view()["pending"] == 2
    t.play(1, "y+2")
    assert t.view()["pending"] == 4


def test_hands_passed_on_leave_a_closed_seat_empty() -> None:
    t = table("r0 r2 r3", "y1 y2", "g1", "b1 b2", top="r5", seven_zero=True)
    t.remove(1)
    events = t.play(0, "r0")
    [rotated] = [event for event in events if isinstance(event, Rotated)]
    assert rotated.hands[1] == 0
    assert [len(cards_in(hand)) for hand in rotated.hands] == [2, 0, 2, 1]


def test_a_question_that_a_leaver_has_shortened_is_a_new_one() -> None:
    t = table("b9 y2 r7 r2", "y1 y3", "g1 g2", "b1 b2", top="r5", seven_zero=True, turn=3)
    t.draw(3)
    t.keep(3)
    before, listed = t.key(0), t.legal(0)
    t.remove(2)
    assert len(t.legal(0)) < len(listed)
    assert number(t.key(0)) > number(before)


def test_the_card_that_was_drawn_is_forgotten_when_it_is_played_or_kept() -> None:
    t = table("y1 y2", "g1 g2", top="r5", deck="r9 b9")
    t.draw(0)
    assert [SHORTS[card] for card in UNO.canonical(t.state)["drawn"]] == ["r9"]
    t.play(0, "r9")
    assert UNO.canonical(t.state)["drawn"] == []
    t.draw(1)
    t.keep(1)
    assert UNO.canonical(t.state)["drawn"] == []


def test_the_record_of_a_state_names_the_hand_behind_a_wild_draw_four() -> None:
    t = table("w+4 r2 b3", "y1 y2", top="r5")
    hand = cards_in(t.state.hands[0])[:2]
    t.play(0, "w+4", "green")
    assert UNO.canonical(t.state)["evidence"] == hand


def test_the_canonical_state_names_the_seat_whose_card_may_be_jumped_on() -> None:
    t = table("b1 b2", "r1 r2 r3", "y1 y2 r1", top="r5", turn=1, jump_in=True)
    t.play(1, "r1")
    assert UNO.canonical(t.state)["laid_by"] == 1


def test_a_wrong_catch_protects_only_an_exposed_catcher() -> None:
    t = table("r1 r2", "y1 y2", "g1", top="r5", false_call_penalty=2)
    t.play(0, "r1")
    t.catch(1, of=2)
    t.settle()
    assert any(key.startswith("catch:0") for _, key in t.reactions())
    assert t.catch(1, of=0)[0] == Caught(0, 1, 2)

    t = table("r1 r2", "y1 y2", "g1", top="r5", false_call_penalty=2)
    t.play(0, "r1")
    t.catch(0, of=2)
    t.settle()
    assert not any(key.startswith("catch:0") for _, key in t.reactions())


def test_a_first_card_that_cannot_begin_goes_to_the_bottom_before_the_shuffle() -> None:
    """The bottom is where the published derivation of the deal puts it; the test's shuffle moves one card below it."""
    state, _ = UNO.start(Options(), 2, StackedFair("r1 r2 r3 r4 r5 r6 r7 b1 b2 b3 b4 b5 b6 b7 w+4"))
    assert state.deck[1] == pick("w+4")[0]


def test_the_rest_of_the_draw_pile_is_drawn_from_its_top() -> None:
    t = table("w+4 y2 b3", "y1 y3", top="r5", deck="g1 g2", pile="b7", rest=0)
    t.play(0, "w+4", "green")
    [drawn] = [event for event in t.accept(1) if isinstance(event, Drawn)]
    assert [SHORTS[card] for card in drawn.cards[:2]] == ["g1", "g2"]
    assert len(drawn.cards) == 4


def test_a_reshuffle_is_reported_before_the_cards_drawn_from_it() -> None:
    t = table("w+4 y2 b3", "y1 y3", top="r5", deck="g1 g2", pile="b7", rest=0)
    t.play(0, "w+4", "green")
    kinds = [type(event) for event in t.accept(1)]
    assert kinds.index(Reshuffled) < kinds.index(Drawn)
