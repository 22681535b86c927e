"""Deleting an identity: what is removed, what stays, and who may do it."""

from typing import Any

import pytest
from tests.server.contests.contest_bots import Bots
from tests.server.local_server import OpenRoom, new_server, open_room, playing, received, refused, request

from parlour_protocol import messages as m
from parlour_protocol.errors import CODES
from parlour_server import persistence
from parlour_server.local import Local, Peer

KEY = "k" * 64


def keyed(local: Local, name: str = "kim") -> Peer:
    """Return a client with a key."""
    peer = local.open(name)
    peer.send(m.Hello(name, "human", key=KEY))
    peer.inbox.clear()
    return peer


def seated(**create: Any) -> tuple[OpenRoom, Peer]:
    """Return a room whose last seat belongs to a client with a key."""
    at = open_room("fake", 2, seats=3, **create)
    kim = keyed(at.server)
    kim.send(m.Join(at.code))
    at.clear()
    kim.inbox.clear()
    return at, kim


def test_the_owner_deletes_itself_by_its_key() -> None:
    at, kim = seated()
    kim.send(m.Delete(KEY, id=7))
    answer, left, bye = received(kim)
    assert (answer, left) == (m.Ok(re=7), m.Left(at.code, "left"))
    assert bye == m.Bye("deleted", "this identity has been deleted")
    assert kim.closed == 4003
    assert at.room.state.seats[2] is None
    assert refused(at.server.open("kim"), m.Hello("kim", "human", token=kim.token or "t")).code == "bad_token"
    other = at.server.open("kim")
    assert isinstance(request(other, m.Hello("kim", "human", key="x" * 64)), m.Welcome), "the name is free"


@pytest.mark.parametrize("key", ["", "x" * 64, KEY.upper()])
def test_deleting_needs_the_key(key: str) -> None:
    at, kim = seated()
    assert refused(kim, m.Delete(key)).code == "bad_key"
    assert at.room.state.seats[2] is not None
    assert kim.closed is None


def test_a_guest_has_no_key_to_delete_itself_with() -> None:
    at = open_room()
    refusal = refused(at[0], m.Delete(""))
    assert refusal.code == "bad_key"
    assert refusal.hint != CODES["bad_key"], "the hint is for guests"


def test_a_deleted_spectator_leaves_its_rooms() -> None:
    at = open_room()
    kim = keyed(at.server)
    kim.send(m.Join(at.code, "spectator"))
    assert at.room.audience.here.keys() > {at.seat(0).who, at.seat(1).who}
    kim.send(m.Delete(KEY))
    assert at.room.audience.here.keys() == {at.seat(0).who, at.seat(1).who}


@pytest.mark.parametrize("standin", [False, True])
def test_a_match_continues_and_its_result_hides_the_deleted_name(standin: bool) -> None:
    at, kim = seated(standin=standin, clock=None)
    at.start().clear()
    who = at.seat(2).who
    kim.send(m.Delete(KEY))
    assert at.match is not None
    at.act(0, "end")
    [saved] = at.server.matches
    assert [row.name for row in saved.match.rows] == ["anna", "bert", "deleted"]
    assert saved.match.rows[2].who == ""
    assert who not in {row.who for row in saved.match.rows}


def test_an_admin_deletes_an_absent_identity_with_all_its_seats() -> None:
    at, kim = seated()
    kim.close()
    at.server.lobby.admin.token = "operator"
    root = at.server.connect("root")
    assert request(root, m.Admin("operator", "delete", name="KIM", id=1)) == m.Ok(re=1)
    assert at.room.state.seats[2] is None
    assert at.server.lobby.identities.by_name("kim") is None


def test_stored_rooms_are_loaded_before_an_identity_in_them_is_deleted() -> None:
    at = playing()
    lobby = at.server.lobby
    at[0].close()
    lobby.rooms.dormant.add(at.code)
    assert lobby.missing(at[1].conn, {"t": "admin", "do": "delete", "name": "Anna"}) == [at.code]
    assert lobby.missing(at[1].conn, {"t": "chat", "name": "Anna"}) == []
    assert lobby.missing(at[1].conn, {"t": "admin", "name": 7}) == []


def test_contests_show_no_name_until_the_deletion_could_not_be_stored() -> None:
    at = Bots("a", "b")
    at.ask()
    lobby = at.local.lobby
    who = next(entrant.who for entrant in lobby.director.contests["friday"].plan.entrants if entrant.name == "b")
    lobby.identities.stored(lobby.identities.get(who).saved())
    at.operator.send(m.Admin("operator", "delete", name="b"))
    received(at.operator)
    assert sorted(row["name"] for row in at.rows()) == ["a", "deleted"]
    lobby.undo([persistence.DropIdentity(who, erased=True)])
    assert sorted(row["name"] for row in at.rows()) == ["a", "b"]


def test_a_deleted_bot_gets_no_further_pairing() -> None:
    at = Bots("a", "b", "c", limit=1)
    at.ask()
    playing = next(bot for bot in at.bots.values() if any(isinstance(each, m.Turn) for each in bot.inbox))
    at.operator.send(m.Admin("operator", "delete", name=playing.name))
    assert playing.closed == 4003
    assert at.local.lobby.identities.by_name(playing.name) is None
    for live in at.local.lobby.rooms.loaded.values():
        assert all(seat.who in at.local.lobby.identities for _, seat in live.room.state.seats.taken() if seat.who)


def test_it_is_stored() -> None:
    local = new_server()
    kim = keyed(local)
    [who] = local.lobby.connections.main
    wanted = local.lobby.receive(kim.conn, {"t": "delete", "key": KEY}, 0)
    assert persistence.DropIdentity(who, erased=True) in wanted
