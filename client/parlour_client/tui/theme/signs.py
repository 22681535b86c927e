"""Large digits and signs, drawn in half blocks: two square pixels to a character."""

from functools import cache
from itertools import zip_longest

from parlour_client.tui.theme.glyphs import Glyphs

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
    columns = [[_row(row, scale) for row in _PIXELS[part].split() for _ in range(scale)] for part in parts]
    rows = [" ".join(row) for row in zip(*columns, strict=True)]
    return tuple(
        "".join(_half(glyphs, upper, lower) for upper, lower in zip(top, bottom, strict=True))
        for top, bottom in zip_longest(rows[::2], rows[1::2], fillvalue=" " * len(rows[0]))
    )


def _row(pixels: str, scale: int) -> str:
    return "".join(pixel * scale for pixel in pixels)


def _half(glyphs: Glyphs, upper: str, lower: str) -> str:
    if upper == "#":
        return glyphs.block if lower == "#" else glyphs.upper_half
    return glyphs.lower_half if lower == "#" else " "
