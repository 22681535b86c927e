"""What a person types, and what it means."""

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
    with pytest.raises(UnclearInput) as unclear:
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


# --- house rules ---

SEATS = {"otto": 1, "pia": 2}
SEVEN = CARDS_BY_FACE["r7"][0]
SWAPS: list[Plain] = [*({"do": "play", "card": SEVEN, "swap": seat} for seat in (1, 2)), *plays("r5"), {"do": "draw"}]


def choose_swap(text: str) -> Plain:
    return choose(SWAPS, [SEVEN, *HAND], text, SEATS.get)


def test_a_seven_is_one_choice_whoever_it_swaps_with() -> None:
    assert [(choice.label, choice.short, len(choice.actions)) for choice in choices(SWAPS)] == [
        ("red 7", "r7 NAME", 2),
        ("red 5", "r5", 1),
        ("draw", "d", 1),
    ]


@pytest.mark.parametrize("text", ["r7 pia", "red 7 PIA", "1 pia", "1pia", "R7  Pia"])
def test_a_seven_takes_the_name_of_who_to_swap_with(text: str) -> None:
    assert choose_swap(text) == {"do": "play", "card": SEVEN, "swap": 2}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("r7", "red 7: name who to swap hands with: r7 NAME"),
        ("1", "red 7: name who to swap hands with: r7 NAME"),
        ("r7 zoe", "There is no one called 'zoe' at the table"),
        ("r7 me", "There is no one called 'me'"),
        ("r5 otto", "'otto' is not a colour"),
        ("r5 blue", "red 5 takes no colour: type r5"),
    ],
)
def test_a_swap_that_is_not_clear(text: str, told: str) -> None:
    with pytest.raises(UnclearInput) as unclear:
        choose_swap(text)
    assert told in str(unclear.value)


def test_swapping_with_oneself_is_not_among_the_choices() -> None:
    with pytest.raises(UnclearInput, match="you cannot swap hands with maria"):
        choose(SWAPS, [SEVEN], "r7 maria", {"maria": 0}.get)


@pytest.mark.parametrize(
    ("text", "more"),
    [("r5 g5", {}), ("r5  g5!", {"uno": True}), ("r5 g5 pia", {"swap": 2}), ("R5 G5 uno", {"uno": True})],
)
def test_several_cards_together(text: str, more: Plain) -> None:
    hand = [CARDS_BY_FACE[face][0] for face in ("r5", "g5", "b1")]
    assert choose(LEGAL, hand, text, SEATS.get) == {"do": "play", "cards": hand[:2], **more}


def test_equal_faces_together_are_two_cards() -> None:
    hand = [*CARDS_BY_FACE["r5"]]
    assert choose(LEGAL, hand, "r5 r5") == {"do": "play", "cards": hand}
    with pytest.raises(UnclearInput, match="You do not hold all of these: r5, r5"):
        choose(LEGAL, hand[:1], "r5 r5")


def test_what_is_pending_stands_with_the_choice_to_accept() -> None:
    legal: list[Plain] = [*plays("b+2"), {"do": "accept"}]
    assert [choice.label for choice in choices(legal, pending=6)] == ["blue draw two", "accept and draw 6"]
    assert choose(legal, HAND, "a") == {"do": "accept"}


# --- offers ---

CALL: Offer = {"rid": 3, "legal": [{"do": "uno"}]}


def catch(rid: int, seat: int) -> Offer:
    return {"rid": rid, "legal": [{"do": "catch", "seat": seat}]}


def room(*may: Offer) -> JoinedRoom:
    made: Any = list(may)
    return JoinedRoom.of(joined(0, may=made))


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
    with pytest.raises(UnclearInput, match=None) as unclear:
        offered(room(catch(4, 1), catch(5, 2)), text)
    assert told in str(unclear.value)
    with pytest.raises(UnclearInput):
        offered(room(), text)


LIKE = CARDS_BY_FACE["r1"][1]


def jump(rid: int, *more: Plain) -> Offer:
    return {"rid": rid, "legal": [{"do": "jump", "card": LIKE, **each} for each in more or ({},)]}


@pytest.mark.parametrize("text", ["j", "jump", " J "])
def test_jumping_in(text: str) -> None:
    assert offered(room(catch(4, 1), jump(6)), text) == (6, {"do": "jump", "card": LIKE})


@pytest.mark.parametrize(("text", "uno"), [("j", {}), ("j!", {"uno": True}), ("jump uno", {"uno": True})])
def test_jumping_in_with_a_call(text: str, uno: Plain) -> None:
    assert offered(room(jump(6, {"uno": True}, {})), text) == (6, {"do": "jump", "card": LIKE, **uno})


def test_jumping_in_with_a_seven() -> None:
    here = room(jump(6, {"swap": 1}, {"swap": 2}))
    assert offered(here, "j pia") == (6, {"do": "jump", "card": LIKE, "swap": 2})
    with pytest.raises(UnclearInput, match="name who to swap hands with: j NAME"):
        offered(here, "j")


@pytest.mark.parametrize(
    ("may", "text", "told"), [([], "j", "nothing to jump in on"), ([jump(6)], "j!", "type j without")]
)
def test_jumps_that_are_not_there(may: list[Offer], text: str, told: str) -> None:
    with pytest.raises(UnclearInput, match=told):
        offered(room(*may), text)


def test_other_words_are_about_something_else() -> None:
    assert offered(room(CALL), "r5") is None
