"""The games that are installed, found through the entry-point group ``parlour.games``."""

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from parlour_games.game import Game

AnyGame = Game[Any, Any, Any, Any]


@cache
def games() -> dict[str, AnyGame]:
    """Return every installed game by name, loaded once."""
    found = (entry.load()() for entry in sorted(entry_points(group="parlour.games")))
    return {game.name: game for game in found}
