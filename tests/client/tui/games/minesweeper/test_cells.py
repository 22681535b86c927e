"""Cells in every look, and the part of a board that is seen."""

from itertools import product

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich._palettes import EIGHT_BIT_PALETTE

from parlour_client.tui.colors import DEFAULT, LIGHT, MONO, PALETTE_16, PALETTE_256
from parlour_client.tui.games.minesweeper.cells import CELLS, Cell, Painter, Square, Viewport, fitting
from parlour_client.tui.glyphs import ASCII, UNICODE
from parlour_client.tui.theme import Appearance

CHARS = ".F012345678*ABMX"
COLOURS = {"truecolour": DEFAULT, "256": PALETTE_256, "light": LIGHT, "mono": MONO, "16": PALETTE_16}
LOOKS = [Appearance(glyphs, palette, name) for glyphs in (UNICODE, ASCII) for name, palette in COLOURS.items()]


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
    painter, plain = Painter(look, (2, 1)), Square(char)
    marked = [(plain, Square(char, **{mark: True})) for mark in ("cursor", "hover", "last")]  # type: ignore[arg-type]
    if char in ".F":
        marked += [(plain, attrs.evolve(plain, pending=True)), (plain, attrs.evolve(plain, hint="ok"))]
    if char == ".":
        marked.append((attrs.evolve(plain, hint="12"), attrs.evolve(plain, hint="12", best=True)))
    assert [pair for pair in marked if painter.paint(pair[0]) == painter.paint(pair[1])] == []


def test_flags_stay_under_the_odds_but_for_those_that_are_wrong() -> None:
    painter = Painter(LOOKS[0], (2, 1))
    made = [painter.paint(Square("F", hint=hint))[0].text for hint in ("", "!!", "37", "ok")]
    assert made == ["⚑ ", "⚑ ", "⚑ ", "⚑?"]


def test_cells_have_only_colours_of_the_256() -> None:
    painter, used, switch = Painter(LOOKS[1], (2, 1)), set[str](), (False, True)
    for char, hint, odd, hover, last in product(CHARS, ("", "ok", "!!", "37"), switch, switch, switch):
        style = painter.paint(Square(char, odd, hint, hover=hover, last=last))[0].style
        used |= {colour.name for colour in (style.color, style.bgcolor) if colour} if style else set()
    assert used <= {EIGHT_BIT_PALETTE[n].hex for n in range(16, 256)}


SIDES = st.integers(2, 100)
PORTS = st.builds(
    Viewport,
    place=st.tuples(st.integers(0, 200), st.integers(0, 60)),
    board=st.tuples(SIDES, SIDES),
    cell=st.sampled_from(CELLS),
)


@given(PORTS, st.tuples(st.integers(0, 99), st.integers(0, 99)))
def test_the_cursor_is_seen_wherever_it_goes(port: Viewport, at: tuple[int, int]) -> None:
    at = min(at[0], port.board[0] - 1), min(at[1], port.board[1] - 1)
    shown = port.showing(at)
    if min(shown.seen):
        where = shown.where(at)
        assert where
        assert shown.at(*where) == at
        assert shown.at(where[0] + shown.cell[0] - 1, where[1] + shown.cell[1] - 1) == at
        assert shown.showing(at) == shown, "it does not scroll twice"


@given(PORTS, st.integers(-300, 300), st.integers(-300, 300))
def test_it_never_scrolls_beyond_the_board(port: Viewport, x: int, y: int) -> None:
    moved = port.moved(x, y)
    for start, seen, size in zip(moved.offset, moved.seen, moved.board, strict=True):
        assert 0 <= start <= size - seen
    assert moved.where(moved.offset) is not None or not min(moved.seen)


@given(PORTS)
def test_cells_and_frame_fit_the_place(port: Viewport) -> None:
    (left, top), (across, down) = port.origin, port.seen
    if across and down:
        frame = int(port.framed)
        assert left >= frame <= top or not frame
        assert left + across * port.cell[0] + frame <= port.place[0]
        assert top + down * port.cell[1] + frame <= port.place[1]


@pytest.mark.parametrize(
    ("place", "board", "cell"),
    [
        ((80, 22), (30, 16), (2, 1)),
        ((80, 20), (9, 9), (4, 2)),
        ((82, 36), (9, 9), (6, 3)),
        ((82, 36), (16, 16), (4, 2)),
        ((122, 46), (30, 16), (4, 2)),
        ((20, 9), (50, 50), (2, 1)),
    ],
)
def test_cells_are_as_large_as_fit(place: tuple[int, int], board: tuple[int, int], cell: Cell) -> None:
    assert fitting(place, board) == cell


def test_scrolling_keeps_two_cells_beyond_the_cursor_and_nothing_is_at_a_place_beside_the_board() -> None:
    port = Viewport((20, 10), (50, 50)).showing((20, 20))
    assert port.where((22, 22)) is not None
    assert port.where((23, 20)) is None
    port = Viewport((20, 9), (3, 3))
    assert [port.at(column, 4) for column in (6, 7, 12, 13)] == [None, (0, 1), (2, 1), None]
