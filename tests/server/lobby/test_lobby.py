"""The lobby: sockets, time, bots, faults, and rooms that are loaded again."""

from random import Random
from typing import Any

import pytest
from tests.server.local_server import house_bot, new_server, one, open_room, playing, received, refused, request
from tests.server.rooms.fake import Fake

from parlour_protocol import messages as m
from parlour_protocol.wire import plain
from parlour_server import effects, persistence
from parlour_server.directory import rooms
from parlour_server.directory.guests import GUEST_KEPT
from parlour_server.directory.rooms import FULL, ROOMS_PER_PERSON
from parlour_server.directory.sessions import SILENT
from parlour_server.lobby.lobby import Lobby
from parlour_server.local import Local
from parlour_server.persistence import Rated
from parlour_server.rooms.effects import Compute
from parlour_server.rooms.timers import EMPTY
from parlour_server.settings import ServerSettings


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
    at.server.lobby.drain(5_000)
    assert at.server.lobby.drain(5_000) == []
    other = playing()
    other.server.carry_out(other.server.lobby.drain(5_000))
    for peer in other:
        assert received(peer)[-1] == m.Bye("drain", "the server is stopping; your seat is kept", 5_000)
        assert peer.closed == 1001


def test_a_closed_connection_gets_one_bye() -> None:
    local = new_server()
    anna = local.connect("anna")
    session = local.lobby.connections.sessions[anna.conn]
    local.lobby.connections.hang_up(session, "strikes", "enough", 4008)
    local.lobby.connections.hang_up(session, "drain", "the server is stopping", 1001)
    assert [type(effect) for effect in local.lobby.take()] == [effects.Post, effects.Disconnect]


def test_room_time_begins_with_the_room() -> None:
    local = new_server()
    local.wait(123_456)
    at = open_room(local=local)
    local.wait(1_000)
    at[0].send(m.Ready(at.code))
    assert at.room.state.at == 1_000


def test_codes_work_in_any_letter_case() -> None:
    at = open_room("fake", 1, seats=3)
    request(at.server.connect("bert"), m.Join(at.code.lower()), m.Joined)


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
    lobby = Lobby({"fake": Fake()}, Random(1).randbytes, ServerSettings(per_address=2))
    for conn, address in enumerate(["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"]):
        lobby.connect(conn, 0, address)
        lobby.receive(conn, plain(m.Hello(f"p{conn}", "human")), 0)
    assert [_opened(lobby, conn) for conn in range(4)] == ["joined", "joined", "busy", "joined"]
    lobby.retire(min(lobby.rooms.loaded), 1_000)
    assert _opened(lobby, 2) == "joined"


def test_open_rooms_are_limited_per_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "ROOMS", 2)
    local = new_server()
    anna = local.connect("anna")
    assert [request(anna, m.Create("fake")).t for _ in range(2)] == ["joined", "joined"]
    kept, left = sorted(local.lobby.rooms.loaded)
    refusal = refused(anna, m.Create("fake"))
    assert (refusal.code, refusal.retry_after, refusal.msg) == ("busy", FULL, "the server is full: 2 rooms are open")
    local.lobby.rooms.dormant.add(
        local.lobby.rooms.loaded.pop(kept).room.code
    )  # stored and not loaded it is open all the same
    assert refused(anna, m.Create("fake")).code == "busy"
    request(anna, m.Leave(left))
    local.wait(EMPTY)
    assert request(anna, m.Create("fake")).t == "joined"


def _opened(lobby: Lobby, conn: int) -> str:
    """Create a room; return the type of the answer, or the code of the refusal."""
    for effect in lobby.receive(conn, plain(m.Create("fake")), 1_000):
        if isinstance(effect, effects.Post) and effect.to == (conn,):
            return getattr(effect.message, "code", effect.message.t)
    raise AssertionError("no answer")


def test_guests_are_forgotten_some_time_after_they_have_gone() -> None:
    local = new_server()
    token = local.connect("anna").token
    local.disconnect(1)
    local.wait(GUEST_KEPT - 1)
    local.connect("anna", token=token).close()
    local.wait(GUEST_KEPT)
    assert refused(local.open("x"), m.Hello("anna", "human", token=token)).code == "bad_token"


