"""Refusals say what was wrong and what is allowed, and reveal no secrets."""

import pytest
from tests.games.uno.tables import Table, match, table

from parlour_games.uno.actions import Accept, Action, CallUno, Catch, Challenge, Colour, Draw, Pass, Play
from parlour_games.uno.cards import CARDS_BY_FACE


def card(t: Table, face: str) -> int:
    return next(card for card in CARDS_BY_FACE[face] if t.state.hands[t.state.turn] >> card & 1)


@pytest.fixture
def t() -> Table:
    return table("r1 y5 g7 w w+4", "y1 y2", top="r5", deck="b9 b8")


def test_not_in_your_hand_and_no_such_card_are_one_reason(t: Table) -> None:
    reasons = {t.refused(0, Play(card)) for card in (-1, 108, 10**9, CARDS_BY_FACE["y1"][0], t.state.deck[-1])}
    assert reasons == {"you do not hold that card: play a card from your hand"}


def test_a_card_that_does_not_match(t: Table) -> None:
    assert t.refused(0, Play(card(t, "g7"))) == (
        "green 7 does not match (needs a red card, another 5, or a wild): play another card, or draw"
    )
    other = table("r1 g7", "y1 y2", top="w", colour="blue")
    assert other.refused(0, Play(card(other, "g7"))) == (
        "green 7 does not match (needs a blue card, or a wild): play another card, or draw"
    )


def test_a_draw_two_matches_another_one() -> None:
    t = table("b1 g7", "y1 y2", top="r+2")
    assert t.refused(0, Play(card(t, "g7"))) == (
        "green 7 does not match (needs a red card, another draw two, or a wild): play another card, or draw"
    )


def test_a_play_of_nothing(t: Table) -> None:
    assert t.refused(0, Play()) == "play needs a card"


@pytest.mark.parametrize("colour", [None, "pink", "Red"])
def test_a_wild_needs_a_colour(t: Table, colour: str | None) -> None:
    for face in ("w", "w+4"):
        assert t.refused(0, Play(card(t, face), colour)) == "a wild needs a colour: red, yellow, green or blue"


def test_only_a_wild_takes_a_colour(t: Table) -> None:
    assert t.refused(0, Play(card(t, "r1"), "red")) == "only a wild takes a colour: leave it out"


def test_uno_is_called_with_the_play_that_leaves_one_card(t: Table) -> None:
    assert t.refused(0, Play(card(t, "r1"), uno=True)) == (
        "UNO is called with the play that leaves one card; this one leaves 4: play it without uno"
    )
    last = table("r1", "y1 y2", top="r5")
    assert "this one leaves 0" in last.refused(0, Play(card(last, "r1"), uno=True))


@pytest.mark.parametrize(
    ("strict", "condition"), [(False, "no red card"), (True, "no other card that fits")], ids=["colour", "strict"]
)
def test_a_bluff_under_no_bluff(strict: bool, condition: str) -> None:
    t = table("r1 w+4 b1", "y1 y2", top="r5", no_bluff=True, strict_wild4=strict)
    assert t.refused(0, Play(card(t, "w+4"), "red")) == (
        f"a wild draw four may be played only with {condition} in hand: play another card, or draw"
    )


@pytest.mark.parametrize("action", [Pass(), Accept(), Challenge(), Colour("red"), CallUno(), Catch(1)])
def test_on_a_turn_only_playing_and_drawing_are_answers(t: Table, action: Action) -> None:
    key = t.key(0)
    assert t.refused(0, action) == f"{action.do} is not possible now: play a card or draw one"
    assert t.key(0) == key


def test_after_drawing_only_the_drawn_card_or_a_pass(t: Table) -> None:
    t.draw(0)
    assert t.refused(0, Draw()) == "draw is not possible now: play the card you have drawn, or pass"
    assert t.refused(0, Play(card(t, "r1"))) == (
        "after drawing you may play only the card you drew: play blue 9 if it fits, or pass"
    )
    assert t.refused(0, Play(card(t, "b9"))) == (
        "blue 9 does not match (needs a red card, another 5, or a wild): play blue 9 if it fits, or pass"
    )


def test_after_drawing_nothing_there_is_only_the_pass() -> None:
    t = table("y1 y2", "b1", top="r9", rest=1)
    t.draw(0)
    assert t.refused(0, Play(card(t, "y1"))) == "after drawing you may play only the card you drew: pass"


@pytest.mark.parametrize("action", [Draw(), Pass(), Play(0), CallUno()])
def test_a_wild_draw_four_is_accepted_or_challenged(t: Table, action: Action) -> None:
    t.play(0, "w+4", "red")
    assert t.refused(1, action) == (
        f"{action.do} is not possible now: accept four cards, or challenge the Wild Draw Four"
    )


def test_the_first_colour_is_one_of_four() -> None:
    t, _ = match("r1 r2 r3 r4 r5 r6 r7 b1 b2 b3 b4 b5 b6 b7 w")
    assert t.refused(1, Colour("pink")) == "there is no such colour: name red, yellow, green or blue"
    assert "name the colour of the first card" in t.refused(1, Draw())


def test_a_refused_reaction_says_what_is_allowed() -> None:
    t = table("r1 b2", "y1 y2", top="r5")
    t.play(0, "r1")
    assert t.refused(0, Draw(), must=False) == "draw is not possible here: call UNO, or do nothing"
    for action in (CallUno(), Catch(1), Catch(9), Catch(-1)):
        reason = t.refused(1, action, must=False)
        assert reason == f"{action.do} is not possible here: catch seat 0, or do nothing"
