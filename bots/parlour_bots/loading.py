"""Find bots and games: installed ones by name, others by file, folder, import path, or a program by its command.

A bot's name may have parameters, such as ``search(worlds=300)``, which are passed as keyword arguments.
"""

import ast
import importlib
import importlib.util
import inspect
import re
import sys
import tomllib
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import partial
from importlib.metadata import EntryPoint
from itertools import takewhile
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs

from parlour_bots.errors import author_calls, place_in, raised_at
from parlour_bots.play import foreign, model
from parlour_bots.play.limits import Limits
from parlour_bots.profiles import LEVELS, play_at_random, profile
from parlour_bots.sdk import Bot, BotSource, BotSpec, Function, bot_spec, declaring
from parlour_client.cli.verbs import Values
from parlour_client.core.errors import Fault, Usage
from parlour_client.core.phrases import say
from parlour_games.game import Game
from parlour_games.registry import GROUP, AnyGame, broken_games, checked, entries, games
from parlour_protocol.messages import Plain

_CALL = re.compile(r"(?P<what>[^()]+)\((?P<given>.*)\)\s*", re.DOTALL)
_GIVEN = re.compile(r"""\s*(\w+)\s*=\s*("[^"]*"|'[^']*'|[^,"'=]+?)\s*(?:,|$)""")
_WORDS = {"true": True, "True": True, "false": False, "False": False, "none": None, "None": None}


class BadParameters(ValueError):
    """The parameters cannot be parsed, or the bot does not accept them. The text says what is valid."""


def split(what: str) -> tuple[str, Plain]:
    """Split the name of a bot from its parameters: ints, floats, bools, None or strings. Raises BadParameters."""
    call = _CALL.fullmatch(what)
    if call is None:
        return what, {}
    given: Plain = {}
    rest = call["given"].strip()
    while rest:
        found = _GIVEN.match(rest)
        if found is None:
            raise BadParameters(f"write parameters as NAME=VALUE, like search(worlds=300,turns=9), not {rest!r}")
        if found[1] in given:
            raise BadParameters(f"{found[1]} is given twice")
        given[found[1]] = _value(found[2])
        rest = rest[found.end() :].strip()
    return call["what"].strip(), given


def add_parameters(what: str, **more: Any) -> str:
    """Return the name of a bot with parameters added."""
    name, given = split(what)
    return f"{name}({','.join(f'{key}={value!r}' for key, value in {**given, **more}.items())})"


def parameter_names(spec: BotSpec) -> list[str]:
    """Return the names of the parameters that a bot accepts."""
    return [each.name for each in _parameters(spec).values()]


def with_parameters(spec: BotSpec, given: Plain) -> BotSpec:
    """Return the bot with these parameters, which its name then shows. Raises BadParameters."""
    known = parameter_names(spec)
    if unknown := next((name for name in given if name not in known), None):
        has = f"it has {', '.join(known)}" if known else "it has none"
        raise BadParameters(f"{spec.name} has no parameter {unknown}: {has}")
    shown = ",".join(f"{name}={value}" for name, value in given.items())
    found = attrs.evolve(spec, make=_factory(spec, given))
    try:
        require_made(found)
    except NoBot as error:
        if isinstance(error.__cause__, TypeError | ValueError):
            raise BadParameters(str(error.__cause__)) from None
        raise
    return attrs.evolve(found, name=f"{spec.name}({shown})")


def require_made(spec: BotSpec) -> None:
    """Make a bot once. Raises NoBot, with the author's line, if that fails: a file may be missing, for instance."""
    try:
        spec.make()
    except (Fault, MemoryError):
        raise
    except Exception as error:  # code of others may raise anything
        where = "".join(f"{call.where}: {call.text}\n    " for call in author_calls(error)[-1:])
        raise NoBot(f"{spec.name} cannot be made: {where}{type(error).__name__}: {error}") from error


def _factory(spec: BotSpec, given: Plain) -> Callable[[], Bot]:
    if _makes_by_class(spec):
        return partial(spec.make, **given)
    function = partial(_play(spec), **given)
    return lambda: Function(function)


def _parameters(spec: BotSpec) -> dict[str, inspect.Parameter]:
    """Return the parameters of a bot's class, or those of its function after the turn."""
    made = _makes_by_class(spec)
    called: Any = spec.make if made else _play(spec)
    try:
        every = list(inspect.signature(called).parameters.items())
    except (TypeError, ValueError):  # not callable, or without a signature
        return {}
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {name: each for name, each in every[not made :] if each.kind in named}


def _makes_by_class(spec: BotSpec) -> bool:
    """Return whether a class makes the bots, perhaps with parameters, instead of a function or an object."""
    made = spec.make.func if isinstance(spec.make, partial) else spec.make
    return isinstance(made, type) and made is not Function


def _play(spec: BotSpec) -> Any:
    """Return the bot's function; None for an object, which takes no parameters."""
    made = spec.make()
    return made.play if isinstance(made, Function) else None


