"""The first click of a board nobody has opened."""

CORNER_PROMISES = ("any", "safe")
"""Promises under which a corner is best: it is the likeliest cell to show a 0, having three neighbours."""
INSET = 3


def first_click(width: int, height: int, first: str) -> int:
    """Return the cell to open first under the promise ``first``: any, safe, opening or radius.

    Where the promise brings an opening anyhow, a cell off the corner makes it a larger one.
    """
    inset = 0 if first in CORNER_PROMISES else INSET
    return min(inset, (height - 1) // 2) * width + min(inset, (width - 1) // 2)
