"""Cards as lines of text: 9 columns wide, 7 rows tall or 5.

A card shows its colour by its background, its shape and its corners, so that it works without colours. Playable cards
have full colours. Others are blended into the background with light text; without colours they have no filled chip.
"""

from enum import Enum
from functools import lru_cache

import attrs
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from parlour_client.tui.theme.theme import Look
from parlour_games.uno.cards import COLOUR, COLOURS, DRAW_TWO, REVERSE, SKIP, SYMBOL, WILD, WILD_FOUR

WIDTH = 9
TALL, SHORT = 7, 5
"""Rows of a card."""
_INNER = WIDTH - 2
_FADED = 0.7


class CardState(Enum):
    """The state of a card that determines its style."""

    PLAIN = "plain"
    """Full colour: playable, or on the table."""
    SELECTED = "selected"
    """Playable and selected: a heavy edge."""
    NEW = "new"
    """Playable and just drawn: a golden edge."""
    FADED = "faded"
    FADED_SELECTED = "faded selected"
    FADED_NEW = "faded new"

    @property
    def faded(self) -> bool:
        """Whether the card is not playable."""
        return self.value.startswith("faded")

    @property
    def selected(self) -> bool:
        """Whether the card is selected."""
        return self.value.endswith("selected")


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
def card(look: Look, face: int, rows: int = TALL, state: CardState = CardState.PLAIN) -> tuple[Strip, ...]:
    """Return card ``face`` (0–107) as ``rows`` lines of WIDTH columns."""
    suit = suit_of(face)
    paint = _faded(look, suit, state) if state.faded else _full(look, suit, state)
    symbol, shape = symbol_of(look, face), look.glyphs.suit(suit)
    middle = _wild if SYMBOL[face] >= WILD else _chip
    return _framed(
        paint,
        [
            [(f"{symbol:<3} {shape:>3}", paint.text)],
            *middle(look, paint, symbol, rows),
            [(f"{shape:<3} {symbol:>3}", paint.text)],
        ],
    )


@lru_cache(maxsize=16)
def back(look: Look, rows: int = TALL) -> tuple[Strip, ...]:
    """Return the back of a card as ``rows`` lines of WIDTH columns."""
    edge = look.style("back_ink", "back")
    text = look.style("wild_ink", "back", bold=True)
    weave = look.style(look.blend("back_ink", "back", 0.6), "back", dim=True)
    lines: list[list[_Piece]] = [[(look.glyphs.pattern * _INNER, weave)] for _ in range(rows - 2)]
    lines[len(lines) // 2] = [(f"{'UNO':^{_INNER}}", text)]
    return _framed(_Paint(text, edge, text, text, text, look.glyphs.box), lines)


def suit_of(face: int) -> str:
    """Return the suit of a card for palette and glyphs: ``red`` … ``blue``, or ``wild``."""
    colour = COLOUR[face]
    return "wild" if colour is None else COLOURS[colour]


def symbol_of(look: Look, face: int) -> str:
    """Return the symbol of a card in one or two columns: a digit, ``+2``, ``+4`` or a sign."""
    glyphs = look.glyphs
    signs = {SKIP: glyphs.skip, REVERSE: glyphs.reverse, DRAW_TWO: "+2", WILD: glyphs.wild, WILD_FOUR: "+4"}
    return signs.get(SYMBOL[face]) or str(SYMBOL[face])


def block(look: Look, suit: str) -> Style:
    """Return the style of text on a block of a colour."""
    return look.style(f"{suit}_ink", suit, bold=True, reverse=True)


_Piece = tuple[str, Style]


def _full(look: Look, suit: str, state: CardState) -> _Paint:
    ink = f"{suit}_ink"
    edge = look.style(look.blend(suit, "chip", 0.25), suit)
    if state is CardState.SELECTED:
        edge = look.style(ink, suit, bold=True)
    elif state is CardState.NEW:
        edge = look.style("gold" if suit != "yellow" else ink, suit, bold=True)
    return _Paint(
        ground=look.style(ink, suit),
        edge=edge,
        text=look.style(ink, suit, bold=True),
        chip=look.style(suit if suit in ("red", "blue") else ink, "chip", bold=True),
        rim=look.style("chip", suit),
        box=_box(look, heavy=state is not CardState.PLAIN),
    )


def _faded(look: Look, suit: str, state: CardState) -> _Paint:
    ground = look.blend(suit, "table", _FADED)
    base = ground or suit
    chip = look.blend("chip", base, 0.75)
    edge = look.style(look.blend("ink", base, 0.85), ground, dim=True)
    if state is CardState.FADED_SELECTED:
        edge = look.style("ink", ground)
    elif state is CardState.FADED_NEW:
        edge = look.style("gold", ground)
    light = look.blend("ink", base, 0.2)
    return _Paint(
        ground=look.style(light, ground, dim=True),
        edge=edge,
        text=look.style(light, ground, dim=True),
        chip=look.style("ink", chip, dim=True),
        rim=look.style(chip, ground),
        box=_box(look, heavy=state is not CardState.FADED),
        faded=True,
    )


def _box(look: Look, *, heavy: bool) -> tuple[str, str, str, str, str, str]:
    """Return the edge of a card. ASCII has no heavy lines: letters for them would look like text on the card."""
    return look.glyphs.heavy_box if heavy and _has_blocks(look) else look.glyphs.box


def _has_blocks(look: Look) -> bool:
    return not look.glyphs.block.isascii()


def _chip(look: Look, paint: _Paint, symbol: str, rows: int) -> list[list[_Piece]]:
    """Return the middle of a coloured card: the symbol on a light chip, rounded if there are block characters."""
    glyphs = look.glyphs
    filled = look.coloured or not paint.faded
    left = right = over = under = " "
    if filled and _has_blocks(look):
        left, right, over, under = glyphs.right_half, glyphs.left_half, glyphs.lower_half, glyphs.upper_half
    middle = [(left, paint.rim), (f"{symbol:^5}", paint.chip if filled else paint.text), (right, paint.rim)]
    if rows == SHORT:
        return [middle]
    upper, lower = ([(" ", paint.ground), (row * 5, paint.rim), (" ", paint.ground)] for row in (over, under))
    return [upper, middle, lower]


def _wild(look: Look, paint: _Paint, symbol: str, rows: int) -> list[list[_Piece]]:
    """Return the middle of a wild card: the four colours around its symbol."""
    wide = 2 if rows == TALL else 1
    plain = paint.faded or not look.coloured
    patches = [(f"{look.glyphs.suit(suit):^{wide}}", paint.text if plain else block(look, suit)) for suit in COLOURS]
    if rows == SHORT:
        return [[*patches[:2], (f"{symbol:^3}", paint.text), *patches[2:]]]
    gap = (" ", paint.ground)
    upper, lower = ([gap, patches[at], gap, patches[at + 1], gap] for at in (0, 2))
    return [upper, [(f"{symbol:^{_INNER}}", paint.text)], lower]


def _framed(paint: _Paint, inner: list[list[_Piece]]) -> tuple[Strip, ...]:
    top_left, top_right, bottom_left, bottom_right, flat, upright = paint.box
    rows = [
        [(top_left + flat * _INNER + top_right, paint.edge)],
        *([(upright, paint.edge), *pieces, (upright, paint.edge)] for pieces in inner),
        [(bottom_left + flat * _INNER + bottom_right, paint.edge)],
    ]
    return tuple(Strip([Segment(*piece) for piece in row], WIDTH) for row in rows)
