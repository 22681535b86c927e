"""Refusals name what is wrong and what is allowed, and reveal no secrets."""

from typing import Any

import pytest
from tests.games.uno.tables import Table, match, table

from parlour_games.game import Plain
from parlour_games.uno.actions import Accept, Action, CallUno, Catch, Challenge, Colour, Draw, Pass, Play
from parlour_games.uno.cards import CARDS_BY_FACE, DRAW_TWO


def position(hand: str = "r1 y5 g7 w w+4", top: str = "r5", **more: Any) -> Table:
    return table(hand, "y1 y2", top=top, deck="b9 b8", **more)


def drawn() -> Table:
    t = position()
    t.draw(0)
    return t


def challenged() -> Table:
    t = position()
    t.play(0, "w+4", "red")
    return t


def first_wild() -> Table:
    return match("r1 r2 r3 r4 r5 r6 r7 b1 b2 b3 b4 b5 b6 b7 w")[0]


def card(face: str, colour: str | None = None, uno: bool = False) -> Play:
    return Play(CARDS_BY_FACE[face][0], colour, uno)


RED_FIVE = {"colour": "red", "sign": 5}


@pytest.mark.parametrize(
    ("t", "action", "phrase", "fields"),
    [
        (position(), card("g7"), "unfit", RED_FIVE),
        (position(top="w", colour="blue"), card("g7"), "unfit", {"colour": "blue", "sign": None}),
        (position(top="r+2"), card("g7"), "unfit", {"colour": "red", "sign": DRAW_TWO}),
        (position(), Play(), "card", {}),
        *((position(), card(face, colour), "wild", {}) for face in ("w", "w+4") for colour in (None, "pink", "Red")),
        (position(), card("r1", "red"), "no_colour", {}),
        (position(), card("r1", uno=True), "early_call", {"left": 4}),
        (position("r1"), card("r1", uno=True), "early_call", {"left": 0}),
        (position(no_bluff=True), card("w+4", "red"), "four", {"strict": False}),
        (position(no_bluff=True, strict_wild4=True), card("w+4", "red"), "four", {"strict": True}),
        *(
            (position(), action, "phase", {"do": action.do, "phase": "play"})
            for action in (Pass(), Accept(), Challenge(), Colour("red"), CallUno(), Catch(1))
        ),
        (drawn(), Draw(), "phase", {"do": "draw", "phase": "drawn"}),
        (drawn(), card("r1"), "drawn", {}),
        (drawn(), card("b9"), "unfit", RED_FIVE),
        *(
            (challenged(), action, "phase", {"do": action.do, "phase": "challenge"})
            for action in (Draw(), Pass(), Play(0), CallUno())
        ),
        (first_wild(), Colour("pink"), "colour", {}),
        (first_wild(), Draw(), "phase", {"do": "draw", "phase": "colour"}),
    ],
)
def test_a_refusal_names_what_is_wrong(t: Table, action: Action, phrase: str, fields: Plain) -> None:
    refusal = t.refused(t.state.turn, action)
    assert (refusal.phrase, refusal.fields) == (phrase, fields)


def test_not_in_your_hand_and_no_such_card_are_one_reason() -> None:
    t = position()
    cards = (-1, 108, 10**9, CARDS_BY_FACE["y1"][0], t.state.deck[-1])
    refusals = [t.refused(0, Play(card)) for card in cards]
    assert {(each.phrase, each.reason, len(each.fields)) for each in refusals} == {
        ("not_held", "you do not hold that card: play a card from your hand", 0)
    }


def test_a_refused_reaction_says_what_is_allowed() -> None:
    t = table("r1 b2", "y1 y2", top="r5")
    t.play(0, "r1")
    refused = [(0, Draw(), "uno"), *((1, action, "catch") for action in (CallUno(), Catch(1), Catch(9), Catch(-1)))]
    for seat, action, allowed in refused:
        refusal = t.refused(seat, action, must=False)
        assert (refusal.phrase, refusal.fields) == ("reaction", {"do": action.do, "allowed": allowed})
