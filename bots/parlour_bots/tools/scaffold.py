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
_EXAMPLE = "twentyone"
"""The name of the game in the template."""
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

    def bot(self, file: str) -> str:
        """Return the name of the bot in ``file`` for other commands."""
        return f'"exec:{self.command.format(file=file)}"' if self.command else file


LANGUAGES = {
    "python": Language(".py", ""),
    "node": Language(".mjs", "node {file}"),
    "sh": Language(".sh", "./{file}", executable=True),
}


def new(name: str, lang: str, game: str, folder: Path | None = None) -> str:
    """Write the bot ``name`` into ``folder``, by default the current one. Return the next steps. Raises Usage."""
    _check(name, lang)
    language = LANGUAGES[lang]
    file = f"{name}{language.ending}"
    text = _template(game, language)
    _write((folder or Path()) / file, text, language.executable)
    return _next(file, language, game)


def new_game(name: str, folder: Path | None = None) -> str:
    """Write a package with the game ``name`` into ``folder``, by default the current one. Return the next steps.

    Raises Usage.
    """
    if not _GAME_NAME.fullmatch(name):
        raise Usage(f"{name[:40]!a} is not a valid name: a lowercase letter, then letters and digits, at most 20")
    if name in games():
        raise Usage(f"there is a game {name} already: choose another name")
    package = (folder or Path()) / name
    with writing(package):
        package.mkdir()
        _render(files("parlour_bots").joinpath("templates", "game"), package, name)
    steps = {
        f"parlour game check ./{name}": "check the rules",
        module_line("pytest", name): "run its tests",
        install_command("--editable", f"./{name}"): "install it",
        f"parlour arena {name} careful random": "let bots play it",
        f"parlour play {name}": "play it",
    }
    guide = document_url("docs/write-a-game.md")
    return f"The package {name} is in ./{name}. Next:\n{_lines(steps)}Each part is explained in {guide}\n"


def _render(template: Traversable, folder: Path, name: str) -> None:
    """Write the files of ``template``, with the name of its game replaced, into ``folder``."""
    for each in template.iterdir():
        path = folder / _named(each.name, name)
        if each.is_file():
            path.write_text(_named(each.read_text(encoding="utf-8"), name), encoding="utf-8", newline="\n")
        elif not each.name.startswith(("__", ".")):
            path.mkdir()
            _render(each, path, name)


def _named(text: str, name: str) -> str:
    return text.replace(_EXAMPLE, name).replace(_EXAMPLE.capitalize(), name.capitalize())


def _template(game: str, language: Language) -> str:
    """Return the template for ``game``, or that for any game with its name. Raises Usage."""
    require_loadable(game)
    if game not in games():
        raise Usage(f"{game[:40]!a} is not installed, only {', '.join(games())}")
    templates = files("parlour_bots").joinpath("templates")
    own, other = (templates.joinpath(f"{each}{language.ending}") for each in (game, _ANY))
    return (own if own.is_file() else other).read_text(encoding="utf-8").replace(_GAME, game)


def _check(name: str, lang: str) -> None:
    if not _NAME.fullmatch(name):
        raise Usage(f"{name[:40]!a} is not a valid name: a letter, then letters, digits, - or _, at most 20")
    if lang == "python" and name in sys.stdlib_module_names:
        raise Usage(f"{name}.py would shadow Python's module {name}: choose another name")


def _write(path: Path, text: str, executable: bool) -> None:
    with writing(path):
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        if executable:
            path.chmod(0o755)


def _next(file: str, language: Language, game: str) -> str:
    option = "" if game == "uno" or not language.command else f" --game {game}"
    bot = language.bot(file)
    program = language.command.format(file=file)
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