def _value(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text  # a bare word
    return value if isinstance(value, int | float | str) else text


BOTS = "parlour.bots"
RANDOM = "random"
"""The bot that every game has."""
PROGRAM, TEXT_PROGRAM, LANGUAGE_MODEL = "exec:", "exec+text:", "llm:"
"""The prefixes of a program's command, of one that reads turns as text, and of a language model."""
FILE = re.compile(r"(?P<path>.+\.py)(?::(?P<name>\w+))?")
"""A class or function in a file: ``./hello.py``, ``./hello.py:NAME``."""
MODULE = re.compile(r"(?P<path>\w+(?:\.\w+)*):(?P<name>\w+)")
"""A class or function in a module: ``package.module:NAME``."""


class NoBot(Usage):
    """The bot, or the file of a game, does not exist or cannot be loaded. The text says what to try."""

    has_lines = True


def installed() -> dict[str, EntryPoint]:
    """Return the installed bots, sorted by full name, such as ``uno.painfirst``."""
    return dict(sorted(entries(BOTS)[0].items()))


INSTALLED = Values(lambda: dict.fromkeys([*LEVELS, *(name.partition(".")[2] or name for name in installed())]))
"""The short names of levels and installed bots."""


def describe(entry: EntryPoint) -> str:
    """Return the first line of a bot's docstring."""
    try:
        text = (entry.load().__doc__ or "").strip()
    except (Exception, SystemExit) as error:  # code of others may raise anything
        return f"cannot be loaded: {type(error).__name__}: {error}"
    return text.splitlines()[0] if text else ""


def find(what: str, game: str = "uno", limits: Limits | None = None) -> BotSpec:
    """Return the bot named by ``what``; a program has ``limits``. Raises NoBot.

    ``painfirst`` or ``uno.painfirst`` is an installed bot; ``easy``, ``normal`` and ``hard`` each stand for one, and
    every game has ``random``.
    ``file.py`` is the bot in a file: the one passed to ``run``, else the function ``play``, else the only class with a
    method ``play``; ``file.py:NAME`` and ``module:NAME`` choose one. ``exec:node bot.mjs`` is a program, and
    ``exec+text:`` one whose turns have a text. ``llm:MODEL@BASE_URL`` is a language model. All except programs take
    parameters: ``search(worlds=300)``.

    ``game`` completes a short name, and is the game of a bot that does not declare one.
    """
    if what.startswith((PROGRAM, TEXT_PROGRAM)):
        return _outside(what, game, limits)
    try:
        name, given = split(what)
        return with_parameters(_find(name, game), given) if given else _find(name, game)
    except BadParameters as error:
        raise NoBot(f"{what}: {error}") from None


def is_outside(what: str) -> bool:
    """Return whether a bot is a program or a language model."""
    return what.startswith((PROGRAM, TEXT_PROGRAM, LANGUAGE_MODEL))


def _find(what: str, game: str) -> BotSpec:
    if what.startswith(LANGUAGE_MODEL):
        return _outside(what, game, None)
    if match := FILE.fullmatch(what):
        path = _existing(match["path"], "parlour bot new NAME")
        module, declared = _loaded(what, str(path), lambda: run_file(path))
        return _named(module, match["name"], what, game) if match["name"] else _only(module, declared, what, game)
    if match := MODULE.fullmatch(what):
        module, _ = _loaded(what, match["path"], lambda: importlib.import_module(match["path"]))
        return _named(module, match["name"], what, game)
    return _installed(what, game)


def _outside(what: str, game: str, limits: Limits | None) -> BotSpec:
    kind, _, named = what.partition(":")
    try:
        if what.startswith(LANGUAGE_MODEL):
            return model.bot_spec(named, game)
        return foreign.bot_spec(foreign.split(named), game, text=f"{kind}:" == TEXT_PROGRAM, limits=limits)
    except (LookupError, ValueError) as error:
        raise NoBot(f"{what}: {error}") from None


def _installed(what: str, game: str) -> BotSpec:
    bots = installed()
    for given in (what, f"{game}.{what}"):
        name = given if given in bots else _of_level(given)
        if name in bots:
            its_game, _, its_name = name.partition(".")
            try:
                return bot_spec(bots[name].load(), its_name, its_game)
            except (Exception, SystemExit) as error:
                raise NoBot(f"{name} is installed, but cannot be loaded: {type(error).__name__}: {error}") from error
        its_game = name.removesuffix(f".{RANDOM}")
        if its_game != name and its_game in {game, *games()}:
            return bot_spec(play_at_random, RANDOM, its_game)
    short = [name.removeprefix(f"{game}.") for name in bots if name.startswith(f"{game}.")]
    near = get_close_matches(what, [*short, *bots], n=1)
    raise NoBot(say("fault.no_bot", {"near": near[0] if near else None}, name=what, game=game))


def styles(game: str) -> Sequence[str]:
    """Return the bots of ``game`` that play differently: those of its profile, or all that are installed."""
    prefix = f"{game}."
    known = [name.removeprefix(prefix) for name in installed() if name.startswith(prefix)]
    return profile(game).styles or known or (RANDOM,)


def _of_level(name: str) -> str:
    """Return the full name of the bot for a level, such as ``uno.easy``; other names unchanged.

    In a game without a profile, ``easy`` is random, and the others are the bot that comes first.
    """
    game, _, level = name.partition(".")
    if level not in LEVELS:
        return name
    return f"{game}.{profile(game).levels.get(level) or (RANDOM if level == LEVELS[0] else styles(game)[0])}"


def _loaded(what: str, file: str, load: Callable[[], ModuleType]) -> tuple[ModuleType, list[BotSpec]]:
    """Return the module, and the bots it passed to ``run`` while loading."""
    try:
        with declaring() as declared:
            return load(), declared
    except (Exception, SystemExit) as error:
        place = place_in(file, error)
        where = f"{place.where}: {place.text}\n    " if place else ""
        raise NoBot(f"{what} cannot be loaded: {where}{type(error).__name__}: {error}") from error


def _existing(file: str, making: str) -> Path:
    """Return the path of a file; raise NoBot, with the command that makes one, if there is none."""
    path = Path(file).resolve()
    if not path.is_file():
        raise NoBot(f"there is no file {path}: check its name and folder, or make one with: {making}")
    return path


def run_file(path: Path) -> ModuleType:
    """Import the file at ``path`` under its path as a name, with its folder on ``sys.path``."""
    name = str(path)  # two files with the same stem stay two modules
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None, "a .py file has a loader"
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))  # like a script, it can import its neighbours
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _named(module: ModuleType, name: str, what: str, game: str) -> BotSpec:
    if not hasattr(module, name):
        raise NoBot(f"{what}: it has no {name!r}")
    return _bot_spec(getattr(module, name), name, what, game, module)


