"""Create a new bot from a template, for ``parlour bot new``."""

import re
import sys
from importlib.resources import files
from pathlib import Path

import attrs

from parlour_client.core.errors import Usage, writing

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
    text = files("parlour_bots").joinpath("templates", f"{game}{language.ending}").read_text(encoding="utf-8")
    _write((folder or Path()) / file, text, language.executable)
    return _next(file, language, game)


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
    width = max(map(len, steps))
    lines = (f"  {command:<{width}}  {what}\n" for command, what in steps.items())
    return f"{file} plays {game}. Next:\n{''.join(lines)}"
