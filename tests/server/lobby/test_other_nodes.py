"""Other nodes: visitors with tickets, rooms elsewhere, and changes that other nodes have stored."""

import json
from typing import Any

import pytest
from msgspec.structs import replace
from tests.server.local_server import OpenRoom, one, only, open_room, playing, received, refused, request

from parlour_protocol import messages as m
from parlour_protocol.errors import REPLACED, SHUT_OUT
from parlour_server import effects, persistence
from parlour_server.contests.contest import Contest, Entrant, Plan
from parlour_server.directory import peers
from parlour_server.directory.identities import Identity, hashed
from parlour_server.directory.peers import Peers, RoomLocation
from parlour_server.directory.rooms import row
from parlour_server.directory.sessions import ClientSession
from parlour_server.effects import Effect
from parlour_server.lobby.sync import CALLED_AFTER
from parlour_server.local import Local, Peer
from parlour_server.persistence import PeerNode as Node
from parlour_server.persistence import Sightings

THERE = RoomLocation("wss://two.example", "ws://10.0.0.2:7777")
HIDDEN = RoomLocation("", "ws://10.0.0.2:7777")


def shared(at: OpenRoom) -> OpenRoom:
    at.server.lobby.peers.shared = True
    return at


def identity(at: OpenRoom, peer: Peer) -> Identity:
    return at.server.lobby.connections.identity(session(at, peer))


def session(at: OpenRoom, peer: Peer) -> ClientSession:
    return at.server.lobby.connections.sessions[peer.conn]


def stored(at: OpenRoom) -> Identity:
    """Return the host, whom the store knows as this node does."""
    anna = identity(at, at[0])
    at.server.lobby.identities.stored(anna.saved())
    return anna


def visit(at: OpenRoom, who: str, name: str, ticket: str = "t" * 64) -> Peer:
    """Return a socket that has said hello with a ticket for the room of ``at``."""
    at.server.lobby.peers.visits[hashed(ticket)] = (who, at.code)
    peer = at.server.open(name)
    peer.send(m.Hello(name, "human", ticket=ticket))
    return peer


def away(at: OpenRoom, number: int) -> str:
    """Let the player of a seat have its main socket elsewhere; return who it is."""
    who = identity(at, at[number]).who
    at[number].close()
    return who


def sights(local: Local, *changes: Any, **told: Any) -> list[Effect]:
    """Deliver what another node publishes and has stored; return the effects."""
    rows = {"rooms": [], "bots": [], "calls": [], **told}
    seen = Sightings((Node("two", THERE.url, THERE.peer, json.dumps(rows)),), changes=changes)
    local.lobby.sync.sighted(seen, local.lobby.identities.writes, local.now)
    wanted = local.lobby.take()
    local.carry_out(wanted)
    return wanted


def test_a_visitor_comes_back_once_to_its_seat_and_to_no_other_room() -> None:
    at = shared(playing())
    guest = visit(at, away(at, 1), "bert")
    assert one(guest, m.Welcome).rooms == [at.code]
    assert refused(guest, m.List()).code == "not_here"
    guest.close()
    assert at.seat(1).who not in at.room.audience.here
    assert refused(at.server.open("bert"), m.Hello("bert", "human", ticket="t" * 64)).code == "bad_ticket"


def test_a_newer_visit_takes_the_place_of_the_older_one_which_may_go_as_it_likes() -> None:
    at = shared(playing())
    who = away(at, 1)
    older = visit(at, who, "bert")
    newer = visit(at, who, "bert", "u" * 64)
    assert older.closed == REPLACED
    assert at.server.lobby.connections.sides == {(who, at.code): newer.conn}
    assert who in at.room.audience.here


def test_a_ticket_is_refused_to_banned_or_connected_visitors_and_for_moved_rooms() -> None:
    at = shared(playing())
    anna = identity(at, at[0])
    assert one(visit(at, anna.who, "anna"), m.Error).code == "bad_ticket"
    at[0].close()
    anna.banned = True
    assert one(visit(at, anna.who, "anna"), m.Error).code == "banned"
    anna.banned = False
    del at.server.lobby.rooms.loaded[at.code]
    error = one(visit(at, anna.who, "anna"), m.Error)
    assert (error.code, error.retry_after) == ("retry", 0)


