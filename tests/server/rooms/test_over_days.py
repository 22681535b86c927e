"""Matches over days: players come and go between their turns. SPEC.md#matches-over-days."""

from typing import Any

import pytest
from tests.server.local_server import OpenRoom, house_bot, open_room

from parlour_protocol import messages as m
from parlour_protocol.messages import Clock
from parlour_server.rooms.audience import HELD, KEPT, KEPT_OVER_DAYS
from parlour_server.rooms.clock import DAYS, LAG, over_days
from parlour_server.rooms.match import PATIENCE
from parlour_server.rooms.timers import EMPTY, OPEN_OVER_DAYS

DAY = 86_400_000
A_DAY: Clock = {"bank": DAY, "add": DAY, "cap": DAY}


def days(**create: Any) -> OpenRoom:
    """Return a room of two people with a day for each turn."""
    return open_room("uno", clock=A_DAY, **create)


def turn(at: OpenRoom) -> int:
    """Return the seat whose turn it is."""
    (seat,) = at.match.clocks.running
    return seat


def leave_all(at: OpenRoom) -> None:
    for number in (0, 1):
        at[number].close()


@pytest.mark.parametrize(
    ("clock", "found"),
    [
        (None, False), ({"bank": DAY, "add": DAYS - 1}, False), ({"bank": 0, "add": DAYS}, True),
        ({"bank": 0, "add": DAYS, "cap": DAYS - 1}, False), (A_DAY, True),
    ],
)  # fmt: skip
def test_a_match_is_over_days_if_each_decision_adds_an_hour(clock: Clock | None, found: bool) -> None:
    assert over_days(clock) is found


def test_no_stand_in_takes_the_seat_of_a_player_who_is_away() -> None:
    at = days()
    house_bot(at.server)
    at.start()
    leave_all(at)
    at.server.wait(HELD + EMPTY)
    assert [seat.by for _, seat in at.room.state.seats.taken()] == ["owner", "owner"]
    assert all("left" not in at.room.audience.table(0)["seats"][seat] for seat in (0, 1))


@pytest.mark.parametrize("restarted", [False, True])
def test_a_turn_ends_by_the_clock_in_an_empty_room(restarted: bool) -> None:
    at = days()
    at.start()
    leave_all(at)
    if restarted:
        at.load_again()
    first = turn(at)
    at.server.wait(DAY + LAG - 1)
    assert at.match.timeouts == [0, 0]
    assert [seat.by for _, seat in at.room.state.seats.taken()] == ["owner", "owner"]
    at.server.wait(1)
    assert at.match.timeouts[first] == 1


def test_a_match_expires_when_all_players_have_missed_two_turns_in_a_row() -> None:
    at = open_room("fake", clock=A_DAY)
    at.start()
    leave_all(at)
    at.server.wait(PATIENCE * (DAY + LAG) - 1)
    assert [seat.by for _, seat in at.room.state.seats.taken()] == ["owner", "owner"]
    at.server.wait(DAY)
    assert at.code not in at.server.lobby.rooms.loaded


def test_before_a_match_seats_are_kept_for_a_day() -> None:
    at = days()
    at[1].close()
    at.server.wait(KEPT)
    assert len(at.room.state.seats.taken()) == 2
    at[0].send(m.Chat(at.code, "where are you?"))
    at.server.wait(KEPT_OVER_DAYS - KEPT)
    assert len(at.room.state.seats.taken()) == 1


def test_a_room_that_nobody_uses_expires() -> None:
    at = days()
    leave_all(at)
    at.server.wait(OPEN_OVER_DAYS)
    assert at.code not in at.server.lobby.rooms.loaded


def test_a_room_that_everybody_left_closes_as_usual() -> None:
    at = open_room(people=1, clock=A_DAY)
    at[0].send(m.Leave(at.code))
    at.server.wait(EMPTY)
    assert at.code not in at.server.lobby.rooms.loaded
