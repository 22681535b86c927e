"""Resolve commit conflicts: split the failed batches into those to discard and those to retry.

A batch comes from one input and is stored as a whole or not at all. Later batches about the same rooms, people and
contests build on it, so they are discarded with it.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from parlour_server import effects, persistence
from parlour_server.store.base import Conflict

Batches = list[Sequence[Any]]


def divide(batches: Batches, error: Exception) -> tuple[Batches, Batches]:
    """Return the batches that are lost because of ``error``, and those to retry; both in order.

    After any error other than a Conflict all batches are lost.
    """
    if not isinstance(error, Conflict):
        return batches, []
    void = _lost(batches, {*_named(error)})
    lost = [batch for number, batch in enumerate(batches) if number in void]
    return (lost, [batch for number, batch in enumerate(batches) if number not in void]) if lost else (batches, [])


def _lost(batches: Batches, touched: set[tuple[str, str]]) -> set[int]:
    subjects = [set(_subjects(batch)) for batch in batches]
    void: set[int] = set()
    while found := {n for n, about in enumerate(subjects) if n not in void and about & touched}:
        void |= found
        for number in found:
            touched |= subjects[number]
        rooms = {room for kind, room in touched if kind == "room"}
        first = min(void)
        void |= {n for n in range(first, len(batches)) if n not in void and _mentions(batches[n], rooms)}
    return void


def _named(conflict: Conflict) -> Iterator[tuple[str, str]]:
    yield from (("room", room) for room in conflict.rooms)
    yield from (("person", who) for who in conflict.people)
    yield from (("contest", name) for name in conflict.contests)


def _subjects(batch: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """Yield the rooms, people and contests that a batch writes about."""
    for effect in batch:
        match effect:
            case persistence.Append() | persistence.SaveRoom() | persistence.SaveSeat() | persistence.SaveMatch():
                yield "room", effect.room
            case persistence.SaveIdentity() | persistence.DropIdentity():
                yield "person", effect.who
            case persistence.SaveContest():
                yield "contest", effect.name
            case persistence.SavePairing():
                yield "contest", effect.contest


def _mentions(batch: Sequence[Any], rooms: set[str]) -> bool:
    """Whether a batch sends a message about one of these rooms, or a list with one of them."""
    return any(
        getattr(effect.message, "room", None) in rooms
        or any(row["room"] in rooms for row in getattr(effect.message, "rooms", ()) if isinstance(row, dict))
        for effect in batch
        if isinstance(effect, effects.Post)
    )
