"""Find games: installed ones by name, packages by their folder, classes by file or import path."""

import importlib
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

from parlour_bots.errors import raised_at
from parlour_bots.loading.loader import FILE, MODULE, run_file
from parlour_client.core.errors import Usage
from parlour_games.game import Game
from parlour_games.registry import GROUP, AnyGame, broken_games, checked, games


def find_game(what: str) -> AnyGame:
    """Return the game named by ``what``. Raises Usage.

    ``uno`` is an installed game. ``./my-game`` is a package, whose pyproject.toml names one game. ``file.py:NAME`` and
    ``module:NAME`` are a class; ``file.py`` is the only game in a file.
    """
    if what in games():
        return games()[what]
    require_loadable(what)
    try:
        return checked(_class(what)())
    except Usage:
        raise
    except (Exception, SystemExit) as error:  # code of others may raise anything
        raise Usage(f"{what} cannot be loaded: {raised_at(error)}") from error


def require_loadable(name: str) -> None:
    """Raise Usage, with the reason, if ``name`` is an installed game that cannot be loaded."""
    if name in broken_games() and name not in games():
        raise Usage(f"{name} is installed, but cannot be loaded: {broken_games()[name]}")


def _class(what: str) -> type[AnyGame]:
    if (Path(what) / "pyproject.toml").is_file():
        return _of_package(Path(what))
    if match := FILE.fullmatch(what):
        module = run_file(Path(match["path"]).resolve())
        return getattr(module, match["name"]) if match["name"] else _only(what, vars(module))
    if match := MODULE.fullmatch(what):
        return getattr(importlib.import_module(match["path"]), match["name"])  # type: ignore[no-any-return]
    installed = ", ".join(games())
    raise Usage(f"there is no game {what!r}. Installed: {installed}; or name a folder, FILE.py or MODULE:NAME")


def _of_package(folder: Path) -> type[AnyGame]:
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8")).get("project", {})
    entries = project.get("entry-points", {}).get(GROUP, {})
    if len(entries) != 1:
        raise Usage(f"{folder}/pyproject.toml has {len(entries)} entry points of {GROUP}; name one: MODULE:NAME")
    [(name, value)] = entries.items()
    sys.path.insert(0, str(folder.resolve()))
    cls: type[AnyGame] = EntryPoint(name, value, GROUP).load()
    return cls


def _only(what: str, names: dict[str, object]) -> type[AnyGame]:
    own = [
        each
        for each in names.values()
        if isinstance(each, type) and issubclass(each, Game) and each.__module__ == names["__name__"]
    ]
    if len(own) != 1:
        raise Usage(f"{what} has {len(own)} games; name one: {what}:NAME")
    return own[0]
