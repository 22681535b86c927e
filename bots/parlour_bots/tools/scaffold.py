"""``parlour bot new``: the first lines of a bot, which run as they are."""

import re
import sys
from importlib.resources import files
from pathlib import Path

import attrs

from parlour_client.core.errors import Usage

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,19}")


@attrs.frozen
class Language:
    """How a bot is written in one language: the ending of its file, and the command that runs it."""

    ending: str
    command: str
    """With ``{file}``; empty for what the SDK runs."""
    executable: bool = False

    def bot(self, file: str) -> str:
        """Return how the bot in ``file`` is named where one is asked for."""
        return f'"exec:{self.command.format(file=file)}"' if self.command else file


LANGUAGES = {
    "python": Language(".py", ""),
    "node": Language(".mjs", "node {file}"),
    "sh": Language(".sh", "./{file}", executable=True),
}


def new(name: str, lang: str, game: str, folder: Path | None = None) -> str:
    """Write the bot ``name`` into ``folder``, by default the current one. Return what to do next. Raises Usage."""
    _check(name, lang)
    language = LANGUAGES[lang]
    file = f"{name}{language.ending}"
    text = files("parlour_bots").joinpath("templates", f"{game}{language.ending}").read_text(encoding="utf-8")
    _write((folder or Path()) / file, text, language.executable)
    return _next(file, language, game)


def _check(name: str, lang: str) -> None:
    if not _NAME.fullmatch(name):
        raise Usage(f"{name[:40]!a} is no name for a bot: a letter, then letters, digits, - and _, at most 20 in all")
    if lang == "python" and name in sys.stdlib_module_names:
        raise Usage(f"{name}.py would hide Python's own module {name}: choose another name")


def _write(path: Path, text: str, executable: bool) -> None:
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        if executable:
            path.chmod(0o755)
    except FileExistsError:
        raise Usage(f"{path.name} is there already, and left as it is: choose another name") from None
    except OSError as error:
        raise Usage(f"{path.name} cannot be written: {error.strerror}") from None


def _next(file: str, language: Language, game: str) -> str:
    option = "" if game == "uno" or not language.command else f" --game {game}"
    bot = language.bot(file)
    run = f"parlour bot exec{option} -- {language.command.format(file=file)}" if language.command else f"python {file}"
    steps = {
        run: "play a match",
        f"parlour bot run {bot}{option} --arena 100": "how good is it?",
        f"parlour bot check {bot}{option}": "is anything wrong with it?",
        f"parlour bot run {bot}{option} --room CODE": "sit down at a table among others",
    }
    width = max(map(len, steps))
    lines = (f"  {command:<{width}}  {what}\n" for command, what in steps.items())
    return f"{file} plays {game}. Next:\n{''.join(lines)}"