def relayed(at: OpenRoom, peer: Peer) -> None:
    """Relay a client that cannot follow redirects to a room at another node."""
    lobby = at.server.lobby
    proof: m.Seen = {"room": "FAR2", "epoch": 1, "seq": 4}
    lobby.peers.locations["FAR2"] = HIDDEN
    lobby.handoff.send(session(at, peer), "FAR2", None, proof)
    ticket, relay = lobby.take()
    assert isinstance(ticket, persistence.SaveTicket)
    assert isinstance(relay, effects.Relay)
    assert hashed(relay.hello["ticket"]) == ticket.hash
    assert (relay.hello["name"], relay.hello["rooms"]) == (peer.name, [proof])
    assert session(at, peer).relayed == {"FAR2"}


@pytest.mark.parametrize("can", [None, ["redirect"]])
def test_a_client_that_can_follow_redirects_is_redirected(can: list[str] | None) -> None:
    at = shared(open_room())
    guest = at.server.connect("gwen", can=can)
    at.server.lobby.peers.locations["FAR2"] = THERE
    at.server.lobby.handoff.send(session(at, guest), "FAR2", {"t": "join", "id": 7})
    at.server.carry_out(at.server.lobby.take())
    redirects = only(guest, m.Redirect)
    assert [(each.room, each.url, each.re) for each in redirects] == ([("FAR2", THERE.url, 7)] if can else [])
    assert ("FAR2" in session(at, guest).relayed) is (can is None)


def test_a_relay_goes_on_where_the_room_is_by_now() -> None:
    at = shared(open_room())
    relayed(at, at[0])
    lobby = at.server.lobby
    lobby.handoff.relay_again(at[0].conn, "FAR2", None)
    assert [type(each) for each in lobby.take()] == [persistence.SaveTicket, effects.Relay]
    session(at, at[0]).gone = True
    lobby.handoff.relay_again(at[0].conn, "FAR2", None)
    lobby.handoff.relay_again(99, "FAR2", None)
    assert lobby.take() == []


@pytest.mark.parametrize("left", [True, False])
def test_the_end_of_a_relay_is_sent_once(left: bool) -> None:
    at = shared(open_room())
    relayed(at, at[0])
    for _ in range(2):
        at.server.lobby.handoff.end(at[0].conn, "FAR2", left)
        at.server.carry_out(at.server.lobby.take())
    assert received(at[0]) == ([m.Left("FAR2", "expired")] if left else [])


@pytest.mark.parametrize(("watch", "answer"), [(True, m.Joined), (False, m.Left)])
def test_a_room_that_moves_here_continues_for_its_members(watch: bool, answer: type) -> None:
    at = shared(open_room(watch=watch))
    guest = at.server.connect("gwen")
    session(at, guest).relayed.add(at.code)
    lobby = at.server.lobby
    lobby.handoff.come_home(guest.conn, at.code, at.server.now)
    at.server.carry_out(lobby.take())
    assert [type(each) for each in received(guest) if not isinstance(each, m.SeatsChanged)] == [answer]
    lobby.handoff.come_home(guest.conn, at.code, at.server.now)
    assert lobby.take() == []


def test_rooms_and_bots_of_other_nodes_are_listed_and_codes_not_given_again() -> None:
    at = shared(open_room())
    own = row(at.room)
    private = json.loads(open_room(private=True).server.lobby.sync.notice(0))["unlisted"][0]
    rooms = [{**own, "room": "FR77"}, own]
    sights(at.server, rooms=rooms, unlisted=[private], bots=[["w" * 16, "robo", ["fake"], 2, {}]])
    listed = at.server.connect("gwen")
    listed.send(m.List())
    found = one(listed, m.Rooms)
    assert [each["room"] for each in found.rooms] == sorted([at.code, "FR77"])
    assert [each["name"] for each in found.bots] == ["robo"]
    assert "FR77" in at.server.lobby.rooms.used
    assert request(listed, m.List(room=private["room"].lower())) == m.Rooms([private], [])
    sights(at.server)
    assert not at.server.lobby.peers.rows
    assert refused(listed, m.List(room=private["room"])).code == "no_room"