def test_each_absence_of_a_guest_is_counted_from_its_own_beginning() -> None:
    local = new_server()
    first = local.connect("anna")
    first.close()
    local.wait(1)
    again = local.connect("anna", token=first.token)
    local.wait(GUEST_KEPT - 2)
    again.close()
    local.wait(2)
    assert local.connect("anna", token=again.token).token


def test_guests_with_a_seat_are_remembered_as_long_as_they_have_it() -> None:
    at = playing(clock=None, standin=False)
    bert = at[1]
    bert.close()
    for _ in range(3):
        at.server.wait(500_000)
        at.act(0, "take", cell=0)
    at.server.connect("zoe")
    assert at.server.lobby.identities.by_name("bert") is not None
    at.server.connect("bert", "human", token=bert.token).send(m.Leave(at.code))


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
    lobby.give_up(Compute(at.code, "board", {}), 0)  # it waits for no such thing
    assert not at.match.ended


# --- faults -----------------------------------------------------------------------------------------------------


class Broken(Fake):
    """A game whose bell breaks."""

    def _bell(self, state: Any, seat: int, action: Any) -> Any:
        raise ZeroDivisionError(f"the secret is {state.secrets[seat]}")


def broken() -> Any:
    return open_room("fake", 2, local=Local(1, installed={"fake": Broken()}), clock=None).start().clear()


def test_a_fault_in_a_room_costs_that_room_alone() -> None:
    at = broken()
    at[0].send(m.Create("fake"))
    other = one(at[0], m.Joined).room
    outsider = at.server.connect("zoe")
    wanted = at.server.lobby.receive(at[1].conn, {"t": "act", "room": at.code, "rid": 1, "act": {"do": "bell"}}, 0)
    faults = [effect for effect in wanted if isinstance(effect, effects.LogFault)]
    assert [(fault.room, fault.error) for fault in faults] == [(at.code, "ZeroDivisionError")]
    assert faults[0].where.startswith("test_lobby.py:")
    assert not any(isinstance(effect, persistence.Append) for effect in wanted)
    at.server.carry_out(wanted)
    assert [peer.closed for peer in (*at, outsider)] == [1011, 1011, None]
    assert received(at[0])[-1] == m.Bye("internal", "the server failed; reconnect", 1_000)
    assert at.code in at.server.lobby.rooms.dormant
    assert set(at.server.lobby.rooms.loaded) == {other}


def test_a_room_is_loaded_for_those_who_name_it_or_sit_there_and_for_nonsense_nothing() -> None:
    at = broken()
    at.act(1, "bell")
    missing = at.server.lobby.missing
    for data in ({"t": "join", "room": at.code.lower()}, {"t": "hello", "token": at[1].token}):
        assert missing(99, data) == [at.code]
    nonsense: list[m.Plain] = [{"room": 7}, {"room": None}, {"token": 1}, {"token": "x" * 99}, {}]
    assert [missing(99, data) for data in nonsense] == [[]] * len(nonsense)


def test_a_room_that_is_not_stored_is_not_adopted() -> None:
    at = open_room()
    assert at.server.lobby.adopt("K7QD", 2, at.room, 0) == []


def test_bots_on_offer_show_their_rating_at_the_game_that_is_asked_for() -> None:
    local = new_server()
    robo = local.connect("robo", "bot")
    robo.send(m.OfferBot(["uno", "fake"], 2))
    who = local.lobby.identities.by_name("robo")
    assert who is not None
    local.lobby.ratings.changed([Rated(who.who, "fake", 1_600)])
    robo.inbox.clear()
    for game, rating in (("fake", 1_600), ("uno", None)):
        robo.send(m.List(game))
        assert one(robo, m.Rooms).bots[0].get("rating") == rating


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
    answer = request(at.server.connect("gwen"), m.List(), m.Rooms)
    assert [(row["people"], row["rules"]) for row in answer.rooms] == [(2, ["Draw two on draw two", *words])]
    assert [(row["options"]["stack2"], row["clock"]) for row in answer.rooms] == [(True, clock)]
