"""``random``: the baseline player of every game."""

from collections.abc import Sequence

from parlour_bots.sdk import Answer, Turn
from parlour_protocol.messages import Plain


def play(turn: Turn) -> Answer:
    """Plays a random legal action.

    In a game that lists none, it opens a random closed cell.
    """
    choices: Sequence[Answer] = turn.legal or closed(turn.view)
    return turn.rng.choice(choices)


def closed(view: Plain) -> list[int]:
    """Return the closed, unflagged cells of a grid, for a game that lists no actions."""
    return [cell for cell, char in enumerate("".join(view.get("rows") or ())) if char == "."]
