from typing import Any

import attrs
import pytest
from tests.client.messages import VIEW, joined, table

from parlour_client.core.room import JoinedRoom, Question
from parlour_client.text.base import UnclearInput
from parlour_client.text.uno import lines as uno_lines
from parlour_client.text.uno import sentences
from parlour_client.text.uno.words import house_rules
from parlour_games.uno.options import Options
from parlour_protocol.messages import Plain

DRAWN = {"e": "draw", "seat": 1, "n": 2}


def room(seat: int | None = 0, options: Plain | None = None, **view: Any) -> JoinedRoom:
    now = table("playing", options=options or {})
    return JoinedRoom.of(joined(0, seat=seat, view={**VIEW, **view}, table=now))


def asked(legal: list[Plain], left: int | None = 14_000, **view: Any) -> JoinedRoom:
    here = room(**view)
    here.question = Question(7, legal, left)
    return here


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            {"e": "deal", "round": 2, "dealer": 1, "top": 100, "colour": None, "hand": [9, 107]},
            "Round 2. otto deals; wild is turned up. Your hand: red 5, wild draw four.",
        ),
        ({"e": "play", "seat": 1, "card": 9}, "otto plays red 5."),
        ({"e": "play", "seat": 0, "card": 9, "uno": True}, "You play red 5. UNO!"),
        ({"e": "play", "seat": 1, "card": 104, "colour": "blue"}, "otto plays wild draw four and names blue."),
        ({"e": "play", "seat": 0, "card": 100, "colour": "blue"}, "You play wild and name blue."),
        ({"e": "play", "seat": 1, "card": 9, "jump": True, "uno": True}, "otto jumps in with red 5. UNO!"),
        ({"e": "play", "seat": 0, "card": 34, "cards": [9, 34]}, "You play red 5, yellow 5."),
        ({"e": "swap", "seat": 1, "of": 0, "hand": [9]}, "otto swaps hands with you. Your hand: red 5."),
        ({"e": "swap", "seat": 0, "of": 2, "hand": []}, "You swap hands with pia. Your hand: no cards."),
        ({"e": "swap", "seat": 1, "of": 2}, "otto swaps hands with pia."),
        ({"e": "rotate", "direction": -1, "hand": [9]}, "All hands move to the right. Your hand: red 5."),
        ({"e": "mistake", "seat": 1, "of": 0, "n": 2}, "otto is wrong to catch you."),
        ({"e": "mistake", "seat": 0, "of": 1, "n": 2}, "You are wrong to catch otto."),
        ({**DRAWN, "why": "stack", "n": 6}, "otto draws 6 cards for all that was stacked and misses the turn."),
        ({**DRAWN, "why": "mistake"}, "otto draws 2 cards for the wrong catch."),
        ({"e": "draw", "seat": 1, "n": 1, "why": "turn"}, "otto draws a card."),
        ({"e": "draw", "seat": 0, "n": 1, "why": "turn", "cards": [58]}, "You draw green 4."),
        ({**DRAWN, "why": "two"}, "otto draws 2 cards for the draw two and misses the turn."),
        ({**DRAWN, "seat": 0, "why": "four"}, "You draw 2 cards for the wild draw four and miss the turn."),
        ({**DRAWN, "why": "challenge"}, "otto draws 2 cards for the challenge."),
        ({**DRAWN, "why": "caught"}, "otto draws 2 cards for the forgotten call."),
        ({**DRAWN, "n": 0, "why": "turn"}, "otto finds no card left to draw."),
        ({"e": "pass", "seat": 0}, "You pass."),
        ({"e": "skip", "seat": 1}, "otto misses the turn."),
        ({"e": "reverse", "direction": -1}, "Play now goes counter-clockwise."),
        ({"e": "colour", "seat": 0, "colour": "green"}, "You name green."),
        ({"e": "uno", "seat": 2}, "pia calls UNO."),
        ({"e": "held", "seat": 0, "of": 2}, "Your catch of pia counts unless UNO is called in time."),
        ({"e": "caught", "seat": 0, "by": 1, "n": 2}, "otto catches you without a call."),
        ({"e": "challenge", "seat": 2, "of": 1, "guilty": False}, "pia challenges otto. It was no bluff."),
        (
            {"e": "challenge", "seat": 0, "of": 1, "guilty": True, "hand": [9]},
            "You challenge otto. It was a bluff. The hand was: red 5.",
        ),
        ({"e": "accept", "seat": 1}, "otto accepts the penalty."),
        ({"e": "reshuffle", "deck": 40}, "The discards are shuffled into a new draw pile of 40."),
        (
            {"e": "round", "winner": 1, "points": [20, 0, 5], "scores": [0, 25, 0]},
            "otto wins the round. In hand: you 20, pia 5. Score: you 0, otto 25, pia 0.",
        ),
        (
            {"e": "round", "winner": None, "points": [0, 0, 0], "scores": [1, 2, 3]},
            "Nobody wins the round. In hand: nothing. Score: you 1, otto 2, pia 3.",
        ),
        ({"e": "out", "seat": 1, "why": "resigned"}, "otto resigns."),
        ({"e": "out", "seat": 0, "why": "points"}, "You are out of the match."),
        ({"e": "turn", "seat": 1}, None),
        ({"e": "match", "winners": [1]}, None),
        ({"e": "from-the-future"}, None),
    ],
)
def test_events(event: Plain, line: str | None) -> None:
    assert uno_lines.event(room(), event) == line


