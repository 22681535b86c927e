"""The keys of the names that are yours, in one file: ``name = "key"`` a line, as TOML.

A key belongs to a name and works on every server that you join under it, so each of them learns it. Whoever has a
key can come as you: on a server that you do not trust, use another name.
"""

import re
import secrets
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from platformdirs import user_config_path

from parlour_client.core.errors import Usage
from parlour_client.storage import private_files

_HEAD = "# Whoever has a key can play under its name. More: parlour identity --help\n"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,19}")
_KEY = re.compile(r"[A-Za-z0-9+/=_.~-]{32,128}")


def file() -> Path:
    """Return where the keys are."""
    return user_config_path("parlour", appauthor=False) / "identities.toml"


def kept() -> dict[str, str]:
    """Return name → key of all identities that are kept here. Raises Usage."""
    try:
        found = tomllib.loads(private_files.read(file()) or "")
    except tomllib.TOMLDecodeError:
        raise _damaged() from None
    if not all(_NAME.fullmatch(name) and isinstance(key, str) and _KEY.fullmatch(key) for name, key in found.items()):
        raise _damaged()
    return found


def key_of(name: str) -> str | None:
    """Return the key that belongs to ``name``, whatever its letter case. Raises Usage."""
    return next((key for known, key in kept().items() if known.lower() == name.lower()), None)


def make(name: str) -> bool:
    """Keep a new key for ``name``. Returns False if it has one, which stays. Raises Usage."""
    check_name(name)
    with _changing() as found:
        if _known(found, name) is not None:
            return False
        found[name] = secrets.token_hex(32)
    return True


def add(name: str, key: str) -> None:
    """Keep the ``key`` of ``name``, brought from elsewhere. Raises Usage, also if another one is kept."""
    check_name(name)
    if not _KEY.fullmatch(key):
        raise Usage("that is not a key: 32 to 128 letters, digits and any of + / = _ . ~ -")
    with _changing() as found:
        known = _known(found, name)
        if known is not None and found[known] != key:
            raise Usage(f"{known} has another key here. If you do not need that: parlour identity --forget {known}")
        found.setdefault(known or name, key)


def forget(name: str) -> None:
    """Keep the key of ``name`` no longer. Raises Usage."""
    with _changing() as found:
        known = _known(found, name)
        if known is None:
            raise unknown(name)
        del found[known]


def unknown(name: str) -> Usage:
    """Return what to say of a name that has no key here."""
    return Usage(f"no key is kept here for {name[:40]!a}. Those that are: parlour identity --list")


def _known(found: dict[str, str], name: str) -> str | None:
    return next((known for known in found if known.lower() == name.lower()), None)


def check_name(name: str) -> None:
    """Raise Usage if ``name`` cannot be one."""
    if not _NAME.fullmatch(name):
        raise Usage(f"{name[:40]!r} is not a name: 1 to 20 letters a-z or A-Z, digits, - or _, first a letter or digit")


@contextmanager
def _changing() -> Iterator[dict[str, str]]:
    """Change the file's content, one process at a time. Raises Usage."""
    path = file()
    try:
        with private_files.locked(path.with_suffix(".lock"), wait=True):
            found = kept()
            before = dict(found)
            yield found
            if found != before:
                private_files.write(path, _HEAD + "".join(f'{name} = "{key}"\n' for name, key in found.items()))
    except OSError as error:
        raise Usage(f"{path} cannot be written: {error.strerror}") from None


def _damaged() -> Usage:
    return Usage(f'{file()} cannot be understood: there has to be name = "key" on each line. Mend it, or move it away')
