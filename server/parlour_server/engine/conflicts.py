"""A commit that other nodes stood against in part: what of it is void with that, and what can be tried again.

A batch is what follows from one input. If any of it cannot be, none of it is; and whatever came later about the same
rooms, people and contests was made of what did not happen.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from parlour_server import effects, persistence
from parlour_server.store.base import Conflict

Batches = list[Sequence[Any]]


def divide(batches: Batches, error: Exception) -> tuple[Batches, Batches]:
    """Return what cannot be stored because of ``error``, and what may be tried again; both in order.

    Only a Conflict leaves anything of it: with any other error all is void.
    """
    if not isinstance(error, Conflict):
        return batches, []
    void = _all_that_fails(batches, {*_named(error)})
    lost = [batch for number, batch in enumerate(batches) if number in void]
    return (lost, [batch for number, batch in enumerate(batches) if number not in void]) if lost else (batches, [])


def _all_that_fails(batches: Batches, touched: set[tuple[str, str]]) -> set[int]:
    subjects = [set(_subjects(batch)) for batch in batches]
    void: set[int] = set()
    while found := {n for n, about in enumerate(subjects) if n not in void and about & touched}:
        void |= found
        for number in found:
            touched |= subjects[number]
        told = {room for kind, room in touched if kind == "room"}
        first = min(void)
        void |= {n for n in range(first, len(batches)) if n not in void and _tells(batches[n], told)}
    return void


def _named(conflict: Conflict) -> Iterator[tuple[str, str]]:
    yield from (("room", room) for room in conflict.rooms)
    yield from (("person", who) for who in conflict.people)
    yield from (("contest", name) for name in conflict.contests)


def _subjects(batch: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """Yield what a batch writes about."""
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


def _tells(batch: Sequence[Any], rooms: set[str]) -> bool:
    """Whether a batch tells anybody of one of these rooms, by a message of its own or in a list."""
    return any(
        getattr(effect.message, "room", None) in rooms
        or any(row["room"] in rooms for row in getattr(effect.message, "rooms", ()) if isinstance(row, dict))
        for effect in batch
        if isinstance(effect, effects.Post)
    )
