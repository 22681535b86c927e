"""What a person has set once and for all, in a TOML file: name, server, look, keys.

A flag outweighs it, and so does the environment. The settings screen writes it; whoever edits it by hand is told the
line of a mistake. What this version does not know stays in it, though comments do not.
"""

import re
import tomllib
from collections.abc import Mapping
from datetime import date, time
from pathlib import Path
from typing import Any

import attrs
from platformdirs import user_config_path

from parlour_client.core.errors import Usage
from parlour_client.storage import private_files

_HEAD = "# Written by parlour's settings screen, which keeps all values but no comments.\n"
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")
_WANTED: dict[type, str] = {
    str: "a text in quotes",
    bool: "true or false",
    dict: "a table: [keys], then lines like uno.draw",
}


@attrs.frozen
class Settings:
    """All of it. ``keys``: id of an action → the keys that do it, with commas between."""

    name: str = ""
    server: str = ""
    look: str = "auto"
    reduced_motion: bool = False
    bell: bool = True
    keys: dict[str, str] = attrs.field(factory=dict)


def file() -> Path:
    """Return where the settings are."""
    return user_config_path("parlour", appauthor=False) / "client.toml"


def load() -> Settings:
    """Return what is set; what is usual where nothing is, or nothing may be read. Raises Usage, naming the line."""
    text = _text(forbidden="")
    found = _parsed(text)
    known = {field.name: field.type for field in attrs.fields(Settings)}
    given = {name: value for name, value in found.items() if name in known}
    for name, value in given.items():
        _check(text, name, value, type(getattr(Settings(), name)))
    for name, value in given.get("keys", {}).items():
        _check(text, name, value, str)
    return Settings(**given)


def save(settings: Settings) -> None:
    """Write ``settings``, and what else there is. Raises Usage, above all for a file that could not be read before."""
    kept = _parsed(_text())
    usual = attrs.asdict(Settings())
    ours = {name: value for name, value in attrs.asdict(settings).items() if value != usual[name]}
    others = {name: value for name, value in kept.items() if name not in usual}
    try:
        private_files.write(file(), _HEAD + toml({**ours, **others}))
    except OSError as error:
        raise Usage(f"{file()} cannot be written: {error.strerror}") from None


def toml(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> str:
    """Return ``table`` as TOML: what ``tomllib`` reads as the same again."""
    plain = {name: value for name, value in table.items() if not isinstance(value, dict)}
    lines = [f"{_name(name)} = {_value(value)}\n" for name, value in plain.items()]
    for name, value in table.items():
        if isinstance(value, dict):
            inner = (*path, _name(name))
            lines.append(f"\n[{'.'.join(inner)}]\n{toml(value, inner)}")
    return "".join(lines)


def _name(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _quoted(value)
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case dict():
            return f"{{{', '.join(f'{_name(name)} = {_value(each)}' for name, each in value.items())}}}"
        case date() | time():
            return value.isoformat()
    return repr(value)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return (
        '"' + "".join(f"\\u{ord(char):04x}" if ord(char) < 32 or ord(char) == 127 else char for char in escaped) + '"'
    )


def _text(forbidden: str | None = None) -> str:
    """Return what is in the file, "" if there is none; ``forbidden`` if it may not be read. Raises Usage."""
    try:
        return file().read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except UnicodeDecodeError:
        raise Usage(f"{file()} is not a text file") from None
    except OSError as error:
        if forbidden is not None and isinstance(error, PermissionError):
            return forbidden
        raise Usage(f"{file()} cannot be read: {error.strerror}") from None


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        words = str(error)
        place = _PLACE.search(words)
        line = (place and place[1]) or len(text.splitlines())
        raise Usage(f"{file()}, line {line}: {_PLACE.sub('', words)}. Mend it, or move the file away") from None


def _check(text: str, name: str, value: Any, wanted: type) -> None:
    if type(value) is wanted:
        return
    pattern = re.compile(rf"\s*\[?\s*[\"']?{re.escape(name)}[\"']?\s*[]=.]")
    line = next((n for n, each in enumerate(text.splitlines(), 1) if pattern.match(each)), 1)
    raise Usage(f"{file()}, line {line}: {name} must be {_WANTED[wanted]}")
