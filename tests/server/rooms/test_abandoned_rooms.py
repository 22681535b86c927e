"""House bots leave a room in which no one else is left: SPEC.md#leaving-and-expiry."""

from typing import Any

from tests.server.local_server import OpenRoom, house_bot, new_server, one, only, open_room, received, request

from parlour_protocol import messages as m
from parlour_server.local import Local, Peer
from parlour_server.rooms.timers import EMPTY


def with_bot(local: Local | None = None, **create: Any) -> tuple[OpenRoom, Peer]:
    """Return a room with one person and a house bot."""
    local = local or new_server()
    hal = house_bot(local)
    at = open_room(people=1, local=local, seats=2, **create)
    at[0].send(m.Invite(at.code))
    hal.inbox.clear()
    return at.clear(), hal


def test_a_bot_leaves_with_the_last_person() -> None:
    at, hal = with_bot()
    at[0].send(m.Leave(at.code))
    at.server.wait(0)
    assert one(hal, m.Left).room == at.code
    assert at.room.state.seats.taken() == []


def test_a_bot_stays_while_anyone_is_left() -> None:
    at, hal = with_bot()
    watcher = at.enter("cleo", role="spectator")
    at[0].send(m.Leave(at.code))
    at.server.wait(0)
    assert only(hal, m.Left) == []
    watcher.send(m.Leave(at.code))
    at.server.wait(0)
    assert len(only(hal, m.Left)) == 1


def test_a_bot_waits_for_a_person_who_may_come_back() -> None:
    for role in ("player", "spectator"):
        at, hal = with_bot(as_=role)
        at[0].close()
        at.server.wait(EMPTY - 1)
        assert only(hal, m.Left) == []
        at.server.wait(1)
        assert len(only(hal, m.Left)) == 1


def test_a_match_without_people_goes_on_until_they_might_have_come_back() -> None:
    at, hal = with_bot()
    at.start()
    at[0].send(m.Leave(at.code))
    at.server.wait(EMPTY - 1)
    assert at.room.match is not None
    assert only(hal, m.Left) == []
    at.server.wait(1)
    assert at.code not in at.server.lobby.rooms.loaded
    assert len(only(hal, m.Left)) == 1


def test_bots_leave_when_a_match_without_people_is_over() -> None:
    at, hal = with_bot()
    at.start()
    at[0].send(m.Leave(at.code))
    hal.inbox.clear()
    at.abort()
    at.server.wait(0)
    assert len(only(hal, m.Left)) == 1


def test_a_room_for_one_closes_when_they_leave_and_waits_for_them_when_their_connection_is_lost() -> None:
    at = open_room("grid", people=1, seats=1)
    at[0].send(m.Leave(at.code))
    at.server.wait(0)
    assert at.code not in at.server.lobby.rooms.loaded

    at = open_room("grid", people=1, seats=1)
    at[0].close()
    at.server.wait(EMPTY - 1)
    assert at.code in at.server.lobby.rooms.loaded


def test_bots_of_clients_count_as_people() -> None:
    local = new_server()
    house_bot(local)
    at = open_room(people=1, kind="bot", local=local, seats=2)
    at[0].send(m.Invite(at.code))
    at.server.wait(EMPTY - 1)
    assert len(at.room.state.seats.taken()) == 2


def test_abandoned_rooms_keep_no_bot_from_others() -> None:
    local = new_server()
    hal = house_bot(local)
    anna, bert = local.connect("anna", "human"), local.connect("bert", "human")
    for _ in range(21):
        room = request(anna, m.Create("fake", seats=2), m.Joined)
        anna.send(m.Invite(room.room))
        assert any(isinstance(message, m.Ok) for message in received(anna))
        anna.send(m.Leave(room.room))
        local.wait(1_000)  # for the limit on requests
    room = request(bert, m.Create("fake", seats=2), m.Joined)
    bert.inbox.clear()
    bert.send(m.Invite(room.room))
    assert one(bert, m.Ok).seat == 1
    assert len(only(hal, m.Left)) == 21
