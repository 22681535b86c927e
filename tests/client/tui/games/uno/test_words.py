"""What the turn line says."""

from typing import Any

import pytest
from tests.client.messages import VIEW, joined, table
from tests.client.tui.games.uno.tables import TRUECOLOUR

from parlour_client.core.room import JoinedRoom, Question
from parlour_client.tui.games.uno import words
from parlour_client.tui.games.uno.intents import intents_of
from parlour_protocol.messages import Plain

PLAY: list[Plain] = [{"do": "play", "card": 9}, {"do": "draw"}]
NAME: list[Plain] = [{"do": "colour", "colour": "red"}]
TAKE: list[Plain] = [{"do": "accept"}]


def room(legal: list[Plain] | None, **view: Any) -> JoinedRoom:
    here = JoinedRoom.of(joined(0, seat=0, view={**VIEW, **view}, table=table("playing")))
    here.question = None if legal is None else Question(7, legal, None)
    return here


@pytest.mark.parametrize(("legal", "view", "said"), [
    (PLAY, {}, "YOUR TURN: match ▲ red or 7"),
    (PLAY, {"top": 20}, "YOUR TURN: match ▲ red or ⊘"),
    (PLAY, {"top": 100, "colour": "blue"}, "YOUR TURN: match ◆ blue"),
    ([{"do": "draw"}], {}, "YOUR TURN: match ▲ red or 7 – draw one"),
    ([*PLAY[:1], {"do": "pass"}], {"phase": "drawn", "drawn": 9}, "You drew red 5: play it or keep it"),
    (PLAY[:1], {"phase": "drawn", "drawn": 9}, "You drew red 5: play it"),
    ([{"do": "pass"}], {"phase": "drawn", "drawn": 26}, "You drew yellow 1: it does not fit"),
    ([{"do": "pass"}], {"phase": "drawn", "drawn": None}, "No card was left: pass"),
    ([*TAKE, {"do": "challenge"}], {"phase": "challenge", "top": 104}, "+4 FOR YOU: accept 4 or challenge"),
    (
        [*TAKE, {"do": "challenge"}],
        {"phase": "challenge", "top": 104, "of": 2, "before": "green"},
        "+4 FOR YOU: accept 4 or challenge – did pia hold green?",
    ),
    (
        [{"do": "play", "card": 105, "colour": "red"}, *TAKE, {"do": "challenge"}],
        {"phase": "challenge", "top": 104, "pending": 8},
        "+8 FOR YOU: stack a +4, accept 8 or challenge",
    ),
    (TAKE, {"pending": 6, "top": 23}, "+6 FOR YOU: you draw 6"),
    ([{"do": "play", "card": 24}, *TAKE], {"pending": 2, "top": 23}, "+2 FOR YOU: stack a +2, or draw 2"),
    (NAME, {"phase": "colour", "colour": None}, "YOUR TURN: name the colour of the first card"),
    (None, {"turn": 1}, "otto's turn: match ▲ red or 7"),
    (None, {"turn": 1, "phase": "colour", "colour": None}, "otto's turn:"),
    (None, {"turn": None, "phase": "breath"}, "A moment for calls:"),
    (None, {"turn": None, "phase": "pause"}, "Round over:"),
    (None, {"turn": None, "phase": "over"}, "Match over:"),
    (None, {"turn": 0}, "Your turn is coming: match ▲ red or 7"),
])  # fmt: skip
def test_whose_turn_it_is_and_by_which_rule(legal: list[Plain] | None, view: Plain, said: str) -> None:
    here = room(legal, **view)
    moves = intents_of(here)
    assert f"{words.headline(here, moves)}: {words.rule(TRUECOLOUR, here, moves).plain}".strip() == said


@pytest.mark.parametrize(("legal", "view", "card", "said"), [
    (PLAY, {}, 26, "Yellow 1 does not fit: match ▲ red or 7."),
    (None, {"turn": 2}, 26, "It is pia's turn."),
    (None, {"turn": None}, 26, "It is not your turn."),
    ([{"do": "pass"}], {"phase": "drawn"}, 26, "After drawing, you can play only the card you drew."),
    (TAKE, {"pending": 4, "top": 23}, 26, "Yellow 1 is no answer here: you draw 4."),
    (PLAY, {}, 104, "You cannot play that wild draw four: other cards of yours fit."),
])  # fmt: skip
def test_why_a_card_cannot_be_played(legal: list[Plain] | None, view: Plain, card: int, said: str) -> None:
    here = room(legal, **view)
    assert words.why_not(TRUECOLOUR, here, intents_of(here), card) == said


def test_what_can_be_played_in_words() -> None:
    here = room([{"do": "play", "card": 9}, {"do": "play", "card": 10}])
    assert words.legal(here, intents_of(here)) == "You can play red 5."
    here = room([{"do": "draw"}])
    assert words.legal(here, intents_of(here)) == "No card can be played: draw."
