"""The user's settings in ``client.toml``: name, server, look, keys.

Options and environment variables take precedence. The settings screen writes the file and keeps comments and keys that
this version does not know.
"""

import os
import re
from pathlib import Path
from typing import Any

import attrs
from platformdirs import user_config_path

from parlour_client.core.errors import Usage, writing
from parlour_client.core.phrases import phrases, say
from parlour_client.storage import private_files

_HEAD = "# Settings of the parlour client. The settings screen writes this file and keeps your comments.\n"


@attrs.frozen
class Settings:
    """All settings. ``keys`` maps the id of an action to its keys, separated by commas."""

    name: str = ""
    server: str = ""
    look: str = "auto"
    reduced_motion: bool = False
    bell: bool = True
    keys: dict[str, str] = attrs.field(factory=dict)
    theme: str = "felt"
    auto_pass: bool = False
    language: str = "auto"


def file() -> Path:
    """Return the path of the settings."""
    return user_config_path("parlour", appauthor=False) / "client.toml"


def load() -> Settings:
    """Return the settings; the defaults without permission to read the file. Raises Usage, naming the line."""
    try:
        text = _text()
    except Usage as fault:
        if not isinstance(fault.__cause__, PermissionError):
            raise
        text = ""
    found = _parsed(text)
    known = {field.name: field.type for field in attrs.fields(Settings)}
    given = {name: value for name, value in found.items() if name in known}
    for name, value in given.items():
        _check(text, name, value, type(getattr(Settings(), name)))
    for name, value in given.get("keys", {}).items():
        _check(text, name, value, str)
    return Settings(**given)


def speak(settings: Settings) -> None:
    """Use the language of PARLOUR_LANG, else of ``settings``, else of the system."""
    chosen = "" if settings.language == "auto" else settings.language
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next(filter(None, map(os.environ.get, names)), "")
    phrases.use(os.environ.get("PARLOUR_LANG") or chosen or locale)


def speak_to_user() -> None:
    """Use the language of the user. Settings that cannot be read choose none: verbs that need them raise the fault."""
    try:
        mine = load()
    except Usage:
        mine = Settings()
    speak(mine)


def save(settings: Settings) -> None:
    """Write ``settings``, and keep comments and unknown keys. Raises Usage, also if the file cannot be parsed."""
    import tomlkit  # only the settings screen writes

    text = _text()
    _parsed(text)
    document, defaults = tomlkit.parse(text or _HEAD), attrs.asdict(Settings())
    for name, value in attrs.asdict(settings).items():
        if value == defaults[name]:
            document.pop(name, None)
        elif document.get(name) != value:
            document[name] = value
    with writing(file()):
        private_files.write(file(), document.as_string())


def _text() -> str:
    """Return the file's text, "" if there is none. Raises Usage."""
    return private_files.read(file(), private=False) or ""


def _parsed(text: str) -> dict[str, Any]:
    if not text:
        return {}
    import tomllib  # most users have no settings

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Usage(say("fault.bad_settings", path=file(), why=error)) from None


def _check(text: str, name: str, value: Any, wanted: type) -> None:
    if type(value) is wanted:
        return
    pattern = re.compile(rf"\s*\[?\s*[\"']?{re.escape(name)}[\"']?\s*[]=.]")
    line = next((n for n, each in enumerate(text.splitlines(), 1) if pattern.match(each)), 1)
    raise Usage(say("fault.setting", path=file(), line=line, name=name, wanted=wanted.__name__))