def test_a_bot_that_was_given_a_seat_elsewhere_is_sent_there_once() -> None:
    at = shared(open_room())
    robo = at.server.connect("robo", "bot")
    who = identity(at, robo).who
    assert sights(at.server, calls=[["FAR2", who]]) == []  # it is not available
    robo.send(m.OfferBot(["fake"], 1))
    assert [type(each) for each in sights(at.server, calls=[["FAR2", who]])] == [persistence.SaveTicket, effects.Relay]
    assert sights(at.server, calls=[["FAR2", who]]) == []


def test_a_bot_is_missed_and_takes_its_seat_when_it_offers_itself_here() -> None:
    at = shared(open_room(seats=3))
    robo = at.server.connect("robo", "bot")
    robo.send(m.Join(at.code))
    robo.close()
    at.server.wait(CALLED_AFTER + 1)
    lobby = at.server.lobby
    who = next(seat.who for _, seat in at.room.state.seats.taken() if seat.name == "robo")
    assert who is not None
    sights(at.server, bots=[[who, "robo", ["fake"], 1, {}]])
    assert json.loads(lobby.sync.notice(at.server.now))["calls"] == [[at.code, who]]
    again = at.server.connect("robo", "bot", token=robo.token)
    assert json.loads(lobby.sync.notice(at.server.now))["calls"] == []
    assert who in at.room.audience.here
    again.close()


@pytest.mark.parametrize(("change", "code"), [({"token": hashed("another")}, REPLACED), ({"banned": True}, SHUT_OUT)])
def test_a_hello_or_a_ban_at_another_node_closes_the_connection_here(change: dict[str, Any], code: int) -> None:
    at = shared(open_room())
    anna = stored(at)
    sights(at.server, replace(anna.saved(), **change))
    assert at[0].closed == code
    assert (anna.who in at.server.lobby.peers.people) is (code == REPLACED)


def test_what_was_stored_before_our_own_last_word_changes_nothing() -> None:
    at = shared(open_room())
    anna = identity(at, at[0])
    sights(at.server, replace(anna.saved(), banned=True))  # ours is still on its way to the store
    sights(at.server, replace(anna.saved(), who="nobody", banned=True))
    assert at[0].closed is None


def test_of_very_many_rooms_elsewhere_those_asked_for_last_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "MOST_LOCATIONS", 2)
    known = Peers()
    for code in ("AAAA", "BBBB", "AAAA", "CCCC"):
        known.found(code, THERE)
    assert list(known.locations) == ["AAAA", "CCCC"]


def test_an_identity_deleted_at_another_node_leaves_its_rooms_here_and_the_store_knows_that_it_was() -> None:
    at = shared(playing(people=3))
    who = [at.seat(number).who for number in range(3)]
    anna = stored(at)
    sights(at.server, persistence.DropIdentity(anna.who, True))
    assert at[0].closed == SHUT_OUT
    assert at.room.state.seats.of(anna.who) is None
    at.act(1, "end")
    [saved] = at.server.matches
    assert [row.who for row in saved.match.rows] == who, "the store tells a deleted identity from an expired one"


def test_ratings_of_other_nodes_count_here() -> None:
    at = shared(open_room())
    sights(at.server, persistence.Rated("w", "fake", 1_500))
    assert at.server.lobby.ratings.table["w", "fake"] == 1_500


def test_contests_of_other_nodes_are_followed() -> None:
    at = shared(open_room())
    lobby = at.server.lobby
    held = Contest(Plan(name="cup", game="fake", options={}, entrants=(Entrant("w1", "one"), Entrant("w2", "two"))))
    begun = held.begun(0, "FAR2")
    sights(at.server, begun)  # that contest is not known here yet
    assert not lobby.director.contests
    sights(at.server, held.save(), begun)
    assert lobby.director.contests["cup"].rooms == {0: "FAR2"}
    assert not lobby.director.contests["cup"].stopped
    assert not lobby.peers.holds("cup")
    sights(at.server, replace(held.save(), stopped=True))
    assert lobby.director.contests["cup"].stopped