def _only(module: ModuleType, declared: list[BotSpec], what: str, game: str) -> BotSpec:
    if len(declared) == 1:
        return attrs.evolve(declared[0], name=Path(what).stem)
    if not declared and hasattr(module, "play"):
        return _bot_spec(module.play, Path(what).stem, what, game, module)
    own = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__]
    classes = [each for each in own if callable(getattr(each, "play", None))]
    if len(classes) == 1:
        return _bot_spec(classes[0], Path(what).stem, what, game, module)
    names = ", ".join(bot.name for bot in declared) or ", ".join(cls.__name__ for cls in classes)
    if names:
        raise NoBot(f"{what}: it has several bots ({names}); name one: {what}:NAME")
    raise NoBot(f"{what}: it has no function play(turn) and no class with that method")


def _bot_spec(source: BotSource, name: str, what: str, game: str, module: ModuleType) -> BotSpec:
    said = _said_to_run(module)
    try:
        found = bot_spec(source, name, said.get("game", ""), said.get("call_uno", True))
    except TypeError as error:
        raise NoBot(f"{what}: {error}") from None
    return found if found.game else attrs.evolve(found, game=game, assumed=True)


def _said_to_run(module: ModuleType) -> Plain:
    """Return what a file says to ``run`` where only a program gets: below ``if __name__ == "__main__"``."""
    try:
        source = inspect.getsource(module)
    except (OSError, TypeError):  # compiled, without its source
        return {}
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(ast.Name("run"), [_, *more], keywords):
                said = [*zip(("game",), more, strict=False), *((each.arg, each.value) for each in keywords)]
                return {name: value.value for name, value in said if name and isinstance(value, ast.Constant)}
    return {}


_OURS = Game.__module__.partition(".")[0]
"""The package of the games that are bundled. A second copy of it would have other base classes."""


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
        module = _module_of(_existing(match["path"], "parlour game new NAME"))
        return getattr(module, match["name"]) if match["name"] else _only_game(what, vars(module))
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
    entry = EntryPoint(name, value, GROUP)
    _import_from(folder.resolve(), entry.module.partition(".")[0])
    cls: type[AnyGame] = entry.load()
    return cls


def _module_of(path: Path) -> ModuleType:
    """Import a file. One in a package is imported as its module, and finds its neighbours there, not installed ones."""
    packages = [*takewhile(lambda folder: (folder / "__init__.py").is_file(), path.parents)]
    if not packages or packages[-1].name == _OURS:
        return run_file(path)
    folder = packages[-1].parent
    _import_from(folder, packages[-1].name)
    name = ".".join(path.relative_to(folder).with_suffix("").parts)
    return importlib.import_module(name.removesuffix(".__init__"))


def _import_from(folder: Path, package: str) -> None:
    """Let ``package`` be imported from ``folder``, also if an installed copy has been imported before."""
    sys.path.insert(0, str(folder))
    held = sys.modules.get(package)
    if held is not None and not Path(held.__file__ or "").resolve().is_relative_to(folder):
        for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
            del sys.modules[name]


def _only_game(what: str, names: dict[str, object]) -> type[AnyGame]:
    own = [
        each
        for each in names.values()
        if isinstance(each, type) and issubclass(each, Game) and each.__module__ == names["__name__"]
    ]
    if len(own) != 1:
        raise Usage(f"{what} has {len(own)} games; name one: {what}:NAME")
    return own[0]
