"""What this user has done: recent servers, the last name, the seat to return to, and tallies of finished matches.

Servers are stored as URLs, one per line, latest first. The seat is stored from taking it until it is given up, so that
it survives a crash. Files that cannot be read are as good as none, and those that cannot be written are left out.
"""

import contextlib
import time
from pathlib import Path

import attrs
import msgspec
from platformdirs import user_state_path

from parlour_client.storage import credentials
from parlour_games.statistics import Finish, Tally
from parlour_protocol.messages import ProfileRow
from parlour_protocol.names import is_name

KEPT = 5


@attrs.frozen
class HeldSeat:
    """A seat that the player has not given up. ``hosted``: the server was started by this client."""

    url: str
    room: str
    name: str
    hosted: bool = False


def usual_folder() -> Path:
    """Return the folder of these files."""
    return user_state_path("parlour")


def recent() -> list[str]:
    """Return the URLs of recent servers."""
    return _read("servers.txt").decode(errors="replace").split()[:KEPT]


def remember(url: str) -> None:
    """Put ``url`` first."""
    urls = [url, *(known for known in recent() if known != url)][:KEPT]
    _write("servers.txt", "".join(f"{each}\n" for each in urls).encode())


def name() -> str:
    """Return the name last used on the start screen, "" if there is none."""
    found = _read("name.txt").decode(errors="replace").strip()
    return found if is_name(found) else ""


def call(me: str) -> None:
    """Store ``me`` as the last name, if it is valid."""
    if is_name(me):
        _write("name.txt", f"{me}\n".encode())


def seat() -> HeldSeat | None:
    """Return the seat to return to; None if there is none, or another process of this user is in it."""
    try:
        found = msgspec.json.decode(_read("seat.json"), type=HeldSeat)
    except msgspec.MsgspecError:
        return None
    return None if credentials.in_use(found.url, found.name) else found


def sit(seat: HeldSeat) -> None:
    """Store ``seat``."""
    _write("seat.json", msgspec.json.encode(seat) + b"\n")


def stand_up() -> None:
    """Remove the stored seat, which was given up or lost."""
    with contextlib.suppress(OSError):
        (usual_folder() / "seat.json").unlink(missing_ok=True)


def tallies() -> dict[str, Tally]:
    """Return the tallies by game."""
    try:
        return msgspec.json.decode(_read("tallies.json"), type=dict[str, Tally])
    except msgspec.MsgspecError:
        return {}


def tally_rows() -> list[ProfileRow]:
    """Return the profile of this user's own table, a row for each game."""
    now = int(time.time())
    return [msgspec.convert(tally.row(game, now), ProfileRow) for game, tally in sorted(tallies().items())]


def count_match(game: str, finish: Finish) -> Tally:
    """Count a match that has ended now and return the tally of its game."""
    finish.at = int(time.time())
    found = tallies()
    tally = found.setdefault(game, Tally())
    tally.add(finish)
    _write("tallies.json", msgspec.json.encode(found))
    return tally


def _read(name: str) -> bytes:
    try:
        return (usual_folder() / name).read_bytes()
    except OSError:
        return b""


def _write(name: str, content: bytes) -> None:
    """Replace a file, unless it has this content: the old one stays if the disk is full."""
    path = usual_folder() / name
    with contextlib.suppress(OSError):
        if content != _read(name):
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh = path.with_suffix(".new")
            fresh.write_bytes(content)
            fresh.replace(path)
