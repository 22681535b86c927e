import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.client.messages import joined

from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import UnclearInput
from parlour_client.text.uno.choices import choices, choose, offered
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


SEATS = {"maria": 0, "otto": 1, "pia": 2}
SEVEN = CARDS_BY_FACE["r7"][0]
SWAPS: list[Plain] = [*({"do": "play", "card": SEVEN, "swap": seat} for seat in (1, 2)), *plays("r5"), {"do": "draw"}]


def test_alike_actions_are_one_choice() -> None:
    two_fives = [{"do": "play", "card": 9}, {"do": "play", "card": 10}]
    listed = choices([*two_fives, *plays("w"), {"do": "draw"}])
    assert [(choice.label, choice.short, len(choice.actions)) for choice in listed] == [
        ("red 5", "r5", 2),
        ("wild", "w COLOUR", 4),
        ("draw", "d", 1),
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0", "There is no choice 0: type r5, gs, yr, b+2, w COLOUR, w+4 COLOUR, d, or a number from 1 to 7."),
        ("8", "There is no choice 8"),
        ("9" * 5000, "There is no choice 999999"),
        ("w", "wild: name its colour: red, yellow, green or blue, for example w blue"),
        ("6", "wild draw four: name its colour"),
        ("w pink", "'pink' is not a colour"),
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
    with pytest.raises(UnclearInput, match=re.escape(told)):
        choose(LEGAL, HAND, text)


CALLING = plays("r5", "w", calling=True)
ACCEPT, CHALLENGE, PASS = ({"do": do} for do in ("accept", "challenge", "pass"))
FIRST: list[Plain] = [{"do": "colour", "colour": each} for each in COLOURS]


DRAW: Plain = {"do": "draw"}
TOGETHER: Plain = {"do": "play", "cards": [CARDS_BY_FACE["r5"][0], CARDS_BY_FACE["g2"][0]]}


@pytest.mark.parametrize(
    ("legal", "texts", "action"),
    [
        (LEGAL, ["1", " 01 ", "r5", "R5", "red 5", "red5"], card("r5")),
        (LEGAL, ["gs", "green  skip"], card("gs")),
        (LEGAL, ["yr", "yellow reverse", "y rev"], card("yr")),
        (LEGAL, ["b+2", "blue draw two", "b +2"], card("b+2")),
        (LEGAL, ["w blue", "w b"], card("w", "blue")),
        (LEGAL, ["wild red"], card("w", "red")),
        (LEGAL, ["5 y", "5y"], card("w", "yellow")),
        (LEGAL, ["w+4 green", "w4 g", "+4 g", "wild draw four green"], card("w+4", "green")),
        (LEGAL, ["d", "DRAW", "7"], DRAW),
        (LEGAL, ["r5 g2"], TOGETHER),
        (LEGAL, ["r5  g2!", "R5 G2 uno"], {**TOGETHER, "uno": True}),
        (LEGAL, ["r5 g2 pia"], {**TOGETHER, "swap": 2}),
        (SWAPS, ["r7 pia", "red 7 PIA", "1 pia", "1pia", "R7  Pia"], SWAPS[1]),
        (CALLING, ["1!", "1 !", "r5!", "r5 uno", "red 5 UNO!", "1 uno"], {**card("r5"), "uno": True}),
        (CALLING, ["w b!"], {**card("w", "blue"), "uno": True}),
        (CALLING, ["r5"], card("r5")),  # the play is silent without the call
        (CALLING, ["w b"], card("w", "blue")),
        ([ACCEPT, CHALLENGE], ["accept", "a", "1"], ACCEPT),
        ([ACCEPT, CHALLENGE], ["challenge", "ch"], CHALLENGE),
        ([PASS], ["p", "pass", "keep", "1"], PASS),
        (FIRST, ["y", "yellow", "2", "YELLOW"], FIRST[1]),
    ],
)
def test_words_for_an_action(legal: list[Plain], texts: list[str], action: Plain) -> None:
    assert [choose(legal, [*HAND, SEVEN], text, SEATS.get) for text in texts] == [action] * len(texts)


@given(st.integers(0, 107), st.sampled_from(COLOURS), st.booleans())
def test_every_card_can_be_played_by_name_and_short_form(number: int, colour: str, by_name: bool) -> None:
    wild = number >= 100
    play: Plain = {"do": "play", "card": number, **({"colour": colour} if wild else {})}
    words = (NAMES if by_name else SHORTS)[number] + (f" {colour}" if wild else "")
    assert choose([play, {"do": "draw"}], [number], words) == play


def test_a_seven_is_one_choice_whoever_it_swaps_with() -> None:
    assert [(choice.label, choice.short, len(choice.actions)) for choice in choices(SWAPS)] == [
        ("red 7", "r7 NAME", 2),
        ("red 5", "r5", 1),
        ("draw", "d", 1),
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("r7", "red 7: name who to swap hands with: r7 NAME"),
        ("1", "red 7: name who to swap hands with: r7 NAME"),
        ("r7 zoe", "There is no one called 'zoe' at the table"),
        ("r7 me", "There is no one called 'me'"),
        ("r5 otto", "'otto' is not a colour"),
        ("r5 blue", "red 5 takes no colour: type r5"),
        ("r7 maria", "you cannot swap hands with maria"),
    ],
)
def test_a_swap_that_is_not_clear(text: str, told: str) -> None:
    with pytest.raises(UnclearInput, match=re.escape(told)):
        choose(SWAPS, [SEVEN, *HAND], text, SEATS.get)


