"""Create a new bot or a new game from a template, for ``parlour bot new`` and ``parlour game new``."""

import re
import sys
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import attrs

from parlour_bots.loading import require_loadable
from parlour_client.core.errors import Usage, writing
from parlour_games.registry import games
from parlour_protocol.installation import document_url, install_command, module_line

_GAME_NAME = re.compile(r"[a-z][a-z0-9]{0,19}")
_NAMED = ("twentyone", "Twentyone", "TwentyOne")
"""The name of the game in the template, its title, and its class."""
_TITLE = re.compile(r"[^\W_][\w '’.!&+-]{0,39}")
_ANY, _GAME = "any", "THE_GAME"
"""The template for games without one of their own, and what stands there for the game's name."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,19}")


@attrs.frozen
class Language:
    """A language for bots: the file suffix and the command that runs a file."""

    ending: str
    command: str
    """A format string with ``{file}``; empty for Python, which the SDK runs."""
    executable: bool = False


LANGUAGES = {
    "python": Language(".py", ""),
    "node": Language(".mjs", "node {file}"),
    "sh": Language(".sh", "./{file}", executable=True),
}


def new(name: str, lang: str, game: str, folder: Path | None = None) -> str:
    """Write the bot ``name`` into ``folder``, by default the current one. Return the next steps. Raises Usage."""
    if not _NAME.fullmatch(name):
        raise Usage(f"{name[:40]!a} is not a valid name: a letter, then letters, digits, - or _, at most 20")
    if lang == "python" and name in sys.stdlib_module_names:
        raise Usage(f"{name}.py would shadow Python's module {name}: choose another name")
    language = LANGUAGES[lang]
    path = (folder or Path()) / f"{name}{language.ending}"
    text = _template(game, language)
    with writing(path):
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        if language.executable:
            path.chmod(0o755)
    return _next(path.name, language, game)


def new_game(name: str, title: str | None = None, folder: Path | None = None) -> str:
    """Write a package with the game ``name`` into ``folder``, by default the current one. Return the next steps.

    ``title``: what people read, by default the name with a capital letter. Raises Usage.
    """
    if not _GAME_NAME.fullmatch(name):
        raise Usage(
            f"{name[:40]!a} is not a valid name: a lowercase letter, then letters and digits, at most 20. What people"
            ' read can be another: parlour game new oldmaid --title "Old Maid"'
        )
    title = name.capitalize() if title is None else title
    if not _TITLE.fullmatch(title):
        raise Usage(f"{title[:60]!a} is not a valid title: letters, digits, spaces and '’.!&+-, at most 40 characters")
    if name in games():
        raise Usage(f"there is a game {name} already: choose another name")
    package = (folder or Path()) / name
    with writing(package):
        package.mkdir()
        template = files("parlour_bots").joinpath("templates", "game")
        _render(template, package, dict(zip(_NAMED, (name, title, _class_name(title, name)), strict=True)))
    steps = {
        f"parlour game check ./{name}": "check the rules",
        module_line("pytest", name): "run its tests",
        install_command("--editable", f"./{name}"): "install it",
        f"parlour arena {name} careful random": "let bots play it",
        f"parlour play {name}": "play it",
    }
    guide = document_url("docs/write-a-game.md")
    return f"The package {name} is in ./{name}. Next:\n{_lines(steps)}Each part is explained in {guide}\n"


def _class_name(title: str, name: str) -> str:
    """Return the name of a class in Python: the words of ``title``, or ``name`` if they make none."""
    words = "".join(word[0].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", title))
    return words if title.isascii() and words.isidentifier() else name.capitalize()


def _render(template: Traversable, folder: Path, names: Mapping[str, str]) -> None:
    """Write the files of ``template``, with the names in it replaced, into ``folder``."""
    for each in template.iterdir():
        path = folder / _named(each.name, names)
        if each.is_file():
            path.write_text(_named(each.read_text(encoding="utf-8"), names), encoding="utf-8", newline="\n")
        elif not each.name.startswith(("__", ".")):
            path.mkdir()
            _render(each, path, names)


def _named(text: str, names: Mapping[str, str]) -> str:
    return re.sub("|".join(names), lambda found: names[found[0]], text)


def _template(game: str, language: Language) -> str:
    """Return the template for ``game``, or that for any game with its name. Raises Usage."""
    require_loadable(game)
    if game not in games():
        raise Usage(f"{game[:40]!a} is not installed, only {', '.join(games())}")
    templates = files("parlour_bots").joinpath("templates")
    own, other = (templates.joinpath(f"{each}{language.ending}") for each in (game, _ANY))
    return (own if own.is_file() else other).read_text(encoding="utf-8").replace(_GAME, game)


def _next(file: str, language: Language, game: str) -> str:
    option = "" if game == "uno" or not language.command else f" --game {game}"
    program = language.command.format(file=file)
    bot = f'"exec:{program}"' if program else file
    run = f"parlour bot exec{option} -- {program}" if program else f"parlour bot run {bot}"
    steps = {
        run: "play a match",
        f"parlour bot run {bot}{option} --arena 100": "measure its win rate",
        f"parlour bot check {bot}{option}": "look for faults",
        f"parlour bot run {bot}{option} --room CODE": "join a room on a server",
    }
    return f"{file} plays {game}. Next:\n{_lines(steps)}"


def _lines(steps: Mapping[str, str]) -> str:
    """Return the next steps, each a command and what it does."""
    width = max(map(len, steps))
    return "".join(f"  {command:<{width}}  {what}\n" for command, what in steps.items())
