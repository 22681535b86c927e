"""Replaying a room's log gives the same room."""

import random
from collections import Counter
from typing import Any

import pytest
from tests.server.local_server import playing
from tests.server.rooms.random_room import RandomRoom

from parlour_games.uno.plugin import Uno
from parlour_server.rooms.decisions import OpenDecision
from parlour_server.rooms.effects import WakeAt
from parlour_server.rooms.match import Match
from parlour_server.rooms.room import Room, replay

ROOMS, STEPS = 208, 300


def decision(found: OpenDecision) -> tuple[Any, ...]:
    return found.rid, found.seat, found.key, found.must, found.opened


def remembered(room: Room) -> dict[str, Any]:
    """Return all that has to follow from the records."""
    state, match = room.state, room.state.match
    names = ("config", "options", "state", "seats", "host", "matches", "rids", "muted", "banned", "epoch", "at", "n",
             "first_line", "commit")  # fmt: skip
    found = {name: getattr(state, name) for name in names} | {"away": state.seats.away}
    return found if match is None else {**found, **of_match(match)}


def of_match(match: Match) -> dict[str, Any]:
    names = ("begun", "ended", "chain", "clocks", "timeouts", "pending", "pending_since")
    return {
        **{name: getattr(match, name) for name in names},
        "game": match.game.canonical(match.state),
        "open": sorted(map(decision, match.book.open.values())),
        "past": match.book.past,
        "next": match.book.next_rid,
    }


def compare(random_room: RandomRoom) -> None:
    room = random_room.room
    if room is not None:
        assert remembered(replay(random_room.lines(), Uno())) == remembered(room)


@pytest.mark.parametrize(
    "batch",
    [0, pytest.param(1, marks=pytest.mark.long), *(pytest.param(n, marks=pytest.mark.torture) for n in range(2, 8))],
)
def test_whatever_happens_a_replayed_room_is_the_room(batch: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(batch, ROOMS, 8):
        try:
            random_room = RandomRoom(seed)
            points = set(random.Random(seed).sample(range(STEPS), 3))
            for number in range(STEPS):
                random_room.step()
                if number in points:
                    compare(random_room)
            compare(random_room)
        except BaseException as error:
            error.add_note(f"RandomRoom({seed})")
            raise
        for line in random_room.lines():
            seen[line.split('"r":"', 1)[1].split('"', 1)[0]] += 1
    kinds = "opened owned taken vacated control ready host ruled absent changed handed begun act timeout timer over"
    assert {*kinds.split()} <= set(seen)


def test_a_room_that_changes_without_a_record_is_found_out() -> None:
    at = playing("uno")
    before = remembered(replay(at.lines(), Uno()))
    assert before == remembered(at.room)
    at.match.clocks.add_time(0, 1)
    assert before != remembered(at.room)


def test_nothing_of_a_replayed_room_is_due_twice() -> None:
    at = playing("uno")
    room = replay(at.lines(), Uno())
    assert [type(effect) for effect in room.take(room.state.at)] == [WakeAt]
    assert room.state.config.code == at.code
