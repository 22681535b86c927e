"""Cards as lines of text, in four sizes. The larger ones draw their symbols in half blocks.

A card shows its colour by its background, its shape and its corners, so that it works without colours. Playable cards
have full colours. Others are blended into the background with light text; without colours they have no filled chip.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Literal, TypeAlias

import attrs
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from parlour_client.core.phrases import phrases
from parlour_client.text.uno.words import card_name
from parlour_client.tui.glyphs import has_signs, sign
from parlour_client.tui.theme import Appearance
from parlour_games.uno.cards import CARDS, COLOUR, COLOURS, DRAW_TWO, REVERSE, SKIP, SYMBOL, WILD, WILD_FOUR

_FADED = 0.7
_SIGNS = {SKIP: ("skip",), REVERSE: ("reverse",), DRAW_TWO: ("+", "2"), WILD: ("wild",), WILD_FOUR: ("+", "4")}


@attrs.frozen
class Size:
    """Columns and rows of a card. ``scale``: columns per pixel of its symbol; 0 for text."""

    width: int
    rows: int
    scale: int = 0

    @property
    def inner(self) -> int:
        """The columns inside the edge."""
        return self.width - 2


SHORT, TALL, LARGE, HUGE = Size(9, 5), Size(9, 7), Size(13, 9, 1), Size(17, 13, 2)


Mark: TypeAlias = Literal["", "selected", "new"]
"""What the edge of a card shows: nothing, that it is selected, or that it was just drawn."""


@attrs.frozen
class _Paint:
    """The styles of a card: background, edge, text, chip and its rim; and its box characters."""

    ground: Style
    edge: Style
    text: Style
    chip: Style
    rim: Style
    box: tuple[str, str, str, str, str, str]
    faded: bool = False


@lru_cache(maxsize=2048)
def card(look: Appearance, face: int, size: Size = TALL, mark: Mark = "", *, faded: bool = False) -> tuple[Strip, ...]:
    """Return card ``face`` (0–107) as lines of ``size``. ``faded``: it cannot be played."""
    suit = suit_of(face)
    paint = _faded(look, suit, mark) if faded else _full(look, suit, mark)
    symbol, shape = symbol_of(look, face), look.glyphs.suit(suit)
    middle = _wild if SYMBOL[face] >= WILD else _chip
    half = size.inner // 2
    return _framed(
        paint,
        [
            [(f"{symbol:<{half}} {shape:>{half}}", paint.text)],
            *middle(look, paint, _drawn(look, face, size), size),
            [(f"{shape:<{half}} {symbol:>{half}}", paint.text)],
        ],
        size,
    )


@lru_cache(maxsize=16)
def back(look: Appearance, size: Size = TALL) -> tuple[Strip, ...]:
    """Return the back of a card as lines of ``size``."""
    edge = look.style("back_ink", "back")
    text = look.style("wild_ink", "back", bold=True)
    weave = look.style(look.blend("back_ink", "back", 0.6), "back", dim=True)
    lines: list[list[_Piece]] = [[(look.glyphs.pattern * size.inner, weave)] for _ in range(size.rows - 2)]
    lines[len(lines) // 2] = [(f"{'UNO':^{size.inner}}", text)]
    return _framed(_Paint(text, edge, text, text, text, look.glyphs.box), lines, size)


def suit_of(face: int) -> str:
    """Return the suit of a card for palette and glyphs: ``red`` … ``blue``, or ``wild``."""
    colour = COLOUR[face]
    return "wild" if colour is None else COLOURS[colour]


def symbol_of(look: Appearance, face: int) -> str:
    """Return the symbol of a card in one or two columns: a digit, ``+2``, ``+4`` or a sign."""
    glyphs = look.glyphs
    signs = {SKIP: glyphs.skip, REVERSE: glyphs.reverse, DRAW_TWO: "+2", WILD: glyphs.wild, WILD_FOUR: "+4"}
    return signs.get(SYMBOL[face]) or str(SYMBOL[face])


def block(look: Appearance, suit: str) -> Style:
    """Return the style of text on a block of a colour."""
    return look.style(f"{suit}_ink", suit, bold=True, reverse=True)


def colour_names(look: Appearance, line: Text) -> None:
    """Show the names of cards in ``line`` in their colours."""
    names, pattern = _names(phrases.language)
    for found in pattern.finditer(line.plain):
        suit = names[found[0].lower()]
        line.stylize(look.style(f"{suit}_ink", suit, bold=True), *found.span())


@cache
def _names(language: str) -> tuple[Mapping[str, str], re.Pattern[str]]:
    """Return name → suit of all cards in the current language, and a pattern for the names."""
    names = {card_name(face).lower(): suit_of(face) for face in range(CARDS)}
    longest = sorted(map(re.escape, names), key=len, reverse=True)
    return names, re.compile(rf"\b(?:{'|'.join(longest)})\b", re.IGNORECASE)


_Piece = tuple[str, Style]


def _full(look: Appearance, suit: str, mark: Mark) -> _Paint:
    ink = f"{suit}_ink"
    edge = look.style(look.blend(suit, "chip", 0.25), suit)
    if mark == "selected":
        edge = look.style(ink, suit, bold=True)
    elif mark == "new":
        edge = look.style("gold" if suit != "yellow" else ink, suit, bold=True)
    return _Paint(
        ground=look.style(ink, suit),
        edge=edge,
        text=look.style(ink, suit, bold=True),
        chip=look.style(suit if suit in ("red", "blue") else ink, "chip", bold=True),
        rim=look.style("chip", suit),
        box=_box(look, mark),
    )


_LOUD = {"selected": "ink", "new": "gold"}
"""The edges of cards that cannot be played."""


def _faded(look: Appearance, suit: str, mark: Mark) -> _Paint:
    if outline := look.outline(suit):
        return _outlined(look, outline, mark)
    ground = look.blend(suit, "table", _FADED)
    base = ground or suit
    chip = look.blend("chip", base, 0.75)
    edge = look.style(_LOUD[mark], ground) if mark else look.style(look.blend("ink", base, 0.85), ground, dim=True)
    light = look.blend("ink", base, 0.2)
    return _Paint(
        ground=look.style(light, ground, dim=True),
        edge=edge,
        text=look.style(light, ground, dim=True),
        chip=look.style("ink", chip, dim=True),
        rim=look.style(chip, ground),
        box=_box(look, mark),
        faded=True,
    )


def _outlined(look: Appearance, colour: str, mark: Mark) -> _Paint:
    """Return the styles of a card that is not playable where colours cannot be blended: lines on the table."""
    text = look.style(colour, "table")
    return _Paint(
        ground=text,
        edge=look.style(_LOUD.get(mark, colour), "table"),
        text=text,
        chip=text,
        rim=look.style("table", "table"),
        box=_box(look, mark),
        faded=True,
    )


def _drawn(look: Appearance, face: int, size: Size) -> list[str]:
    """Return the lines of the symbol in the middle of a card."""
    if not size.scale or not has_signs(look.glyphs):
        return [symbol_of(look, face)]
    return [*sign(look.glyphs, *_SIGNS.get(SYMBOL[face], (str(SYMBOL[face]),)), scale=size.scale)]


def _box(look: Appearance, mark: Mark) -> tuple[str, str, str, str, str, str]:
    """Return the edge of a card. ASCII has no heavy lines: letters for them would look like text on the card."""
    return look.glyphs.heavy_box if mark and has_signs(look.glyphs) else look.glyphs.box


def _chip(look: Appearance, paint: _Paint, symbol: Sequence[str], size: Size) -> list[list[_Piece]]:
    """Return the middle of a coloured card: the symbol on a light chip, rounded if there are block characters."""
    glyphs, wide, rows = look.glyphs, size.inner - 2, size.rows - (4 if size is SHORT else 6)
    filled = look.coloured or not paint.faded
    left = right = over = under = " "
    if filled and has_signs(glyphs):
        left, right, over, under = glyphs.right_half, glyphs.left_half, glyphs.lower_half, glyphs.upper_half
    style = paint.chip if filled else paint.text
    middle = [[(left, paint.rim), (line, style), (right, paint.rim)] for line in _centred(symbol, wide, rows)]
    if size is SHORT:
        return middle
    upper, lower = ([(" ", paint.ground), (row * wide, paint.rim), (" ", paint.ground)] for row in (over, under))
    return [upper, *middle, lower]


def _wild(look: Appearance, paint: _Paint, symbol: Sequence[str], size: Size) -> list[list[_Piece]]:
    """Return the middle of a wild card: the four colours around its symbol."""
    wide = 1 if size is SHORT else (size.inner - 3) // 2
    plain = paint.faded or not look.coloured
    patches = [(f"{look.glyphs.suit(suit):^{wide}}", paint.text if plain else block(look, suit)) for suit in COLOURS]
    if size is SHORT:
        return [[*patches[:2], (f"{symbol[0]:^3}", paint.text), *patches[2:]]]
    gap = (" ", paint.ground)
    upper, lower = ([gap, patches[at], gap, patches[at + 1], gap] for at in (0, 2))
    beside = max(1, size.scale)
    lines = _centred(symbol, size.inner, size.rows - 4 - 2 * beside)
    return [*[upper] * beside, *([(line, paint.text)] for line in lines), *[lower] * beside]


def _centred(lines: Sequence[str], width: int, rows: int) -> list[str]:
    """Return ``lines`` in the middle of ``rows`` lines of ``width`` columns."""
    above = (rows - len(lines)) // 2
    return [f"{line:^{width}}" for line in [*[""] * above, *lines, *[""] * (rows - len(lines) - above)]]


def _framed(paint: _Paint, inner: list[list[_Piece]], size: Size) -> tuple[Strip, ...]:
    top_left, top_right, bottom_left, bottom_right, flat, upright = paint.box
    rows = [
        [(top_left + flat * size.inner + top_right, paint.edge)],
        *([(upright, paint.edge), *pieces, (upright, paint.edge)] for pieces in inner),
        [(bottom_left + flat * size.inner + bottom_right, paint.edge)],
    ]
    return tuple(Strip([Segment(*piece) for piece in row], size.width) for row in rows)
