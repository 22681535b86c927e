"""The lobby: sockets, time, bots, faults, and rooms that are loaded again."""

from typing import Any

import pytest
from tests.server.local_server import NAMES, house_bot, new_server, one, open_room, playing, received, refused, request

from parlour_protocol import messages as m
from parlour_server.directory import rooms
from parlour_server.directory.guests import GUEST_KEPT
from parlour_server.directory.rooms import FULL, ROOMS_PER_PERSON
from parlour_server.directory.sessions import SILENT
from parlour_server.persistence import Rated
from parlour_server.rooms.effects import Compute
from parlour_server.rooms.timers import EMPTY


def test_a_connection_without_hello_is_closed() -> None:
    local = new_server()
    silent, anna = local.open("silent"), local.connect("anna")
    local.now = SILENT
    assert local.lobby.sweep(local.now) == []
    local.now += 1
    local.carry_out(local.lobby.sweep(local.now))
    assert (silent.closed, anna.closed) == (4008, None)
    assert one(silent, m.Bye).code == "hello_first"


def test_a_server_that_stops_says_goodbye_once_to_everybody() -> None:
    at = playing()
    said = at.server.lobby.drain(5_000)
    assert at.server.lobby.drain(5_000) == []
    at.server.carry_out(said)
    for peer in at:
        assert received(peer)[-1] == m.Bye("drain", "the server is stopping; your seat is kept", 5_000)
        assert peer.closed == 1001


def test_room_time_begins_with_the_room() -> None:
    local = new_server()
    local.wait(123_456)
    at = open_room(local=local)
    local.wait(1_000)
    at[0].send(m.Ready(at.code))
    assert at.room.state.at == 1_000


@pytest.mark.parametrize("code", ["ZZZZ", "", "K7QD7", "K" * 64, "ß", "\u0130"])
def test_a_code_without_a_room_is_no_room(code: str) -> None:
    error = refused(open_room().server.connect("zoe"), m.Join(code, id=1))
    assert (error.code, error.re, error.room) == ("no_room", 1, code)


def test_closed_and_unknown_rooms_look_the_same() -> None:
    at = open_room()
    at[0].send(m.Create("fake", private=True))
    private = one(at[0], m.Joined).room
    assert len(private) == 8
    with at.inside() as (room, now):
        room.playing.close(now, "aborted")
    zoe = at.server.connect("zoe")
    closed, unknown = refused(zoe, m.Join(at.code)), refused(zoe, m.Join("ZZZZ"))
    assert closed.msg.replace(at.code, "ZZZZ") == unknown.msg
    assert (closed.code, closed.hint) == (unknown.code, unknown.hint)
    assert refused(zoe, m.Join(private[:4])).code == "no_room"


@pytest.mark.parametrize(
    "make",
    [
        lambda code: m.Act(code, 1, 0), lambda code: m.Chat(code, "hi"), lambda code: m.Leave(code),
        lambda code: m.Ready(code), lambda code: m.Start(code), lambda code: m.Invite(code),
        lambda code: m.Manage(code, "kick", "anna"),
    ],
)  # fmt: skip
def test_rooms_that_a_client_is_not_in_look_the_same_as_unknown_ones(make: Any) -> None:
    at = playing()
    zoe = at.server.connect("zoe")
    here, nowhere = refused(zoe, make(at.code)), refused(zoe, make("ZZZZ"))
    assert here.code == nowhere.code == "not_here"
    assert here.msg.replace(at.code, "ZZZZ") == nowhere.msg


def test_one_can_be_in_many_rooms_but_not_in_any_number() -> None:
    local = new_server()
    anna = local.connect("anna")
    for _ in range(ROOMS_PER_PERSON):
        local.wait(1_000)
        request(anna, m.Create("fake"), m.Joined)
    local.wait(1_000)
    assert refused(anna, m.Create("fake")).code == "too_many_rooms"
    code = next(iter(local.lobby.rooms.loaded))
    request(anna, m.Join(code), m.Joined)


def test_open_rooms_are_limited_per_address() -> None:
    local = new_server(per_address=2)
    *two, third = (local.connect(name, address="192.0.2.1") for name in NAMES[:3])
    for peer in (*two, local.connect("zoe", address="192.0.2.2")):
        request(peer, m.Create("fake"), m.Joined)
    assert refused(third, m.Create("fake")).code == "busy"
    local.lobby.retire(next(iter(local.lobby.rooms.loaded)), 1_000)
    request(third, m.Create("fake"), m.Joined)