def test_equal_faces_together_are_two_cards() -> None:
    hand = [*CARDS_BY_FACE["r5"]]
    assert choose(LEGAL, hand, "r5 r5") == {"do": "play", "cards": hand}
    with pytest.raises(UnclearInput, match="You do not hold all of these: r5, r5"):
        choose(LEGAL, hand[:1], "r5 r5")


def test_what_is_pending_stands_with_the_choice_to_accept() -> None:
    legal: list[Plain] = [*plays("b+2"), {"do": "accept"}]
    assert [choice.label for choice in choices(legal, pending=6)] == ["blue draw two", "accept and draw 6"]
    assert choose(legal, HAND, "a") == {"do": "accept"}


CALL: Offer = {"rid": 3, "legal": [{"do": "uno"}]}


def catch(rid: int, seat: int) -> Offer:
    return {"rid": rid, "legal": [{"do": "catch", "seat": seat}]}


def room(*may: Offer) -> JoinedRoom:
    made: Any = list(may)
    return JoinedRoom.of(joined(0, may=made))


JUMP: Plain = {"do": "jump", "card": CARDS_BY_FACE["r1"][1]}


def jump(rid: int, *more: Plain) -> Offer:
    return {"rid": rid, "legal": [{**JUMP, **each} for each in more or ({},)]}


@pytest.mark.parametrize(
    ("may", "texts", "found"),
    [
        ([CALL, catch(4, 1)], ["u", "uno", "UNO!"], (3, {"do": "uno"})),
        ([catch(4, 1)], ["c"], (4, {"do": "catch", "seat": 1})),
        ([catch(4, 1), catch(5, 2)], ["c otto", "catch OTTO"], (4, {"do": "catch", "seat": 1})),
        ([catch(4, 1), catch(5, 2)], ["c pi"], (5, {"do": "catch", "seat": 2})),
        ([catch(4, 1), jump(6)], ["j", "jump", " J "], (6, JUMP)),
        ([jump(6, {"uno": True}, {})], ["j"], (6, JUMP)),
        ([jump(6, {"uno": True}, {})], ["j!", "jump uno"], (6, {**JUMP, "uno": True})),
        ([jump(6, {"swap": 1}, {"swap": 2})], ["j pia"], (6, {**JUMP, "swap": 2})),
        ([CALL], ["r5"], None),  # about something else
    ],
)
def test_words_for_offers(may: list[Offer], texts: list[str], found: tuple[int, Plain] | None) -> None:
    assert [offered(room(*may), text) for text in texts] == [found] * len(texts)


@pytest.mark.parametrize(
    ("may", "text", "told"),
    [
        ([catch(4, 1), catch(5, 2)], "u", "nothing to call"),
        ([catch(4, 1), catch(5, 2)], "c maria", "Catch whom? c NAME, one of: otto, pia."),
        ([catch(4, 1), catch(5, 2)], "c", "Catch whom?"),
        ([], "c", "catch"),
        ([], "j", "nothing to jump in on"),
        ([jump(6)], "j!", "type j without"),
        ([jump(6, {"swap": 1}, {"swap": 2})], "j", "name who to swap hands with: j NAME"),
    ],
)
def test_offers_that_are_not_there(may: list[Offer], text: str, told: str) -> None:
    with pytest.raises(UnclearInput, match=re.escape(told)):
        offered(room(*may), text)
