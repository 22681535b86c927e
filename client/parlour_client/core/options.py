"""Options of a game: words of a command line, ``level=expert``, ``lives=3``, ``no_guess=true``, or a file of them."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from parlour_client.core.errors import Usage
from parlour_games.game import BadOptions, Game
from parlour_protocol.errors import BadMessage
from parlour_protocol.messages import Plain
from parlour_protocol.wire import strict

_SWITCHES = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def options_of(words: Iterable[str]) -> Plain:
    """Return the options in ``words``, each NAME=VALUE. Raises Usage. Whether a game has them, it knows itself."""
    options: Plain = {}
    for word in words:
        name, given, value = word.partition("=")
        name = name.strip().replace("-", "_")
        if not name or not given or not value.strip():
            raise Usage(f"--option takes NAME=VALUE, for example --option level=expert, not {word[:40]!a}")
        if name in options:
            raise Usage(f"--option {name} is given twice")
        options[name] = _value(value.strip())
    return options


def _value(text: str) -> str | int | bool:
    if text.lower() in _SWITCHES:
        return _SWITCHES[text.lower()]
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 15 else text


def rules_of(path: Path) -> Plain:
    """Return the options in a TOML file, such as a house's own rules: ``preset = "family"``, ``stack2 = false``.

    Raises Usage.
    """
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise Usage(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Usage(f"{path} is not TOML: {error}") from None


def checked(game: Game[Any, Any, Any, Any], options: Plain) -> Any:
    """Return ``options`` with all that follows from them, as the game has it. Raises BadOptions."""
    try:
        return strict(game.Options)(options)
    except BadMessage as error:
        raise BadOptions(str(error)) from None
