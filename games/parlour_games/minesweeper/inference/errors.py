"""What inference refuses.

    ValueError
    ├── Impossible     nobody's board: the position has no completion
    └── TooLarge       more work than the caller allowed

Both leave the engine usable: its next reading starts afresh.
"""


class Impossible(ValueError):
    """No placement of the mines fits what is open: the fault of whoever composed the position."""


class TooLarge(ValueError):
    """A component has more cells, or needs more states to count, than the caller allowed."""
