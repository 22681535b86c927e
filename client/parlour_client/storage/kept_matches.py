"""The unfinished matches of the player's own table: one of each game, with the store of its server."""

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import attrs
import msgspec

from parlour_client.core.errors import Usage
from parlour_client.storage import history, private_files


@attrs.frozen
class KeptMatch:
    """What is needed to continue a match: the player, the bots, and the room. ``about``: the match in a few words."""

    game: str
    name: str
    secret: str
    """The keys of all who play follow from it."""
    bots: list[str]
    """As they were named, in the order of their seats."""
    pace: float
    room: str = ""
    about: str = ""
    helped: bool = False
    """Whether odds were shown."""

    def key_of(self, name: str) -> str:
        """Return the key that reserves a name on the server."""
        return sha256(f"{self.secret}/{name}".encode()).hexdigest()


def _file(game: str, ending: str) -> Path:
    return history.usual_folder() / "matches" / f"{game}.{ending}"


def store(game: str) -> Path:
    """Return the file of the store."""
    return _file(game, "db")


@contextmanager
def reserved(game: str) -> Iterator[bool]:
    """Yield whether no other process plays a match of ``game`` that is kept; none does while in the context."""
    try:
        with private_files.locked(_file(game, "lock")) as free:
            yield free
    except OSError:
        yield False


def found() -> list[KeptMatch]:
    """Return the matches that can be continued, by game: no other process plays them now."""
    matches = []
    for path in sorted(_file("", "json").parent.glob("*.json")):
        with contextlib.suppress(msgspec.MsgspecError, Usage):  # another format, or not ours
            match = msgspec.json.decode(private_files.read(path) or "", type=KeptMatch)
            with reserved(match.game) as free:
                if free and store(match.game).exists():
                    matches.append(match)
    return matches


def keep(match: KeptMatch) -> None:
    """Store ``match``. A file that cannot be written is ignored."""
    with contextlib.suppress(OSError):
        private_files.write(_file(match.game, "json"), f"{msgspec.json.encode(match).decode()}\n")


def drop(game: str) -> None:
    """Forget the match of ``game``."""
    with contextlib.suppress(OSError):
        _file(game, "json").unlink(missing_ok=True)


def empty_store(game: str) -> Path:
    """Return the file of the store for another match, after deleting that of the match before."""
    drop(game)
    file = store(game)
    private_files.make_folder(file.parent)
    for path in file.parent.glob(f"{game}.db*"):
        path.unlink()
    return file
