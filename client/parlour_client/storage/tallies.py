"""Tallies of the matches that this user has finished at their own table, by game: best times, streaks, last matches."""

import contextlib
import time
from pathlib import Path

import msgspec
from platformdirs import user_state_path

from parlour_games.tally import Finish, Tally
from parlour_protocol.messages import ProfileRow


def tallies(folder: Path | None = None) -> dict[str, Tally]:
    """Return the tallies by game; none if the file cannot be read."""
    try:
        return msgspec.json.decode(_file(folder).read_bytes(), type=dict[str, Tally])
    except (OSError, msgspec.MsgspecError):
        return {}


def rows() -> list[ProfileRow]:
    """Return the profile of this user's own table, a row for each game."""
    now = int(time.time())
    return [msgspec.convert(tally.row(game, now), ProfileRow) for game, tally in sorted(tallies().items())]


def count(game: str, finish: Finish, folder: Path | None = None) -> Tally:
    """Count a match that has ended now and return the tally of its game. A file that cannot be written is ignored."""
    finish.at = int(time.time())
    found = tallies(folder)
    tally = found.setdefault(game, Tally())
    tally.add(finish)
    path = _file(folder)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.write_bytes(msgspec.json.encode(found))
        fresh.replace(path)
    return tally


def _file(folder: Path | None) -> Path:
    return (folder or user_state_path("parlour")) / "tallies.json"
