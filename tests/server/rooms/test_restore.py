"""A room restored without replaying old matches equals the room restored by replaying them."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.rooms.random_room import RandomRoom
from tests.server.rooms.test_replay import remembered

from parlour_games.fair import Fair
from parlour_games.uno.plugin import Uno
from parlour_games.uno.state import State as Game
from parlour_server.rooms import records
from parlour_server.rooms.records import RoomOpened
from parlour_server.rooms.room import Room, matches_to_replay, replay
from parlour_server.rooms.state import State

STEPS, CUTS = 700, 4
FEW = range(28, 40)
"""Seeds of rooms in which records of every kind are passed over."""
MANY = range(40, 90)
CARDS = 2


class Brief(Uno):
    """UNO with few cards in each hand: matches are soon over. ``played`` counts them."""

    def __init__(self) -> None:
        self.played = 0

    def start(self, options: Any, seats: int, fair: Fair) -> tuple[Game, list[Any]]:
        self.played += 1
        state, events = super().start(options, seats, fair)
        for seat, hand in enumerate(state.hands):
            while hand.bit_count() > CARDS:
                hand &= hand - 1
            state.hands[seat], state.counts[seat] = hand, CARDS
        return state, events


def played(lines: list[str]) -> Room:
    """Return the room with every match played again."""
    opened = records.parse(lines[0])
    assert isinstance(opened, RoomOpened)
    state = State(opened, Brief())
    for line in lines:
        state.fold(records.parse(line), line)
    return Room(state)


@pytest.mark.parametrize("seeds", [FEW, pytest.param(MANY, marks=pytest.mark.torture)])
def test_rooms_are_the_same_whether_their_old_matches_are_played_again_or_not(seeds: range) -> None:
    over: Counter[str] = Counter()
    for seed in seeds:
        random_room = RandomRoom(seed, Brief())
        for _ in range(STEPS):
            random_room.step()
        lines = random_room.lines()
        rng = random.Random(seed)
        for end in sorted({len(lines), *(rng.randint(1, len(lines)) for _ in range(CUTS))}):
            over.update(passed_over(lines[:end]))
            game = Brief()
            assert remembered(replay(lines[:end], game)) == remembered(played(lines[:end])), (seed, end)
            assert game.played == len(matches_to_replay(begun_lines(lines[:end])))
    kinds = {"taken", "vacated", "control", "ready", "host", "ruled", "begun", "act", "timeout", "over", "owned"}
    assert kinds <= over.keys()


def begun_lines(lines: list[str]) -> dict[int, str]:
    return {n: line for n, line in enumerate(lines) if records.parse(line).r == "begun"}


def passed_over(lines: list[str]) -> Iterator[str]:
    """Yield what the lines are that are not folded in full."""
    wanted, playing = matches_to_replay(begun_lines(lines)), True
    for n, line in enumerate(lines):
        kind = records.parse(line).r
        playing = n in wanted if kind == "begun" else playing
        if not playing:
            yield kind


def begun(n: int, seats: int) -> str:
    return f'{{"n":{n},"r":"begun","rids":{[1] * seats}}}'


def test_the_last_two_matches_are_played_and_the_last_one_of_each_seat() -> None:
    found = {
        seats: matches_to_replay({n: begun(n, taking_part) for n, taking_part in enumerate(seats)}) for seats in MATCHES
    }
    assert found == MATCHES


MATCHES: dict[tuple[int, ...], set[int]] = {
    (): set(),
    (2, 2): {0, 1},
    (2, 2, 2, 2, 2): {3, 4},
    (2, 4, 3, 4, 2, 3, 2, 2): {3, 5, 6, 7},
    (5, 4, 4, 4): {0, 2, 3},
}
