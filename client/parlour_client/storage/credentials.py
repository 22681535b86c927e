"""What a person comes back with: the key of a name, and for each name on each server the token of the last welcome.

A token brings back to the seats that a closed terminal has left. Two terminals with one token would throw each other
out, so name and server are held by one living process; in another terminal a guessed name becomes ``name-2``, as it
does when somebody else has it.
"""

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import attrs
from platformdirs import user_state_path

from parlour_client.core.errors import Usage
from parlour_client.core.session import Session
from parlour_client.core.url import normalise_url
from parlour_client.storage import keys, private_files
from parlour_protocol.messages import Create, Join, Kind


class InUse(Usage):
    """Another living process is on that server under that name."""


@attrs.define
class Credentials:
    """What proves a name on a server."""

    name: str
    key: str | None = attrs.field(default=None, repr=False)
    token: str | None = attrs.field(default=None, repr=False)
    file: Path | None = None
    """Where the token is kept, if it is."""

    def keep(self, token: str | None) -> None:
        """Keep the token for the next time; None: the last one was refused."""
        self.token = token
        if self.file is None:
            return
        with contextlib.suppress(OSError):  # a full disk must not end a match: an older token is refused, no more
            if token is None:
                self.file.unlink(missing_ok=True)
            else:
                private_files.write(self.file, json.dumps({"name": self.name, "token": token}) + "\n")

    def session(self, enter: Join | Create, key: str | None = None) -> Session:
        """Return a talk that greets with these, to ``enter`` a room; ``key`` outweighs the one that is kept."""
        key = key or self.key
        return Session(self.name, entropy=os.urandom, token=self.token, key=key, only=enter, on_token=self.keep)


@contextmanager
def held(server: str, name: str, *, keep: bool = True, kind: Kind = "human") -> Iterator[Credentials]:
    """Hold what is kept for ``name`` on ``server``, nothing without ``keep``. Raises InUse, and Usage.

    A bot is somebody else than a person of the same name, and has no key but the one that it is given. Where nothing
    can be written, nothing is kept, and that is all.
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
                raise InUse(
                    f"{name} is on that server in another terminal of yours. Go on there, or take another --name"
                )
            mine.token = _token(mine.file)
        yield mine


def in_use(server: str, name: str) -> bool:
    """Whether another living process is on that server under that name."""
    with (
        contextlib.suppress(OSError, Usage),
        private_files.locked(token_file(server, name).with_suffix(".lock")) as free,
    ):
        return not free
    return False


def in_order(server: str, names: Sequence[str]) -> list[str]:
    """Return ``names`` in the order in which to try them: first those by which the server may know us."""
    mine = {name.lower() for name in keys.kept()}
    return sorted(names, key=lambda name: name.lower() not in mine and not token_file(server, name).exists())


def token_file(server: str, name: str, kind: Kind = "human") -> Path:
    """Return where the token of ``name`` on ``server`` is kept: both are hashed, since they may be anything."""
    whose = f"{normalise_url(server)}\n{name.lower()}" + ("" if kind == "human" else f"\n{kind}")
    place = sha256(whose.encode()).hexdigest()[:32]
    return user_state_path("parlour", appauthor=False) / "tokens" / f"{place}.json"


def _token(file: Path) -> str | None:
    try:
        return str(json.loads(private_files.read(file) or "")["token"])
    except (ValueError, TypeError, KeyError):  # nothing there, or nothing of ours
        return None
