from itertools import product

import attrs
import pytest
from rich._palettes import EIGHT_BIT_PALETTE

from parlour_client.tui.colors import DEFAULT, LIGHT, MONO, PALETTE_16, PALETTE_256
from parlour_client.tui.games.minesweeper.cells import CELLS, Cell, Painter, Square
from parlour_client.tui.glyphs import ASCII, UNICODE
from parlour_client.tui.theme import Appearance

CHARS = ".F012345678*ABMX"
LOOKS = [
    Appearance(glyphs, palette, name)
    for glyphs in (UNICODE, ASCII)
    for name, palette in (
        *(("truecolour", DEFAULT), ("256", PALETTE_256), ("light", LIGHT), ("mono", MONO)),
        ("16", PALETTE_16),
    )
]


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look.name}-{look.glyphs.frame}")
@pytest.mark.parametrize("size", CELLS)
def test_every_cell_fills_its_place_and_no_two_look_alike(look: Appearance, size: Cell) -> None:
    painter = Painter(look, size)
    made = [painter.paint(Square(char)) for char in CHARS]
    assert [[segment.cell_length for segment in lines] for lines in made] == [[size[0]] * size[1]] * len(CHARS)
    texts = ["".join(segment.text for segment in lines) for lines in made]
    assert len(set(texts)) >= len(CHARS) - (1 if look.coloured else 0)
    assert len({(text, str(lines[0].style)) for text, lines in zip(texts, made, strict=True)}) == len(CHARS)


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look.name}-{look.glyphs.frame}")
@pytest.mark.parametrize("char", CHARS)
def test_every_mark_shows_in_every_look(look: Appearance, char: str) -> None:
    plain = Square(char)
    for marked in (Square(char, cursor=True), Square(char, hover=True), Square(char, last=True)):
        assert_differs(look, plain, marked)
    if char in ".F":
        assert_differs(look, plain, attrs.evolve(plain, pending=True))
        assert_differs(look, plain, attrs.evolve(plain, hint="ok"))
    if char == ".":
        assert_differs(look, attrs.evolve(plain, hint="12"), attrs.evolve(plain, hint="12", best=True))


def assert_differs(look: Appearance, one: Square, other: Square) -> None:
    painter = Painter(look, (2, 1))
    assert painter.paint(one) != painter.paint(other), (one, other)


def test_colours_are_never_the_only_difference_between_open_and_closed() -> None:
    painter = Painter(LOOKS[3], (2, 1))
    assert painter.paint(Square("."))[0].text == "▒▒"
    assert painter.paint(Square("0"))[0].text == "  "


def test_flags_stay_under_the_odds_but_for_those_that_are_wrong() -> None:
    painter = Painter(LOOKS[0], (2, 1))
    made = [painter.paint(Square("F", hint=hint))[0].text for hint in ("", "!!", "37", "ok")]
    assert made == ["⚑ ", "⚑ ", "⚑ ", "⚑?"]


def test_cells_have_only_colours_of_the_256() -> None:
    painter, used, switch = Painter(LOOKS[1], (2, 1)), set[str](), (False, True)
    for char, hint, odd in product(CHARS, ("", "ok", "!!", "37"), switch):
        for hover, last in product(switch, switch):
            style = painter.paint(Square(char, odd, hint, hover=hover, last=last))[0].style
            used |= {colour.name for colour in (style.color, style.bgcolor) if colour} if style else set()
    assert used <= {EIGHT_BIT_PALETTE[n].hex for n in range(16, 256)}
