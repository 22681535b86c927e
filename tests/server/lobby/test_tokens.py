"""Wrong, old, stolen and missing tokens change nothing and cost no one a seat.

SPEC.md#resuming, #tokens-keys-and-tickets, #one-socket-per-identity.
"""

from typing import Any

import pytest
from msgspec.structs import astuple
from tests.server.local_server import OpenRoom, one, playing, received, refused, request

from parlour_protocol import messages as m
from parlour_server.local import Peer


def world(at: OpenRoom) -> tuple[Any, ...]:
    """Return all that a hello might change: identities, main sockets, seats, who is here, and the log."""
    lobby = at.server.lobby
    who = [lobby.connections.sessions[peer.conn].who for peer in at]
    identities = [astuple(lobby.identities.get(each).saved()) for each in who if each is not None]
    here = sorted(at.room.audience.here)
    return (
        identities,
        dict(lobby.connections.main),
        {name: set(codes) for name, codes in lobby.rooms.seats.items()},
        here,
        at.lines()[:],
    )


def again(at: OpenRoom, token: str | None) -> Peer:
    """Let the player of seat 0 come back; its next token is in the peer that is returned."""
    at.peers[0] = at.server.connect("anna", "human", token=token)
    return at[0]


@pytest.mark.parametrize("token", ["0" * 64, "", "x", "\0", "🎉" * 64, "0" * 128, "null", "ab" * 31])
def test_what_never_was_a_token(token: str) -> None:
    at = playing()
    before = world(at)
    assert refused(at.server.open("anna"), m.Hello("anna", "human", token=token)).code == "bad_token"
    assert world(at) == before
    assert [received(peer) for peer in at] == [[], []]
    at.act(0, "take", cell=4)
    assert one(at[0], m.Turn).ok is not None


@pytest.mark.parametrize("token", [5, True, [], ["t"], {}, {"t": "x"}, 1.5, "0" * 129])
def test_what_cannot_be_a_token(token: Any) -> None:
    at = playing()
    before = world(at)
    stranger = at.server.open("anna")
    hello = {"t": "hello", "name": "anna", "kind": "human", "token": token}
    at.server.carry_out(at.server.lobby.receive(stranger.conn, hello, at.server.now))
    assert one(stranger, m.Error).code == "bad_message"
    assert world(at) == before


def test_the_token_of_another_opens_nothing_but_the_others_seat() -> None:
    at = playing()
    thief = at.server.open("bert")
    welcome = request(thief, m.Hello("bert", "human", token=at[0].token), m.Welcome)
    assert welcome.name == "anna"
    assert one(thief, m.Joined).seat == 0
    assert at[1].closed is None


def test_the_owner_of_a_token_that_a_thief_has_just_used_can_still_use_it() -> None:
    at = playing()
    owned = at[0].token
    thief = at.server.connect("anna", "human", token=owned)
    assert at[0].closed == 4001
    owner = at.server.open("anna")
    request(owner, m.Hello("anna", "human", token=owned), m.Welcome)
    assert thief.closed == 4001
    owner.send(m.Ping())
    assert refused(at.server.open("anna"), m.Hello("anna", "human", token=thief.token)).code == "bad_token"


def test_a_stolen_token_used_first_costs_no_seat() -> None:
    """The token is the only proof of an identity, so its thief plays the seat; the seat stays with the identity."""
    at = playing()
    stolen, who = at[0].token, at.seat(0).who
    thief = at.server.connect("anna", "human", token=stolen)
    thief.send(m.Ping())
    before = at.lines()[:]
    assert refused(at.server.open("anna"), m.Hello("anna", "human", token=stolen)).code == "bad_token"
    assert (at.lines(), at.seat(0).who, at.seat(0).by, at.room.audience.absent) == (before, who, "owner", {})


# --- two sockets greet with one token -------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_of_two_sockets_that_greet_with_one_token_the_later_one_wins(order: tuple[int, int]) -> None:
    at = playing()
    token = at[0].token
    sockets = [at.server.open("anna"), at.server.open("anna")]
    tokens = []
    for place in order:
        welcome = request(sockets[place], m.Hello("anna", "human", token=token), m.Welcome)
        tokens.append(welcome.token)
    loser, winner = (sockets[place] for place in order)
    assert (loser.closed, winner.closed) == (4001, None)
    winner.inbox.clear()
    winner.send(m.Act(at.code, at.rid(0), 0))
    assert one(winner, m.Turn).ok is not None
    assert at.seat(0).by == "owner"
    for old in (token, tokens[0]):
        assert refused(at.server.open("anna"), m.Hello("anna", "human", token=old)).code == "bad_token"
    at.server.connect("anna", "human", token=tokens[1])


def test_a_late_copy_of_an_older_hello_costs_its_client_no_seat() -> None:
    at = playing()
    first = at[0].token
    newest = again(at, first).token
    ghost = at.server.connect("anna", "human", token=first)
    assert (at[0].closed, ghost.closed) == (4001, None)
    again(at, newest).send(m.Ping())
    assert ghost.closed == 4001
    assert at.seat(0).by == "owner"
    for old in (first, newest, ghost.token):
        assert refused(at.server.open("anna"), m.Hello("anna", "human", token=old)).code == "bad_token"
