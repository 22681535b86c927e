"""The installed games, found through the entry-point group ``parlour.games``.

A game that cannot be loaded does not keep the others from being played.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import attrs

from parlour_games.game import Game
from parlour_games.options import options_of

GROUP = "parlour.games"
"""The group of entry points."""
_OWN = ("parlour_games.", "parlour_bots.", "parlour_client.")
"""Packages whose entry points come before those of others."""
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
    prefix = f"{game.name}.option."
    return {key.removeprefix(prefix): words for key, words in _phrases(game).items() if key.startswith(prefix)}


def title(name: str) -> str:
    """Return the English name of a game for people; ``name`` itself if the game has none or is not installed."""
    game = games().get(name)
    return name if game is None else _phrases(game).get(f"{name}.name", name)


@cache
def _phrases(game: AnyGame) -> Mapping[str, str]:
    """Return the English phrases of a game."""
    if not game.phrases:
        return {}
    found: Mapping[str, str] = json.loads(_tables(game).joinpath("en.json").read_text(encoding="utf-8"))
    return found


def _tables(game: AnyGame) -> Traversable:
    """Return the folder of a game's phrases, which need not be a package: an archive is read by its parent."""
    package, _, name = game.phrases.rpartition(".")
    return files(package).joinpath(name) if package else files(name)


def entries(group: str) -> tuple[dict[str, EntryPoint], dict[str, str]]:
    """Return the entry points of ``group`` by name, and those without effect because their name is taken, with why.

    parlour's own come first, so that no other package replaces them.
    """
    found: dict[str, EntryPoint] = {}
    taken: dict[str, str] = {}
    for entry in sorted(entry_points(group=group), key=lambda entry: (not entry.value.startswith(_OWN), entry)):
        if found.setdefault(entry.name, entry).value != entry.value:
            taken[entry.name] = f"{entry.value} has the same name as {found[entry.name].value}"
    return found, taken


@cache
def _installed() -> tuple[dict[str, AnyGame], dict[str, str]]:
    installed, broken = entries(GROUP)
    found: dict[str, AnyGame] = {}
    for name, entry in sorted(installed.items()):
        try:
            game = checked(entry.load()())
            if game.name != name:
                raise ValueError(f"the entry point {name} has a game with the name {game.name}")
        except (Exception, SystemExit) as error:  # code of others may raise anything
            broken[name] = f"{type(error).__name__}: {error}"
        else:
            found[name] = game
    return found, broken


def checked(game: object) -> AnyGame:
    """Return ``game`` if it has what servers and forms need of it at their start. Raises what it raises if not."""
    if not isinstance(game, Game):
        raise TypeError(f"{type(game).__name__} is not a subclass of parlour_games.game.Game")
    options_of(game)
    game.seats(game.Options())
    tags = [cls.do for cls in game.sent()], [cls.e for cls in game.Events]  # type: ignore[attr-defined]  # see Events
    if not all(isinstance(text, str) for text in (game.name, *tags[0], *tags[1])):
        raise TypeError("the names of a game, its actions and its events are strings")
    for cls in (game.Options, *game.Actions):
        attrs.resolve_types(cls)  # raises for what is no attrs class, and for annotations that cannot be read
    if type(game.rules_version) is not int:
        raise TypeError("rules_version is a whole number")
    _check_phrases(game)
    return game


def _check_phrases(game: AnyGame) -> None:
    """Raise if the phrases of a game cannot be read, or replace those of others."""
    tables = [file for file in _tables(game).iterdir() if file.name.endswith(".json")] if game.phrases else []
    for file in tables:
        for key, words in json.loads(file.read_text(encoding="utf-8")).items():
            if not key.startswith(f"{game.name}.") or type(words) is not str:
                raise ValueError(f"{file.name}: {key!r} is not the key of a string that starts with {game.name}.")
