"""The law about the words of a game: its phrases can be said, are used, and tell what differs."""

import json
from collections.abc import Iterator
from typing import Any

import attrs

from parlour_bots.laws.match import MatchPosition, RandomMatch, Viewer
from parlour_client.core.phrases import Phrases
from parlour_client.core.room import JoinedRoom
from parlour_client.text.actions import cell_names
from parlour_client.text.base import known
from parlour_client.text.shapes import NO_WORDS, formats_of
from parlour_games.game import Plain
from parlour_games.options import options_of
from parlour_games.registry import AnyGame
from parlour_protocol.phrases import FALLBACK, LANGUAGES, table

_FREE = ("refusal", "value", "view", "manual", "key", "page")
"""What phrases are about that nothing in the game declares."""


def words(match: RandomMatch) -> None:
    """Phrases can be said, belong to something in the game, and differ for actions that differ."""
    game = match.game
    if not game.phrases or known(game.name):  # a game that brings its own lines has phrases of its own kind
        return
    tables = [(f"{language}.json", phrases) for language, phrases in _tables(MatchPosition(match), game.phrases)]
    for position in match.looks():
        for viewer in position.some_viewers():
            room = _room(position, viewer)
            for file, phrases in tables:
                _check_said(position, room, file, phrases)
                _check_actions(position, room, file, phrases)


def _tables(position: MatchPosition, package: str) -> Iterator[tuple[str, Phrases]]:
    """Yield the phrases in each language. Raises Violation, with all that is wrong whatever happens in a match."""
    faults: list[str] = []
    found: list[tuple[str, Phrases]] = []
    first: dict[str, Any] = {}
    for language in LANGUAGES:
        try:
            own = table(package, language)
        except ValueError as error:
            raise position.broken(f"{language}.json is not JSON: {error}") from None
        phrases = Phrases()
        phrases.use(language)
        phrases.add(package)
        found.append((language, phrases))
        faults += _faults(position, language, phrases, [key for key in own if own[key] != first.get(key)])
        first = first or own
    missing = (f"{position.game.name}.event.{event.e}" for event in position.game.Events)  # type: ignore[attr-defined]
    faults += [f"{FALLBACK}.json: {key} is missing" for key in missing if key not in first]
    if faults:
        raise position.broken("\n".join(faults))
    yield from found


def _faults(position: MatchPosition, language: str, phrases: Phrases, keys: list[str]) -> Iterator[str]:
    formats = formats_of(_room(position, None))
    for key in keys:
        if not _belongs(position.game, key):
            yield f"{language}.json: {key} matches nothing in the game"
        elif (fault := phrases.fault(key, formats)) is not None:
            yield f"{language}.json: {key}: {fault}"


def _belongs(game: AnyGame, key: str) -> bool:
    """Return whether clients look for ``key``, as far as the declarations of the game tell."""
    name, about, *rest = [*key.split(".", 2), "", ""][:3]
    what, _, part = rest[0].partition(".")
    if name != game.name:
        return False
    match about:
        case "name" | "summary":
            return not what
        case "event":
            return not part and what in [event.e for event in game.Events]  # type: ignore[attr-defined]
        case "act":
            fields = {cls.do: [*attrs.fields_dict(cls)] for cls in game.Actions}  # type: ignore[arg-type]
            return what in fields and (not part or part in fields[what])
        case "option":
            options = {option.name: option for option in options_of(game)}
            return what in options and part in ("", "means", *map(str, options[what].choices or ()))
    return about in _FREE and bool(what)


def _room(position: MatchPosition, viewer: Viewer) -> JoinedRoom:
    """Return the table as a client of ``viewer`` sees it."""
    seats = [{"seat": seat, "name": f"player {seat}"} for seat in range(position.match.seats)]
    table: Any = {"seats": seats, "state": "playing", "options": attrs.asdict(position.match.options)}
    view = json.loads(json.dumps(position.view(viewer)))
    return JoinedRoom("", position.game.name, viewer, table, view, position.told(viewer), [], {}, [])


def _check_said(position: MatchPosition, room: JoinedRoom, file: str, phrases: Phrases) -> None:
    """The events of the last step can be said, and so can the fields of the view that have a sentence."""
    for event in room.events:
        _said(position, room, file, phrases, f"event.{event['e']}", {**event, **cell_names(room, event)})
    for field, value in (room.view or {}).items():
        key = f"{room.game}.view.{field}"
        if key in phrases and phrases.has_places(key):
            fields = {**(value if isinstance(value, dict) else {}), "value": value}
            _said(position, room, file, phrases, f"view.{field}", fields)


def _check_actions(position: MatchPosition, room: JoinedRoom, file: str, phrases: Phrases) -> None:
    """The listed actions of a decision have words, each its own."""
    for decision in position.decisions():
        if decision.seat != room.seat:
            continue
        told: dict[str, Plain] = {}
        for action in position.legal(decision):
            key = f"act.{action['do']}"
            if f"{room.game}.{key}" not in phrases:
                raise position.broken(f"{file}: {room.game}.{key} is missing: seat {room.seat} can do {action}")
            words = _said(position, room, file, phrases, key, {**action, **cell_names(room, action)})
            if told.setdefault(words, action) is not action:
                raise position.broken(
                    f"{file}: {room.game}.{key} says {words!r} of {told[words]} and of {action}: name what differs"
                )


def _said(position: MatchPosition, room: JoinedRoom, file: str, phrases: Phrases, key: str, fields: Plain) -> str:
    """Return a phrase of the game. Raises Violation if it does not fit the fields."""
    try:
        return phrases.say(f"{room.game}.{key}", fields, formats_of(room))
    except NO_WORDS as error:
        raise position.broken(f"{file}: {room.game}.{key} does not fit {fields}: {error}") from None
