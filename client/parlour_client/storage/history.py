"""What this user has done: recent servers, the last name, the seat to return to, and tallies of finished matches.

Servers are stored as URLs, one per line, latest first. The seat is stored from taking it until it is given up, so that
it survives a crash.
"""

import contextlib
import json
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


def recent(folder: Path | None = None) -> list[str]:
    """Return the URLs of recent servers; none if the file cannot be read."""
    try:
        return _file(folder, "servers.txt").read_text(encoding="utf-8").split()[:KEPT]
    except (OSError, UnicodeDecodeError):
        return []


def remember(url: str, folder: Path | None = None) -> None:
    """Put ``url`` first. A file that cannot be written is ignored."""
    urls = [url, *(known for known in recent(folder) if known != url)][:KEPT]
    _write(_file(folder, "servers.txt"), "".join(f"{each}\n" for each in urls))


def name(folder: Path | None = None) -> str:
    """Return the name last used on the start screen, "" if the file cannot be read."""
    try:
        found = _file(folder, "name.txt").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return found if is_name(found) else ""


def call(me: str, folder: Path | None = None) -> None:
    """Store ``me`` as the last name, if it is valid. A file that cannot be written is ignored."""
    if is_name(me) and me != name(folder):
        _write(_file(folder, "name.txt"), f"{me}\n")


def seat(folder: Path | None = None) -> HeldSeat | None:
    """Return the seat to return to; None if there is none, or another process of this user is in it."""
    try:
        found = HeldSeat(**json.loads(_file(folder, "seat.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):  # no such file, or another format
        return None
    whole = all(isinstance(text, str) for text in (found.url, found.room, found.name)) and found.hosted in (True, False)
    return found if whole and not credentials.in_use(found.url, found.name) else None


def sit(seat: HeldSeat, folder: Path | None = None) -> None:
    """Store ``seat``. A file that cannot be written is ignored."""
    path, text = _file(folder, "seat.json"), json.dumps(attrs.asdict(seat)) + "\n"
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if path.read_text(encoding="utf-8") == text:
            return
    _write(path, text)


def stand_up(folder: Path | None = None) -> None:
    """Remove the stored seat, which was given up or lost."""
    with contextlib.suppress(OSError):
        _file(folder, "seat.json").unlink(missing_ok=True)


def _write(path: Path, text: str) -> None:
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def _file(folder: Path | None, name: str) -> Path:
    return (folder or usual_folder()) / name


def tallies(folder: Path | None = None) -> dict[str, Tally]:
    """Return the tallies by game; none if the file cannot be read."""
    try:
        return msgspec.json.decode(_tallies_file(folder).read_bytes(), type=dict[str, Tally])
    except (OSError, msgspec.MsgspecError):
        return {}


def tally_rows() -> list[ProfileRow]:
    """Return the profile of this user's own table, a row for each game."""
    now = int(time.time())
    return [msgspec.convert(tally.row(game, now), ProfileRow) for game, tally in sorted(tallies().items())]


def count_match(game: str, finish: Finish, folder: Path | None = None) -> Tally:
    """Count a match that has ended now and return the tally of its game. A file that cannot be written is ignored."""
    finish.at = int(time.time())
    found = tallies(folder)
    tally = found.setdefault(game, Tally())
    tally.add(finish)
    path = _tallies_file(folder)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.write_bytes(msgspec.json.encode(found))
        fresh.replace(path)
    return tally


def _tallies_file(folder: Path | None) -> Path:
    return (folder or usual_folder()) / "tallies.json"
