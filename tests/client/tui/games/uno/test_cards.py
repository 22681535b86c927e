"""Cards as text, in every look."""

import re
from itertools import product
from typing import Any

import pytest
from rich._palettes import EIGHT_BIT_PALETTE, STANDARD_PALETTE
from textual.strip import Strip

from parlour_client.tui.games.uno.cards import (
    HUGE,
    LARGE,
    SHORT,
    TALL,
    Size,
    back,
    card,
    colour_names,
    suit_of,
    symbol_of,
)
from parlour_client.tui.glyphs import ASCII, UNICODE
from parlour_client.tui.theme import Appearance, look_for
from parlour_games.uno.cards import CARDS, CARDS_BY_FACE, NAMES

LOOKS = [
    look_for({"TERM": "xterm"}, choice)
    for choice in ("truecolour", "256", "16", "mono", "light", "ascii", "ascii,mono")
]
LOOK = LOOKS[0]
STATES: list[Any] = [*product(("", "selected", "new"), (False, True))]
"""(mark, whether the card is faded)."""


def shown(strips: tuple[Strip, ...]) -> list[str]:
    return [strip.text for strip in strips]


def first(face: str) -> int:
    return CARDS_BY_FACE[face][0]


def drawn(look: Appearance, face: int, size: Size, state: Any) -> tuple[Strip, ...]:
    return card(look, face, size, state[0], faded=state[1])


def test_cards_of_all_states_and_suits_differ_in_16_colours() -> None:
    look = look_for({"TERM": "xterm-16color"})
    faces = [first(face) for face in ("r7", "y7", "g7", "b7", "w+4")]
    looks = {
        (face, state): "".join(
            f"{text}{style}" for strip in drawn(look, face, SHORT, state) for text, style, _ in strip
        )
        for face, state in product(faces, STATES)
    }
    assert len(set(looks.values())) == len(looks) - 1, "only a new yellow card looks like a selected one"
    known = {STANDARD_PALETTE[n].hex for n in range(16)}
    assert set(re.findall("#[0-9a-f]{6}", " ".join(looks.values()))) <= known


def test_cards_of_all_states_have_only_colours_of_the_256() -> None:
    look = look_for({"TERM": "xterm-256color"})
    every = product(range(CARDS), (SHORT, TALL, LARGE, HUGE), STATES)
    strips = [strip for face, size, state in every for strip in drawn(look, face, size, state)]
    styles = {style for strip in [*strips, *back(look)] for _, style, _ in strip if style}
    used = {colour.name for style in styles for colour in (style.color, style.bgcolor) if colour}
    assert used <= {EIGHT_BIT_PALETTE[n].hex for n in range(16, 256)}


def test_the_selected_card_has_a_heavy_edge() -> None:
    for faded in (False, True):
        assert shown(card(LOOK, first("gs"), SHORT, "selected", faded=faded))[0] == "┏━━━━━━━┓"


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look.name}-{look.glyphs.frame}")
@pytest.mark.parametrize("size", [SHORT, TALL, LARGE, HUGE])
def test_every_card_has_its_size_in_every_look_and_mood(look: Appearance, size: Size) -> None:
    cards = [drawn(look, face, size, state) for face, state in product(range(CARDS), STATES)]
    for strips in (back(look, size), *cards):
        assert [strip.cell_length for strip in strips] == [size.width] * size.rows
        assert look.glyphs is UNICODE or "".join(shown(strips)).isascii()


@pytest.mark.parametrize("size", [SHORT, LARGE])
def test_no_two_faces_look_the_same_without_colour(size: Size) -> None:
    for glyphs in (UNICODE, ASCII):
        look = Appearance(glyphs, look_for({}, "mono").palette, "mono")
        pictures = {NAMES[face]: "".join(shown(card(look, face, size))) for face in range(CARDS)}
        assert len(set(pictures.values())) == len(pictures) == 54


@pytest.mark.parametrize(("face", "suit", "symbol"), [
    ("r0", "red", "0"), ("ys", "yellow", "⊘"), ("gr", "green", "↺"), ("b+2", "blue", "+2"),
    ("w", "wild", "✦"), ("w+4", "wild", "+4"),
])  # fmt: skip
def test_suits_and_symbols(face: str, suit: str, symbol: str) -> None:
    assert (suit_of(first(face)), symbol_of(LOOK, first(face))) == (suit, symbol)


def test_the_names_of_cards_have_their_colours() -> None:
    line = LOOK.text("ada plays red draw two. Wild draw four, red 5 and a redhead.")
    colour_names(LOOK, line)
    spans = [(line.plain[span.start : span.end], str(span.style)) for span in line.spans[1:]]
    red, wild = (f"bold {LOOK.colour(f'{suit}_ink')} on {LOOK.colour(suit)}" for suit in ("red", "wild"))
    assert spans == [("red draw two", red), ("Wild draw four", wild), ("red 5", red)]
