"""What a person types, and what it means."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.client.scripts import joined

from parlour_client.lines import Unclear
from parlour_client.table import Room
from parlour_client.uno_choices import choices, choose, offered
from parlour_games.uno.cards import CARDS_BY_FACE, COLOURS, NAMES, SHORTS
from parlour_protocol.messages import Offer, Plain


def plays(*faces: str, calling: bool = False) -> list[Plain]:
    """Return the legal plays of these faces, each the first card that shows it, as the game lists them."""
    found: list[Plain] = []
    for face in faces:
        card = CARDS_BY_FACE[face][0]
        for colour in COLOURS if face.startswith("w") else (None,):
            play: Plain = {"do": "play", "card": card, **({"colour": colour} if colour else {})}
            found += [{**play, "uno": True}, play] if calling else [play]
    return found


LEGAL = [*plays("r5", "gs", "yr", "b+2", "w", "w+4"), {"do": "draw"}]
HAND = [CARDS_BY_FACE[face][0] for face in ("r5", "gs", "yr", "b+2", "w", "w+4", "g2")]


def card(face: str, colour: str | None = None) -> Plain:
    return {"do": "play", "card": CARDS_BY_FACE[face][0], **({"colour": colour} if colour else {})}


def test_alike_actions_are_one_choice() -> None:
    two_fives = [{"do": "play", "card": 9}, {"do": "play", "card": 10}]
    listed = choices([*two_fives, *plays("w"), {"do": "draw"}])
    assert [(choice.label, choice.short, len(choice.actions)) for choice in listed] == [
        ("red 5", "r5", 2),
        ("wild", "w COLOUR", 4),
        ("draw", "d", 1),
    ]


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("1", card("r5")),
        (" 01 ", card("r5")),
        ("r5", card("r5")),
        ("R5", card("r5")),
        ("red 5", card("r5")),
        ("red5", card("r5")),
        ("gs", card("gs")),
        ("green  skip", card("gs")),
        ("yr", card("yr")),
        ("yellow reverse", card("yr")),
        ("y rev", card("yr")),
        ("b+2", card("b+2")),
        ("blue draw two", card("b+2")),
        ("b +2", card("b+2")),
        ("w blue", card("w", "blue")),
        ("w b", card("w", "blue")),
        ("wild red", card("w", "red")),
        ("5 y", card("w", "yellow")),
        ("5y", card("w", "yellow")),
        ("w+4 green", card("w+4", "green")),
        ("w4 g", card("w+4", "green")),
        ("+4 g", card("w+4", "green")),
        ("wild draw four green", card("w+4", "green")),
        ("d", {"do": "draw"}),
        ("DRAW", {"do": "draw"}),
        ("7", {"do": "draw"}),
    ],
)
def test_words_for_a_turn(text: str, action: Plain) -> None:
    assert choose(LEGAL, HAND, text) == action


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0", "There is no choice 0: type r5, gs, yr, b+2, w COLOUR, w+4 COLOUR, d, or a number from 1 to 7."),
        ("8", "There is no choice 8"),
        ("9" * 5000, "There is no choice 999999"),
        ("w", "wild: name its colour: red, yellow, green or blue, for example w blue"),
        ("6", "wild draw four: name its colour"),
        ("w pink", "'pink' is no colour"),
        ("1 blue", "red 5 takes no colour: type r5"),
        ("r6", "You hold no red 6"),
        ("g2", "You cannot play green 2 now"),
        ("p", "You cannot pass now"),
        ("challenge", "You cannot challenge now"),
        ("r5!", "UNO is called when one card is left: type r5 without it"),
        ("frobnicate", "'frobnicate' is not clear: type r5"),
        ("\x1b[2J", "is not clear"),
        ("r", "'r' is not clear"),
        ("!", "'' is not clear"),
    ],
)
def test_words_that_are_no_answer_say_what_would_be(text: str, told: str) -> None:
    with pytest.raises(Unclear) as unclear:
        choose(LEGAL, HAND, text)
    assert told in str(unclear.value)


@pytest.mark.parametrize("text", ["1!", "1 !", "r5!", "r5 uno", "red 5 UNO!", "1 uno"])
def test_calling_with_the_card(text: str) -> None:
    assert choose(plays("r5", "w", calling=True), HAND, text) == {**card("r5"), "uno": True}


def test_without_the_call_the_play_is_silent() -> None:
    legal = plays("r5", "w", calling=True)
    assert choose(legal, HAND, "r5") == card("r5")
    assert choose(legal, HAND, "w b") == card("w", "blue")
    assert choose(legal, HAND, "w b!") == {**card("w", "blue"), "uno": True}


@pytest.mark.parametrize(
    ("text", "do"),
    [("accept", "accept"), ("a", "accept"), ("1", "accept"), ("challenge", "challenge"), ("ch", "challenge")],
)
def test_a_wild_draw_four_is_accepted_or_challenged(text: str, do: str) -> None:
    assert choose([{"do": "accept"}, {"do": "challenge"}], [], text) == {"do": do}


@pytest.mark.parametrize("text", ["p", "pass", "keep", "1"])
def test_a_drawn_card_is_kept(text: str) -> None:
    assert choose([{"do": "pass"}], [], text) == {"do": "pass"}


@pytest.mark.parametrize(("text", "colour"), [("r", "red"), ("yellow", "yellow"), ("3", "green"), ("B", "blue")])
def test_a_first_wild_is_given_its_colour(text: str, colour: str) -> None:
    legal = [{"do": "colour", "colour": each} for each in COLOURS]
    assert choose(legal, [], text) == {"do": "colour", "colour": colour}


@given(st.integers(0, 107), st.sampled_from(COLOURS), st.booleans())
def test_every_card_can_be_played_by_name_and_short_form(number: int, colour: str, by_name: bool) -> None:
    wild = number >= 100
    play: Plain = {"do": "play", "card": number, **({"colour": colour} if wild else {})}
    words = (NAMES if by_name else SHORTS)[number] + (f" {colour}" if wild else "")
    assert choose([play, {"do": "draw"}], [number], words) == play


# --- offers ---

CALL: Offer = {"rid": 3, "legal": [{"do": "uno"}]}


def catch(rid: int, seat: int) -> Offer:
    return {"rid": rid, "legal": [{"do": "catch", "seat": seat}]}


def room(*may: Offer) -> Room:
    made: Any = list(may)
    return Room.of(joined(0, may=made))


@pytest.mark.parametrize("text", ["u", "uno", "UNO!"])
def test_calling_after_the_play(text: str) -> None:
    assert offered(room(CALL, catch(4, 1)), text) == (3, {"do": "uno"})


@pytest.mark.parametrize(("text", "rid"), [("c otto", 4), ("catch OTTO", 4), ("c pi", 5)])
def test_catching_by_name(text: str, rid: int) -> None:
    assert offered(room(catch(4, 1), catch(5, 2)), text) == (rid, {"do": "catch", "seat": rid - 3})


def test_the_only_one_to_catch_needs_no_name() -> None:
    assert offered(room(catch(4, 1)), "c") == (4, {"do": "catch", "seat": 1})


@pytest.mark.parametrize(
    ("text", "told"),
    [("u", "nothing to call"), ("c maria", "Catch whom? c NAME, one of: otto, pia."), ("c", "Catch whom?")],
)
def test_offers_that_are_not_there(text: str, told: str) -> None:
    with pytest.raises(Unclear, match=None) as unclear:
        offered(room(catch(4, 1), catch(5, 2)), text)
    assert told in str(unclear.value)
    with pytest.raises(Unclear):
        offered(room(), text)


def test_other_words_are_about_something_else() -> None:
    assert offered(room(CALL), "r5") is None
