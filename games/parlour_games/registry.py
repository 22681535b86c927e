"""The installed games, found through the entry-point group ``parlour.games``.

A game that cannot be loaded does not keep the others from being played.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from typing import Any

from parlour_games.game import Game
from parlour_games.options import options_of

AnyGame = Game[Any, Any, Any, Any]
"""A game whose options, states, actions and events are of unknown types. Pass them only back to the same game."""


def games() -> dict[str, AnyGame]:
    """Return all installed games by name. They are loaded once."""
    return _installed()[0]


def broken_games() -> dict[str, str]:
    """Return why games that are installed cannot be used, by the name of their entry point."""
    return _installed()[1]


@cache
def option_names(game: AnyGame) -> Mapping[str, str]:
    """Return the English names of a game's options and, as ``preset.family``, of their choices."""
    if not game.phrases:
        return {}
    found = json.loads(files(game.phrases).joinpath("en.json").read_text(encoding="utf-8"))
    prefix = f"{game.name}.option."
    return {key.removeprefix(prefix): words for key, words in found.items() if key.startswith(prefix)}


@cache
def _installed() -> tuple[dict[str, AnyGame], dict[str, str]]:
    found: dict[str, AnyGame] = {}
    broken: dict[str, str] = {}
    for entry in sorted(entry_points(group="parlour.games")):
        try:
            game = _checked(entry.load()())
        except (Exception, SystemExit) as error:  # code of others may raise anything
            broken[entry.name] = f"{type(error).__name__}: {error}"
        else:
            found[game.name] = game
    return found, broken


def _checked(game: object) -> AnyGame:
    """Return a game that has what servers and forms need of it at their start. Raises what it raises if not."""
    if not isinstance(game, Game):
        raise TypeError(f"{type(game).__name__} is not a subclass of parlour_games.game.Game")
    options_of(game)
    game.seats(game.Options())
    tags = [cls.do for cls in game.sent()], [cls.e for cls in game.Events]  # type: ignore[attr-defined]  # see Events
    if not all(isinstance(text, str) for text in (game.name, *tags[0], *tags[1])):
        raise TypeError("the names of a game, its actions and its events are strings")
    if type(game.rules_version) is not int:
        raise TypeError("rules_version is a whole number")
    return game
