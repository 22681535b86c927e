"""Credentials: the key of a name, and for each name on each server the session token of the last welcome.

A token returns a player to the seats that a closed terminal has left. Two processes with the same token would
disconnect each other, so one process locks name and server; a second one with a guessed name becomes ``name-2``, as if
another player had the name.

Also a server's admin token: from the command line, the environment, or the default file of a server on this machine.
"""

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import attrs
from platformdirs import user_data_path, user_state_path

from parlour_client.core.errors import Usage
from parlour_client.core.phrases import say
from parlour_client.core.session import Session
from parlour_client.core.url import is_loopback, normalise_url
from parlour_client.storage import keys, private_files
from parlour_protocol.messages import Create, Daily, Join, Kind


class InUse(Usage):
    """Another process is on that server under that name."""


@attrs.define
class Credentials:
    """The proof of a name on a server: a key, a token, or both."""

    name: str
    key: str | None = attrs.field(default=None, repr=False)
    token: str | None = attrs.field(default=None, repr=False)
    file: Path | None = None
    """The place where the token is stored, if it is."""

    def keep(self, token: str | None) -> None:
        """Store the token for next time; None removes one that was refused."""
        self.token = token
        if self.file is None:
            return
        with contextlib.suppress(OSError):  # a full disk must not end a match: an old token is only refused
            if token is None:
                self.file.unlink(missing_ok=True)
            else:
                private_files.write(self.file, json.dumps({"name": self.name, "token": token}) + "\n")

    def session(self, enter: Join | Create | Daily | None, key: str | None = None) -> Session:
        """Return a session that says hello with these to ``enter`` a room, None: all rooms in which it has a seat.

        ``key`` replaces the stored one.
        """
        key = key or self.key
        return Session(self.name, entropy=os.urandom, token=self.token, key=key, only=enter, on_token=self.keep)


@contextmanager
def held(server: str, name: str, *, keep: bool = True, kind: Kind = "human") -> Iterator[Credentials]:
    """Lock and yield the credentials of ``name`` on ``server``; empty ones without ``keep``. Raises InUse and Usage.

    A bot and a person of the same name have separate credentials, and a bot uses no stored key. If files cannot be
    written, nothing is stored.
    """
    if not keep:
        yield Credentials(name)
        return
    key = keys.key_of(name) if kind == "human" else None
    mine = Credentials(name, key, file=token_file(server, name, kind))
    assert mine.file is not None
    with contextlib.ExitStack() as stack:
        try:
            free = stack.enter_context(private_files.locked(mine.file.with_suffix(".lock")))
        except OSError:
            mine.file = None
        else:
            if not free:
                raise InUse(say("fault.in_use", name=name))
            mine.token = _token(mine.file)
        yield mine


def in_use(server: str, name: str) -> bool:
    """Return whether another process is on that server under that name."""
    with (
        contextlib.suppress(OSError, Usage),
        private_files.locked(token_file(server, name).with_suffix(".lock")) as free,
    ):
        return not free
    return False


def in_order(server: str, names: Sequence[str]) -> list[str]:
    """Return ``names`` in the order to try them: those with stored credentials first."""
    mine = {name.lower() for name in keys.kept()}
    return sorted(names, key=lambda name: name.lower() not in mine and not token_file(server, name).exists())


def token_file(server: str, name: str, kind: Kind = "human") -> Path:
    """Return the path of the token of ``name`` on ``server``. Both are hashed, since they may hold any character."""
    whose = f"{normalise_url(server).rstrip('/')}\n{name.lower()}" + ("" if kind == "human" else f"\n{kind}")
    place = sha256(whose.encode()).hexdigest()[:32]
    return user_state_path("parlour", appauthor=False) / "tokens" / f"{place}.json"


def _token(file: Path) -> str | None:
    try:
        return str(json.loads(private_files.read(file) or "")["token"])
    except (ValueError, TypeError, KeyError):  # no such file, or another format
        return None


ADMIN_VARIABLE = "PARLOUR_ADMIN"


@attrs.frozen
class AdminToken:
    """A server's admin token, and where it was found."""

    token: str = attrs.field(repr=False)
    source: str


def admin_token_file() -> Path:
    """Return where a server on this machine stores its admin token, if it uses the default store."""
    return user_data_path("parlour", appauthor=False) / "parlour.admin"


def find_admin_token(server: str, token: str | None, file: Path | None) -> AdminToken:
    """Return the admin token for ``server``. Raises Usage.

    The token in the default file is never sent to a remote server.
    """
    if token:
        return AdminToken(token, "--token")
    if file is None and (known := os.environ.get(ADMIN_VARIABLE)):
        return AdminToken(known, ADMIN_VARIABLE)
    if file is None and not is_loopback(normalise_url(server)):
        raise Usage(say("fault.admin_elsewhere", server=server, variable=ADMIN_VARIABLE))
    path = file or admin_token_file()
    try:
        return AdminToken(path.read_text(encoding="utf-8").strip(), str(path))
    except UnicodeDecodeError:
        reason = say("fault.text_only")
    except OSError as error:
        reason = error.strerror or type(error).__name__
    raise Usage(say("fault.admin_unread", path=path, why=reason))
