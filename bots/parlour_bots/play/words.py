"""A turn as text, for programs and language models, and the answers that they write."""

from typing import Any

import attrs

from parlour_bots.errors import BadChoice
from parlour_bots.sdk import Answer, Turn
from parlour_client.core.room import JoinedRoom, Question
from parlour_client.text.base import UnclearInput, event_lines
from parlour_client.text.text_view import answer, text_view
from parlour_protocol.messages import Plain

_TABLE: Any = {"state": "playing", "seats": [], "hints": True}


def text_of(turn: Turn) -> str:
    """Return the turn in words: what has happened, what is on the table, and the numbered answers."""
    room = _room(turn)
    return text_view(room, event_lines(room))


def answer_to(turn: Turn, text: str) -> Answer:
    """Return the answer that ``text`` gives: a number of the list, words, or an action as JSON. Raises BadChoice."""
    try:
        choice = answer(_room(turn), text)
    except UnclearInput as unclear:
        raise BadChoice(str(unclear)) from None
    if isinstance(choice, dict) and turn.legal and _given(choice) not in turn.legal:
        raise BadChoice(f"{text[:80]!r} is not possible now: choose a number from 0 to {len(turn.legal) - 1}")
    return choice


def _given(action: Plain) -> Plain:
    return {name: value for name, value in action.items() if value is not None and value is not False}


def _room(turn: Turn) -> JoinedRoom:
    """Return the table of a turn as a client sees it; players are known by their seats."""
    table: Any = {**_TABLE, "options": turn.options}
    room = JoinedRoom(turn.room, turn.game, turn.seat, table, turn.view, turn.events, [], {}, [])
    return attrs.evolve(room, question=Question(turn.rid, turn.legal, turn.left))
