"""The words for a game: its own phrases where it has some, otherwise the names that its data uses.

The keys are ``GAME.name``, ``GAME.event.E``, ``GAME.act.DO``, ``GAME.act.DO.FIELD``, ``GAME.view.FIELD``,
``GAME.view.FIELD.KEY``, ``GAME.value.TEXT``. An empty phrase hides a field or an event. One for a field of the view
names it, or is a sentence if it has places.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from parlour_client.core.phrases import Format, phrases, say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import add_words, player_of

NO_WORDS = (LookupError, TypeError, ValueError, RuntimeError)
"""The errors of a phrase of a foreign game: a missing field, an unknown format, a broken template."""
SEATS = ("seat", "player", "turn", "winner", "loser", "dealer", "leader", "starter", "by", "of", "target", "asked")
"""Fields whose numbers are seats."""
_LONGEST = 400
_NONE: Mapping[str, Any] = {}


def own(room: JoinedRoom, key: str, fields: Mapping[str, Any]) -> str | None:
    """Return the phrase ``key`` of the room's game, None if it has none that fits."""
    player = player_of(room)
    return phrase(room.game, key, fields, {"player": player, "players": partial(_players, player), "list": _listed})


def phrase(game: str, key: str, fields: Mapping[str, Any] = _NONE, formats: Mapping[str, Format] = _NONE) -> str | None:
    """Return the phrase ``key`` of ``game``, None if it has none that fits."""
    add_words(game)
    try:
        return say(whole, fields, formats) if (whole := f"{game}.{key}") in phrases else None
    except NO_WORDS:
        return None


def spaced(name: object) -> str:
    """Return a name of a field as words."""
    return str(name).replace("_", " ").strip()


def heading(room: JoinedRoom, field: str, key: str = "") -> str:
    """Return the name of a field of the view, or of a key of the map in it; empty for one that is not shown."""
    found = own(room, f"view.{field}.{key}" if key else f"view.{field}", {})
    return spaced(key or field) if found is None else found


def sentence(room: JoinedRoom, field: str, value: Any) -> str | None:
    """Return what the game says of a field with this value, None if it only has a name for it.

    The sentence has places for ``value``, and for the keys of a map.
    """
    add_words(room.game)
    key = f"{room.game}.view.{field}"
    if key not in phrases or not _has_places(key):
        return None
    return own(room, f"view.{field}", {**(value if isinstance(value, dict) else {}), "value": value})


def shown(room: JoinedRoom, value: Any, field: str = "") -> str:
    """Return a value of the view, an event or an action in words."""
    match value:
        case None:
            return "–"
        case bool():
            return say("tui.yes" if value else "tui.no")
        case int() if field in SEATS and is_seat(room, value):
            return player_of(room)(value)[0]
        case str():
            return value if (found := own(room, f"value.{value}", {})) is None else found
        case list():
            between = "; " if any(isinstance(each, list | dict) for each in value) else ", "
            return between.join(shown(room, each, field) for each in value)[:_LONGEST] or "–"
        case dict():
            parts = (f"{spaced(name)} {shown(room, each, name)}" for name, each in value.items())
            return ", ".join(parts)[:_LONGEST] or "–"
    return str(value)


def is_seat(room: JoinedRoom, number: int) -> bool:
    """Return whether a player sits at seat ``number``."""
    return any(row["seat"] == number for row in room.table["seats"])


def seats(room: JoinedRoom) -> int:
    """Return how many seats the match has."""
    return 1 + max((row["seat"] for row in room.table["seats"]), default=-1)


def _has_places(key: str) -> bool:
    try:
        return phrases.has_places(key)
    except NO_WORDS:
        return False


def _players(player: Format, seats: Any) -> tuple[str, ...]:
    return _listed([player(seat)[0] for seat in seats])


def _listed(value: Any) -> tuple[str, ...]:
    words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return (words, "other") if words else ("", "none")