def test_open_rooms_are_limited_per_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "ROOMS", 2)
    local = new_server()
    anna = local.connect("anna")
    assert [request(anna, m.Create("fake")).t for _ in range(2)] == ["joined", "joined"]
    kept, left = sorted(local.lobby.rooms.loaded)
    refusal = refused(anna, m.Create("fake"))
    assert (refusal.code, refusal.retry_after) == ("busy", FULL)
    local.lobby.rooms.discard(kept)
    assert refused(anna, m.Create("fake")).code == "busy", "a stored room is open though it is not loaded"
    request(anna, m.Leave(left))
    local.wait(EMPTY)
    assert request(anna, m.Create("fake")).t == "joined"


def test_guests_are_forgotten_some_time_after_they_were_here_last() -> None:
    local = new_server()
    token = local.connect("anna").token
    local.disconnect(1)
    for _ in range(2):
        local.wait(GUEST_KEPT - 1)
        again = local.connect("anna", token=token)
        again.close()
        token = again.token
    local.wait(GUEST_KEPT)
    assert refused(local.open("x"), m.Hello("anna", "human", token=token)).code == "bad_token"


def test_guests_with_a_seat_are_remembered_as_long_as_they_have_it() -> None:
    at = playing(clock=None, standin=False)
    at[1].close()
    for _ in range(3):
        at.server.wait(500_000)
        at.act(0, "take", cell=0)
    at.server.connect("zoe")
    at.server.connect("bert", "human", token=at[1].token)


@pytest.mark.parametrize("by_name", [False, True])
def test_nothing_is_kept_of_expired_guests(by_name: bool) -> None:
    at = playing()
    anna = at[0].token
    at[0].send(m.Leave(at.code))
    lobby, who = at.server.lobby, at.server.lobby.connections.sessions[at[0].conn].who
    assert who is not None
    lobby.ratings.changed([Rated(who, "fake", 1_500)])
    at[0].close()
    assert who in lobby.identities
    at.server.wait(1 if by_name else GUEST_KEPT)
    at.server.connect("anna" if by_name else "zoe")  # who takes the name, or just comes
    lobby.ratings.changed([Rated(who, "fake", 1_501)])  # a match that was still to be stored
    assert who not in lobby.identities
    assert who not in lobby.rooms.seats
    assert not lobby.ratings.table
    assert refused(at.server.open("x"), m.Hello("anna", "human", token=anna)).code == "bad_token"


def test_what_comes_too_late_for_a_room_changes_nothing() -> None:
    at = playing()
    lobby, gone = at.server.lobby, Compute("ZZZZ", "board", {})
    assert lobby.wake("ZZZZ", 0) == []
    assert lobby.settle(gone, {}, 0) == []
    assert lobby.give_up(gone, 0) == []
    assert lobby.adopt("ZZZZ", 2, at.room, 0) == [], "it is not stored"
    lobby.give_up(Compute(at.code, "board", {}), 0)  # it waits for no such thing
    assert not at.match.ended


@pytest.mark.parametrize(
    ("clock", "words"),
    [
        (m.DEFAULT_CLOCK, []),
        (None, ["no clock"]),
        ({"bank": 0, "add": 15_000}, ["15 s a turn"]),
        ({"bank": 90_000, "add": 0}, ["90 s in all"]),
        ({"bank": 20_000, "add": 500}, ["20 s + 0.5 s a turn"]),
        ({"bank": 86_400_000, "add": 86_400_000, "cap": 86_400_000}, ["86400 s a turn"]),
    ],
)
def test_a_list_says_how_a_room_is_played_and_how_many_people_sit_there(
    clock: m.Clock | None, words: list[str]
) -> None:
    at = open_room("uno", 2, seats=3, options={"stack2": True}, clock=clock, watch=False)
    house_bot(at.server)
    at[0].send(m.Invite(at.code))
    [row] = request(at.server.connect("gwen"), m.List(), m.Rooms).rooms
    assert (row["people"], row["rules"], row["clock"]) == (2, ["Draw two on draw two", *words], clock)
