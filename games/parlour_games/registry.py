"""The installed games, found through the entry-point group ``parlour.games``."""

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from parlour_games.game import Game

AnyGame = Game[Any, Any, Any, Any]
"""A game whose options, states, actions and events are of unknown types. Pass them only back to the same game."""


@cache
def games() -> dict[str, AnyGame]:
    """Return all installed games by name. They are loaded once."""
    found = (entry.load()() for entry in sorted(entry_points(group="parlour.games")))
    return {game.name: game for game in found}
