"""Where bots are found: installed ones by name, files by path, modules by import path, programs by their command."""

import importlib
import importlib.util
import re
import sys
from collections.abc import Callable
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs

from parlour_bots.errors import place_in
from parlour_bots.loading.parameters import BadParameters, configured, split
from parlour_bots.play import foreign
from parlour_bots.sdk import Entrant, Playing, declaring, entrant
from parlour_client.core.errors import Usage

GROUP = "parlour.bots"
PROGRAM = "exec:"
"""What stands before the command of a program."""
_FILE = re.compile(r"(?P<path>.+\.py)(?::(?P<name>\w+))?")
_MODULE = re.compile(r"(?P<path>\w+(?:\.\w+)*):(?P<name>\w+)")


class NoBot(Usage):
    """There is no such bot, or it cannot be loaded. The text says what to try next."""


def installed() -> dict[str, EntryPoint]:
    """Return every installed bot by its full name, ``uno.painfirst``, in order."""
    return {entry.name: entry for entry in sorted(entry_points(group=GROUP))}


def described(entry: EntryPoint) -> str:
    """Return how a bot plays, in one line: the first line of its docstring."""
    try:
        told = (entry.load().__doc__ or "").strip()
    except Exception as error:  # it is anybody's code
        return f"cannot be loaded: {type(error).__name__}: {error}"
    return told.splitlines()[0] if told else ""


def find(what: str, game: str = "uno") -> Entrant:
    """Return the bot that ``what`` names. Raises NoBot.

    ``painfirst`` or ``uno.painfirst`` is an installed bot, ``file.py`` the bot in a file: what it gives to
    ``run``, else its ``play``, else its only class with a method ``play``. ``file.py:NAME`` and
    ``module:NAME`` say which. ``exec:COMMAND`` is a program, ``exec:node bot.mjs``. ``game`` completes a short name
    and is the game of a bot that does not say one. All but programs may be followed by parameters,
    ``search(worlds=300)``.
    """
    if what.startswith(PROGRAM):
        return _program(what, game)
    try:
        name, given = split(what)
        return configured(_found(name, game), given) if given else _found(name, game)
    except BadParameters as error:
        raise NoBot(f"{what}: {error}") from None


def _found(what: str, game: str) -> Entrant:
    if match := _FILE.fullmatch(what):
        path = Path(match["path"]).resolve()
        module, declared = _loaded(what, str(path), lambda: _run_file(path))
        return _named(module, match["name"], what, game) if match["name"] else _only(module, declared, what, game)
    if match := _MODULE.fullmatch(what):
        module, _ = _loaded(what, match["path"], lambda: importlib.import_module(match["path"]))
        return _named(module, match["name"], what, game)
    return _installed(what, game)


def _program(what: str, game: str) -> Entrant:
    try:
        return foreign.entrant(foreign.split(what.removeprefix(PROGRAM)), game)
    except (LookupError, ValueError) as error:
        raise NoBot(f"{what}: {error}") from None


def _installed(what: str, game: str) -> Entrant:
    bots = installed()
    for name in (what, f"{game}.{what}"):
        if name in bots:
            its_game, _, its_name = name.partition(".")
            return entrant(bots[name].load(), its_name, its_game)
    short = [name.removeprefix(f"{game}.") for name in bots if name.startswith(f"{game}.")]
    near = get_close_matches(what, [*short, *bots], n=1)
    hint = f"Did you mean {near[0]}? " if near else ""
    raise NoBot(f"There is no bot {what!r} for {game}. {hint}See: parlour bot list (a file is named like ./my_bot.py)")


def _loaded(what: str, file: str, load: Callable[[], ModuleType]) -> tuple[ModuleType, list[Entrant]]:
    """Return the module and the bots it gave to ``run`` while it was loading."""
    try:
        with declaring() as declared:
            return load(), declared
    except Exception as error:
        place = place_in(file, error)
        where = f"{place.where}: {place.text}\n    " if place else ""
        raise NoBot(f"{what} cannot be loaded: {where}{type(error).__name__}: {error}") from error


def _run_file(path: Path) -> ModuleType:
    name = str(path)  # two files of one stem stay two modules
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None, "a .py file has a loader"
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))  # as for a script: what lies beside it can be imported
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _named(module: ModuleType, name: str, what: str, game: str) -> Entrant:
    if not hasattr(module, name):
        raise NoBot(f"{what}: there is no {name!r} in it")
    return _entrant(getattr(module, name), name, what, game)


def _only(module: ModuleType, declared: list[Entrant], what: str, game: str) -> Entrant:
    if len(declared) == 1:
        return attrs.evolve(declared[0], name=Path(what).stem)
    if not declared and hasattr(module, "play"):
        return _entrant(module.play, Path(what).stem, what, game)
    classes = [value for value in vars(module).values() if _is_bot_class(value, module)]
    if len(classes) == 1:
        return _entrant(classes[0], Path(what).stem, what, game)
    names = ", ".join(bot.name for bot in declared) or ", ".join(cls.__name__ for cls in classes)
    which = f"several bots in it ({names}); name one: {what}:NAME" if names else "no play(turn) in it and no such class"
    raise NoBot(f"{what}: there is {which}".replace("there is several", "there are several"))


def _is_bot_class(value: Any, module: ModuleType) -> bool:
    return isinstance(value, type) and value.__module__ == module.__name__ and callable(getattr(value, "play", None))


def _entrant(playing: Playing, name: str, what: str, game: str) -> Entrant:
    try:
        return entrant(playing, name, game)
    except TypeError as error:
        raise NoBot(f"{what}: {error}") from None
