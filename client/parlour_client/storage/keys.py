"""The user's keys in ``identities.toml``: each line is ``name = "key"``.

A key proves a name on every server, and every server that the user joins under the name learns it. Anyone with the key
can use the name, so an untrusted server should see another one.
"""

import re
import secrets
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from platformdirs import user_config_path

from parlour_client.core.errors import Usage, writing
from parlour_client.core.phrases import say
from parlour_client.storage import private_files
from parlour_protocol import names

_HEAD = "# Anyone with a key can play under its name. See: parlour identity --help\n"
_KEY = re.compile(r"[A-Za-z0-9+/=_.~-]{32,128}")


def file() -> Path:
    """Return the path of the keys."""
    return user_config_path("parlour", appauthor=False) / "identities.toml"


def kept() -> dict[str, str]:
    """Return name → key for all stored identities. Raises Usage."""
    try:
        found = tomllib.loads(private_files.read(file()) or "")
    except tomllib.TOMLDecodeError:
        raise _damaged() from None
    if not all(names.is_name(name) and isinstance(key, str) and _KEY.fullmatch(key) for name, key in found.items()):
        raise _damaged()
    return found


def key_of(name: str) -> str | None:
    """Return the key of ``name``, ignoring case. Raises Usage."""
    found = kept()
    known = _known(found, name)
    return None if known is None else found[known]


def make(name: str) -> bool:
    """Create and store a key for ``name``. Returns False if it already has one, which stays. Raises Usage."""
    check_name(name)
    with _changing() as found:
        if _known(found, name) is not None:
            return False
        found[name] = secrets.token_hex(32)
    return True


def add(name: str, key: str) -> None:
    """Store the ``key`` of ``name`` from another device. Raises Usage, also if a different one is stored."""
    check_name(name)
    if not _KEY.fullmatch(key):
        raise Usage(say("fault.no_key_text"))
    with _changing() as found:
        known = _known(found, name)
        if known is not None and found[known] != key:
            raise Usage(say("fault.other_key", name=known))
        found.setdefault(known or name, key)


def forget(name: str) -> None:
    """Remove the key of ``name``. Raises Usage."""
    with _changing() as found:
        known = _known(found, name)
        if known is None:
            raise unknown(name)
        del found[known]


def unknown(name: str) -> Usage:
    """Return the fault for a name without a key."""
    return Usage(say("fault.no_key", said=ascii(name[:40])))


def _known(found: dict[str, str], name: str) -> str | None:
    return next((known for known in found if known.lower() == name.lower()), None)


def check_name(name: str) -> None:
    """Raise Usage if ``name`` is not a valid name."""
    try:
        names.check(name)
    except names.NoName as error:
        raise Usage(f"{name[:40]!r} is not a name: it {error}") from None


@contextmanager
def _changing() -> Iterator[dict[str, str]]:
    """Yield the keys, and write them back if changed, with the file locked. Raises Usage."""
    import tomlkit  # only identities that change are written

    path = file()
    with writing(path), private_files.locked(path.with_suffix(".lock"), wait=True):
        found = kept()
        before = dict(found)
        yield found
        if found != before:
            private_files.write(path, _HEAD + tomlkit.dumps(found))


def _damaged() -> Usage:
    return Usage(say("fault.bad_keys", path=file()))
