"""Deleting an identity: what is removed, what stays, and who may do it."""

from typing import Any

import pytest
from tests.server.contests.contest_bots import Bots
from tests.server.local_server import OpenRoom, keyed, open_room, playing, received, refused, request

from parlour_protocol import messages as m
from parlour_protocol.errors import CODES
from parlour_protocol.wire import plain
from parlour_server import persistence
from parlour_server.local import Peer

KEY = "key of kim"


def seated(**create: Any) -> tuple[OpenRoom, Peer]:
    """Return a room whose last seat belongs to a client with a key."""
    at = open_room("fake", 2, seats=3, **create)
    kim = keyed(at.server, "kim")
    kim.send(m.Join(at.code))
    at.clear()
    kim.inbox.clear()
    return at, kim


def test_the_owner_deletes_itself_by_its_key() -> None:
    at, kim = seated()
    who = at.seat(2).who
    wanted = at.server.lobby.receive(kim.conn, plain(m.Delete(KEY, id=7)), 0)
    [dropped] = [effect for effect in wanted if isinstance(effect, persistence.DropIdentity)]
    assert (dropped.who, dropped.erased) == (who, True)
    at.server.carry_out(wanted)
    answer, left, bye = received(kim)
    assert (answer, left) == (m.Ok(re=7), m.Left(at.code, "left"))
    assert bye == m.Bye("deleted", "this identity has been deleted")
    assert kim.closed == 4003
    assert at.room.state.seats[2] is None
    assert refused(at.server.open("kim"), m.Hello("kim", "human", token=kim.token or "t")).code == "bad_token"
    request(at.server.open("kim"), m.Hello("kim", "human", key="x" * 64), m.Welcome)


def test_deleting_needs_the_key_which_a_guest_has_not() -> None:
    at, kim = seated()
    for key in ("", "x" * 64, KEY.upper()):
        assert refused(kim, m.Delete(key)).code == "bad_key"
    assert at.room.state.seats[2] is not None
    assert kim.closed is None
    refusal = refused(at[0], m.Delete(""))
    assert (refusal.code, refusal.hint == CODES["bad_key"]) == ("bad_key", False), "the hint is for guests"


def test_a_deleted_spectator_leaves_its_rooms() -> None:
    at = open_room()
    before = set(at.room.audience.here)
    kim = keyed(at.server, "kim")
    kim.send(m.Join(at.code, "spectator"))
    assert at.room.audience.here.keys() > before
    kim.send(m.Delete(KEY))
    assert at.room.audience.here.keys() == before


@pytest.mark.parametrize("standin", [False, True])
def test_a_match_continues_and_its_result_hides_the_deleted_name(standin: bool) -> None:
    at, kim = seated(standin=standin, clock=None)
    at.start().clear()
    kim.send(m.Delete(KEY))
    at.act(0, "end")
    [saved] = at.server.matches
    assert [row.name for row in saved.match.rows] == ["anna", "bert", "deleted"]
    assert saved.match.rows[2].who == ""


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
    at.order()
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
    at.order()
    playing = at.asked()
    at.operator.send(m.Admin("operator", "delete", name=playing.name))
    assert playing.closed == 4003
    assert at.local.lobby.identities.by_name(playing.name) is None
    for live in at.local.lobby.rooms.loaded.values():
        assert all(seat.who in at.local.lobby.identities for _, seat in live.room.state.seats.taken() if seat.who)
