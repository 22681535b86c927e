"""Where a person lately was, and under which name: the servers, and the seat to which there is a way back.

The servers are a file of URLs, one a line, the latest first. The seat is kept from sitting down until it is given up,
so that it is there after a crash.
"""

import contextlib
import json
import re
from pathlib import Path

import attrs
from platformdirs import user_state_path

from parlour_client.storage import credentials

KEPT = 5
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,19}")
"""What can be a name."""


@attrs.frozen
class Seat:
    """A seat that has not been given up: the server, the room's code, the name.

    ``hosted``: the server was one of our own.
    """

    url: str
    room: str
    name: str
    hosted: bool = False


def recent(folder: Path | None = None) -> list[str]:
    """Return the URLs of the servers that were lately visited; none if there is no such file to be read."""
    try:
        return _file(folder, "servers.txt").read_text(encoding="utf-8").split()[:KEPT]
    except (OSError, UnicodeDecodeError):
        return []


def remember(url: str, folder: Path | None = None) -> None:
    """Put ``url`` first. If that cannot be written, nothing is remembered."""
    urls = [url, *(known for known in recent(folder) if known != url)][:KEPT]
    _write(_file(folder, "servers.txt"), "".join(f"{each}\n" for each in urls))


def name(folder: Path | None = None) -> str:
    """Return the name last used from the start screen, "" if there is none to be read."""
    try:
        found = _file(folder, "name.txt").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return found if NAME.fullmatch(found) else ""


def call(me: str, folder: Path | None = None) -> None:
    """Keep ``me`` as the name, if it can be one. If that cannot be written, it is not kept."""
    if NAME.fullmatch(me) and me != name(folder):
        _write(_file(folder, "name.txt"), f"{me}\n")


def seat(folder: Path | None = None) -> Seat | None:
    """Return the seat that was not given up, None if there is none, or another terminal of ours sits there."""
    try:
        found = Seat(**json.loads(_file(folder, "seat.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):  # nothing there, or nothing of ours
        return None
    whole = all(isinstance(text, str) for text in (found.url, found.room, found.name)) and found.hosted in (True, False)
    return found if whole and not credentials.in_use(found.url, found.name) else None


def sit(seat: Seat, folder: Path | None = None) -> None:
    """Keep the way to ``seat``. If that cannot be written, it is not kept."""
    path, text = _file(folder, "seat.json"), json.dumps(attrs.asdict(seat)) + "\n"
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if path.read_text(encoding="utf-8") == text:
            return
    _write(path, text)


def stand_up(folder: Path | None = None) -> None:
    """Forget the seat: it was given up, or lost."""
    with contextlib.suppress(OSError):
        _file(folder, "seat.json").unlink(missing_ok=True)


def _write(path: Path, text: str) -> None:
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _file(folder: Path | None, name: str) -> Path:
    return (folder or user_state_path("parlour")) / name