def test_a_spectator_is_never_addressed() -> None:
    assert uno_lines.event(room(seat=None), {"e": "play", "seat": 0, "card": 9}) == "maria plays red 5."


def test_the_prompt_of_a_turn() -> None:
    legal: list[Plain] = [
        {"do": "play", "card": 9},
        {"do": "play", "card": 20},
        *({"do": "play", "card": 100, "colour": colour} for colour in ("red", "yellow", "green", "blue")),
        {"do": "draw"},
    ]
    assert uno_lines.question(asked(legal)) == [
        "Your turn (14 s). On top: red 7. Cards: you 3, otto 5, pia 1 (called UNO).",
        "Hand: red 5, red skip, wild.",
        "1 red 5 [r5]  2 red skip [rs]  3 wild [w COLOUR]  4 draw [d]",
    ]


def test_the_prompt_says_how_to_call() -> None:
    legal: list[Plain] = [{"do": "play", "card": 9, "uno": True}, {"do": "play", "card": 9}, {"do": "draw"}]
    assert uno_lines.question(asked(legal, None, top=100, colour="blue", counts=[2, 5, 1])) == [
        "Your turn. On top: wild (blue). Cards: you 2, otto 5, pia 1 (called UNO).",
        "Hand: red 5, red skip, wild.",
        "1 red 5 [r5]  2 draw [d]",
        "Add ! to call UNO with the card.",
    ]


ACCEPT, CHALLENGE, PLAY, PASS = {"do": "accept"}, {"do": "challenge"}, {"do": "play", "card": 9}, {"do": "pass"}
DRAWN_ONE, CHALLENGED, STACKED = {"phase": "drawn"}, {"phase": "challenge"}, {"pending": 6}


@pytest.mark.parametrize(
    ("legal", "view", "first"),
    [
        ([PLAY, PASS], DRAWN_ONE, "Play the card you drew, or keep it (1 s)."),
        ([PASS], DRAWN_ONE, "You cannot play the card you drew (1 s)."),
        ([PLAY], DRAWN_ONE, "Play the card you drew (1 s)."),
        ([ACCEPT, CHALLENGE], CHALLENGED, "A wild draw four for you: accept it, or challenge (1 s). Accept: you"),
        ([{"do": "colour", "colour": "red"}], {"phase": "colour"}, "The round opens with a wild: name its colour"),
        ([PLAY, ACCEPT], STACKED, "6 cards for you: stack a card, or accept (1 s)."),
        ([ACCEPT], STACKED, "6 cards for you: accept (1 s)."),
        ([ACCEPT, CHALLENGE], {**CHALLENGED, **STACKED}, "6 cards for you: accept, or challenge (1 s)."),
    ],
)
def test_each_phase_says_what_is_asked_and_what_is_pending(legal: list[Plain], view: Plain, first: str) -> None:
    line = uno_lines.question(asked(legal, 300, **view))[0]
    assert line.startswith(first)
    assert (" On top: red 7. Pending: 6 cards. Cards: " in line) == ("pending" in view)


def test_the_house_rules_are_named_with_how_things_stand_and_with_the_first_deal() -> None:
    here = room(options={"stack2": True, "seven_zero": True, "jump_in": False, "false_call_penalty": 1})
    named = "House rules: Draw two on draw two; 7 swaps hands, 0 moves them on; a wrong catch costs a card."
    assert uno_lines.state(here)[-1] == named
    deal: Plain = {"e": "deal", "round": 1, "dealer": 1, "top": 9, "colour": "red"}
    assert uno_lines.event(here, deal) == f"Round 1. otto deals; red 5 is turned up. {named}"
    assert uno_lines.event(here, {**deal, "round": 2}) == "Round 2. otto deals; red 5 is turned up."


