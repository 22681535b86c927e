"""The characters that the screens draw with, as a Unicode and an ASCII set.

Each is one column wide, and none is an emoji, as terminals disagree about the width of those.

Large digits and signs are drawn in half blocks: two square pixels to a character.
"""

from functools import cache
from itertools import zip_longest

import attrs


@attrs.frozen(kw_only=True)
class Glyphs:
    """A set of characters, by default of Unicode.

    Boxes are (top left, top right, bottom left, bottom right, horizontal, vertical).
    """

    red: str = "▲"
    yellow: str = "■"
    green: str = "●"
    blue: str = "◆"
    wild: str = "✦"
    skip: str = "⊘"
    reverse: str = "↺"
    clockwise: str = "↻"
    card_back: str = "▮"
    pattern: str = "░"
    """Fills the back of the deck."""
    flag: str = "⚑"
    wrong_flag: str = "⚐"
    mine: str = "✱"
    closed: str = "▒"
    """A closed cell without colours."""
    blank: str = "·"
    """An open cell without a number, under the cursor."""
    progress: str = "▦"
    lives: str = "♡"
    clock: str = "◷"
    arrow: str = "›"
    """Separates the parts of a path."""
    pointer: str = "▸"
    """Marks the selected entry."""
    enter: str = "⏎"
    """The return key: a sign, or its name. The only glyph that may be wider than one column."""
    playable: str = "▴"
    ready: str = "✓"
    cross: str = "✗"
    dot: str = "·"
    dash: str = "–"
    times: str = "×"
    """The multiplication sign between width and height."""
    quotes: tuple[str, str] = ("“", "”")
    more: str = "…"
    """Marks truncated text."""
    more_left: str = "‹"
    more_right: str = "›"
    bar_full: str = "━"
    bar_empty: str = "─"
    block: str = "█"
    upper_half: str = "▀"
    lower_half: str = "▄"
    left_half: str = "▌"
    right_half: str = "▐"
    box: tuple[str, str, str, str, str, str] = ("╭", "╮", "╰", "╯", "─", "│")
    heavy_box: tuple[str, str, str, str, str, str] = ("┏", "┓", "┗", "┛", "━", "┃")
    frame: str = "round"
    """The name of the matching border of Textual."""

    def suit(self, colour: str) -> str:
        """Return the shape of a colour of UNO or of ``wild``. Raises AttributeError for others."""
        shape: str = getattr(self, colour)
        return shape


UNICODE = Glyphs()
ASCII = Glyphs(
    red="R",
    yellow="Y",
    green="G",
    blue="B",
    wild="*",
    skip="S",
    reverse="<",
    clockwise=">",
    card_back="#",
    pattern=".",
    flag="F",
    wrong_flag="x",
    mine="*",
    closed="#",
    blank=".",
    progress="%",
    lives="+",
    clock="@",
    arrow=">",
    pointer=">",
    enter="enter",
    playable="^",
    ready="+",
    cross="x",
    dot="-",
    dash="-",
    times="x",
    quotes=('"', '"'),
    more="~",
    more_left="<",
    more_right=">",
    bar_full="=",
    bar_empty="-",
    block="#",
    upper_half="-",
    lower_half="_",
    left_half="|",
    right_half="|",
    box=("+", "+", "+", "+", "-", "|"),
    heavy_box=("#", "#", "#", "#", "=", "H"),
    frame="ascii",
)


_PIXELS = {
    "0": "### #.# #.# #.# ###",
    "1": ".#. ##. .#. .#. ###",
    "2": "### ..# ### #.. ###",
    "3": "### ..# ### ..# ###",
    "4": "#.# #.# ### ..# ..#",
    "5": "### #.. ### ..# ###",
    "6": "### #.. ### #.# ###",
    "7": "### ..# ..# ..# ..#",
    "8": "### #.# ### #.# ###",
    "9": "### #.# ### ..# ###",
    "+": "... .#. ### .#. ...",
    "skip": ".###. #..## #.#.# ##..# .###.",
    "reverse": ".#... ##### .#.#. ##### ...#.",
    "wild": "..#.. .###. ##### .###. ..#..",
}
"""Rows of pixels from the top."""


def has_signs(glyphs: Glyphs) -> bool:
    """Return whether ``glyphs`` has half blocks to draw signs with."""
    return not glyphs.block.isascii()


@cache
def sign(glyphs: Glyphs, *parts: str, scale: int = 1) -> tuple[str, ...]:
    """Return the lines of a digit or sign, or of several beside each other. A pixel is ``scale`` columns wide."""
    columns = [
        ["".join(pixel * scale for pixel in row) for row in _PIXELS[part].split() for _ in range(scale)]
        for part in parts
    ]
    rows = [" ".join(row) for row in zip(*columns, strict=True)]
    return tuple(
        "".join(_half(glyphs, upper, lower) for upper, lower in zip(top, bottom, strict=True))
        for top, bottom in zip_longest(rows[::2], rows[1::2], fillvalue=" " * len(rows[0]))
    )


def _half(glyphs: Glyphs, upper: str, lower: str) -> str:
    if upper == "#":
        return glyphs.block if lower == "#" else glyphs.upper_half
    return glyphs.lower_half if lower == "#" else " "
