"""The first click on a board."""

CORNER_PROMISES = ("any", "safe")
"""Guarantees with which a corner is best: with three neighbours it is the likeliest cell to show a 0."""
INSET = 3


def first_click(width: int, height: int, first: str) -> int:
    """Return the first cell to open with the guarantee ``first``: any, safe, opening or radius.

    If an opening is guaranteed, it is larger away from the corner.
    """
    inset = 0 if first in CORNER_PROMISES else INSET
    return min(inset, (height - 1) // 2) * width + min(inset, (width - 1) // 2)