def test_every_rule_that_can_be_switched_on_has_words() -> None:
    for name, value in attrs.asdict(Options(preset="chaos", no_bluff=True, strict_wild4=True)).items():
        if value is True or name == "false_call_penalty":
            assert len([*house_rules({name: value})]) == 1, name
    assert [*house_rules({})] == []


CATCH: Plain = {"do": "catch", "seat": 1}
JUMP: Plain = {"do": "jump", "card": 9}


@pytest.mark.parametrize(
    ("legal", "options", "line"),
    [
        ([{"do": "uno"}], {}, "You have one card left: u calls UNO."),
        ([CATCH], {}, "otto has one card left and has not called UNO: c otto catches."),
        (
            [CATCH],
            {"false_call_penalty": 2},  # then the offer does not say who has called
            "otto has one card left: c otto catches, but if it has called or is safe, you draw 2 cards.",
        ),
        ([JUMP], {}, "You hold red 5 too and may jump in: j."),
        ([{**JUMP, "uno": True}, JUMP], {}, "You hold red 5 too and may jump in: j! calling UNO, or j."),
        ([{**JUMP, "swap": 1}, {**JUMP, "swap": 2}], {}, "You hold red 5 too and may jump in: j NAME, and swap hands."),
        ([{"do": "from-the-future"}], {}, None),
    ],
)
def test_offers(legal: list[Plain], options: Plain, line: str | None) -> None:
    assert uno_lines.offer(room(options=options), {"rid": 1, "legal": legal}) == line


def test_how_things_stand() -> None:
    assert uno_lines.state(room(out=[1], top=100, colour=None)) == [
        "Round 1. On top: wild (no colour yet). Cards: you 3, pia 1 (called UNO).",
        "Score: you 0, otto 12, pia 40.",
    ]
    assert uno_lines.state(JoinedRoom.of(joined(0))) == []
    assert uno_lines.hand(room()) == "Hand: red 5, red skip, wild."
    assert uno_lines.hand(room(hand=[])) == "Hand: no cards."
    assert uno_lines.hand(room(seat=None)) == "You are watching."
    assert uno_lines.hand(JoinedRoom.of(joined(0))) == "Nothing has been dealt yet."


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"do": "draw"}, "draw"),
        ({"do": "play", "card": 9, "uno": True}, "play red 5, calling UNO"),
        ({"do": "play", "card": 100, "colour": "blue"}, "play wild, blue"),
        ({"do": "play", "card": 999}, "play ?"),
        ({"do": "play", "card": 13, "swap": 2}, "play red 7, swapping hands with pia"),
        ({"do": "play", "cards": [9, 34], "uno": True}, "play red 5, yellow 5, calling UNO"),
        ({"do": "jump", "card": 9, "uno": True}, "jump in with red 5, calling UNO"),
        ({"do": "colour", "colour": "red"}, "name red"),
        ({"do": "catch", "seat": 2}, "catch pia"),
    ],
)
def test_actions(action: Plain, words: str) -> None:
    assert sentences.action(room(), action) == words


def test_an_answer_goes_to_the_question_or_to_an_offer() -> None:
    here = asked([{"do": "draw"}])
    here.may = [{"rid": 9, "legal": [{"do": "uno"}]}]
    assert uno_lines.choose(here, "d") == (7, {"do": "draw"})
    assert uno_lines.choose(here, "u") == (9, {"do": "uno"})
    assert uno_lines.choose(here, "RESIGN ") == (7, {"do": "resign"})
    sevens: list[Plain] = [{"do": "play", "card": 13, "swap": seat} for seat in (1, 2)]
    assert uno_lines.choose(asked(sevens), "r7 ot") == (7, sevens[0])


@pytest.mark.parametrize(
    ("seat", "turn", "told"),
    [
        (0, 1, "It is not your turn: otto is asked."),
        (0, None, "There is nothing to decide now."),
        (None, 1, "You are watching."),
    ],
)
def test_an_answer_to_nothing(seat: int | None, turn: int | None, told: str) -> None:
    assert uno_lines.question(room(seat, turn=turn)) == []
    with pytest.raises(UnclearInput, match=told):
        uno_lines.choose(room(seat, turn=turn), "r5")
