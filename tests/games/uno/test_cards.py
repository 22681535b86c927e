"""The 108 cards are the published deck, and the masks agree with the faces."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_games.uno.cards import (
    ALIKE,
    CARDS,
    CARDS_BY_FACE,
    COLOUR,
    COLOURS,
    MATCH,
    NAMES,
    POINTS,
    SHORTS,
    SYMBOL,
    cards_in,
    mask_of,
    points_in,
)


def test_the_deck_has_the_published_faces() -> None:
    counts = Counter(NAMES)
    assert sum(counts.values()) == CARDS == 108
    for colour in COLOURS:
        assert counts[f"{colour} 0"] == 1
        assert {counts[f"{colour} {n}"] for n in range(1, 10)} == {2}
        assert {counts[f"{colour} {action}"] for action in ("skip", "reverse", "draw two")} == {2}
    assert counts["wild"] == counts["wild draw four"] == 4


@pytest.mark.parametrize(
    ("card", "name", "short", "points"),
    [
        (0, "red 0", "r0", 0),
        (1, "red 1", "r1", 1),
        (2, "red 1", "r1", 1),
        (18, "red 9", "r9", 9),
        (20, "red skip", "rs", 20),
        (46, "yellow reverse", "yr", 20),
        (59, "green 5", "g5", 5),
        (99, "blue draw two", "b+2", 20),
        (100, "wild", "w", 50),
        (107, "wild draw four", "w+4", 50),
    ],
)
def test_identities(card: int, name: str, short: str, points: int) -> None:
    assert (NAMES[card], SHORTS[card], POINTS[card]) == (name, short, points)
    assert card in CARDS_BY_FACE[name]
    assert CARDS_BY_FACE[name] == CARDS_BY_FACE[short]


def test_every_card_is_found_by_both_forms_of_its_face_once() -> None:
    for forms in (NAMES, SHORTS):
        assert sorted(card for face in set(forms) for card in CARDS_BY_FACE[face]) == list(range(CARDS))


@given(st.sets(st.integers(0, 107)))
def test_masks_are_sets_of_cards(cards: set[int]) -> None:
    assert cards_in(mask_of(cards)) == sorted(cards)
    assert points_in(mask_of(cards)) == sum(POINTS[card] for card in cards)


@given(card=st.integers(0, 107), top=st.integers(0, 107), colour=st.integers(0, 3))
def test_match_is_by_colour_symbol_or_wild(card: int, top: int, colour: int) -> None:
    same_face = COLOUR[top] is not None and SYMBOL[card] == SYMBOL[top]
    fits = COLOUR[card] is None or COLOUR[card] == colour or same_face
    assert bool(MATCH[colour][SYMBOL[top]] & 1 << card) == fits


@given(card=st.integers(0, CARDS - 1))
def test_like_cards_have_the_same_colour_and_symbol_and_wilds_have_none(card: int) -> None:
    like = [
        other
        for other in range(CARDS)
        if other != card and COLOUR[card] is not None and (COLOUR[other], SYMBOL[other]) == (COLOUR[card], SYMBOL[card])
    ]
    assert cards_in(ALIKE[card]) == like
