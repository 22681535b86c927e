"""Hello: what a token, a key or a name opens, and what it costs nobody.

SPEC.md#after-joined, #resuming, #tokens-keys-and-tickets, #one-socket-per-identity.
"""

from typing import Any

import pytest
from msgspec.structs import astuple
from tests.server.local_server import OpenRoom, new_server, one, only, open_room, playing, received, refused, request

from parlour_protocol import messages as m
from parlour_protocol.codec import FROM_CLIENT, MAX_CLIENT_FRAME
from parlour_server import effects, persistence
from parlour_server.lobby.hello import LIMITS
from parlour_server.local import Local


def world(at: OpenRoom) -> tuple[Any, ...]:
    """Return all that a hello might change: identities, main sockets, seats, who is here, and the log."""
    lobby = at.server.lobby
    who = [lobby.connections.sessions[peer.conn].who for peer in at]
    identities = [astuple(lobby.identities.get(each).saved()) for each in who if each is not None]
    seats = {name: set(codes) for name, codes in lobby.rooms.seats.items()}
    return identities, dict(lobby.connections.main), seats, sorted(at.room.audience.here), at.lines()[:]


def assert_bad(local: Local, *tokens: str | None) -> None:
    """Assert that each of these tokens of anna is refused."""
    for token in tokens:
        assert refused(local.open("anna"), m.Hello("anna", "human", token=token)).code == "bad_token"


def test_welcome_has_the_identity_and_the_abilities_of_the_server() -> None:
    welcome = request(new_server().open("anna"), m.Hello("anna", "human", id="hi"), m.Welcome)
    assert (welcome.re, welcome.name, welcome.server, welcome.rooms) == ("hi", "anna", "local", [])
    assert welcome.limits == LIMITS
    assert (LIMITS["frame"], LIMITS["list"], LIMITS["map"]) == (MAX_CLIENT_FRAME, FROM_CLIENT.array, FROM_CLIENT.map)
    assert {"nonce", "fake", "uno"} <= set(welcome.can)
    assert welcome.token is not None


def test_the_new_token_is_stored_before_the_welcome_leaves() -> None:
    local = new_server()
    peer = local.open("anna")
    saved, welcome = local.lobby.receive(peer.conn, {"t": "hello", "name": "anna", "kind": "human"}, 0)
    assert isinstance(saved, persistence.SaveIdentity)
    assert isinstance(welcome, effects.Post)
    assert isinstance(welcome.message, m.Welcome)
    assert welcome.message.token not in (None, *astuple(saved))


def test_before_hello_nothing_is_done() -> None:
    at = open_room()
    peer = at.server.open("zoe")
    for message in (m.List(), m.Join(at.code), m.Act(at.code, 1, 0), m.Ping(), m.Chat(at.code, "hi")):
        assert refused(peer, message).code == "hello_first"


def test_a_guest_keeps_its_name_without_a_connection_only_by_a_seat() -> None:
    at = open_room("uno")
    at.server.connect("cleo", "human").close()
    assert at.server.connect("Cleo", "human").name == "Cleo"
    at[1].close()
    assert refused(at.server.open("late"), m.Hello("bert", "human")).code == "name_taken"


@pytest.mark.parametrize(("banned", "answer"), [(True, m.Error), (False, m.Welcome)])
def test_a_known_key_does_not_free_the_name_of_an_absent_guest(banned: bool, answer: type[m.ServerMessage]) -> None:
    local = new_server()
    request(local.open("anna"), m.Hello("anna", "human", key="k" * 32), m.Welcome)
    local.connect("cleo", "human").close()
    anna, cleo = (local.lobby.identities.by_name(name) for name in ("anna", "cleo"))
    assert anna is not None
    anna.banned = banned
    request(local.open("late"), m.Hello("cleo", "human", key="k" * 32), answer)
    assert local.lobby.identities.by_name("cleo") is cleo is not None


@pytest.mark.parametrize(
    ("code", "tokens"),
    [
        ("bad_token", ["0" * 64, "", "x", "\0", "🎉" * 64, "0" * 128, "null", "ab" * 31]),
        ("bad_message", [5, True, [], ["t"], {}, {"t": "x"}, 1.5, "0" * 129]),
    ],
)
def test_what_never_was_a_token_changes_nothing_and_another_hello_may_follow(code: str, tokens: list[Any]) -> None:
    at = playing()
    before = world(at)
    stranger = at.server.open("anna")
    for token in tokens:
        hello = {"t": "hello", "name": "anna", "kind": "human", "token": token, "id": 1}
        at.server.carry_out(at.server.lobby.receive(stranger.conn, hello, at.server.now))
        error = one(stranger, m.Error)
        assert (error.code, error.re, error.strikes is None) == (code, 1, code == "bad_token"), token
    assert world(at) == before
    assert [received(peer) for peer in at] == [[], []]
    request(stranger, m.Hello("zoe", "human"), m.Welcome)


def test_the_token_of_another_opens_nothing_but_the_others_seat() -> None:
    at = playing()
    thief = at.server.open("bert")
    assert request(thief, m.Hello("bert", "human", token=at[0].token), m.Welcome).name == "anna"
    assert one(thief, m.Joined).seat == 0
    assert at[1].closed is None


def test_the_newer_of_two_sockets_wins_and_the_seat_never_counts_as_absent() -> None:
    at = playing()
    token = at[0].token
    loser = at.server.connect("anna", "human", token=token)
    assert received(at[0]) == [m.Bye("replaced", "you have connected again elsewhere")]
    winner = at.server.connect("anna", "human", token=token)
    assert (at[0].closed, loser.closed, winner.closed) == (4001, 4001, None)
    winner.inbox.clear()
    winner.send(m.Act(at.code, 1, 0))
    assert one(winner, m.Turn).ok == {"rid": 1, "act": {"do": "take", "cell": 0}}
    assert_bad(at.server, token, loser.token)
    at.server.wait(40_000)
    assert (at.room.audience.absent, at.seat(0).by) == ({}, "owner")
    at.server.connect("anna", "human", token=winner.token)


def test_a_late_copy_of_an_older_hello_costs_its_client_no_seat() -> None:
    at = playing()
    first = at[0].token
    newest = at.server.connect("anna", "human", token=first)
    ghost = at.server.connect("anna", "human", token=first)
    assert (newest.closed, ghost.closed) == (4001, None)
    again = at.server.connect("anna", "human", token=newest.token)
    again.send(m.Ping())
    assert ghost.closed == 4001
    assert at.seat(0).by == "owner"
    assert_bad(at.server, first, newest.token, ghost.token)


def test_a_frame_on_the_new_socket_ends_the_token_before_though_it_is_no_message() -> None:
    local = new_server()
    first = local.connect("anna", "human")
    second = local.connect("anna", "human", token=first.token)
    local.carry_out(local.lobby.receive(second.conn, {"t": "nonsense"}, 0))
    assert_bad(local, first.token)


def test_who_said_hello_before_its_room_was_loaded_is_attached_when_it_is() -> None:
    at = playing()
    at.load_again()
    for peer in at:
        assert [joined.why for joined in only(peer, m.Joined)] == ["resume"]
    assert at.room.audience.absent == {}


def test_reconnecting_gains_no_time() -> None:
    at = playing(clock={"bank": 60_000, "add": 5_000}, standin=False)
    peer, left = at[0], []
    for _ in range(12):
        peer.close()
        at.server.wait(1_000)
        peer = at.server.connect("anna", "human", token=peer.token)
        left.append(one(peer, m.Turn).left)
    assert left == [64_000 - 1_000 * number for number in range(12)]


def test_a_key_comes_back_to_all_seats_too() -> None:
    local, hello = new_server(), m.Hello("kate", "human", key="k" * 32)
    keyed, again = local.open("kate"), local.open("kate")
    keyed.send(hello)
    keyed.send(m.Create("fake", seats=2))
    code = one(keyed, m.Joined).room
    keyed.close()
    assert request(again, hello, m.Welcome).rooms == [code]
    assert one(again, m.Joined).why == "resume"


def test_a_seat_that_the_room_does_not_know_of_is_not_promised() -> None:
    at = open_room()
    at.room.state.seats[1] = None
    again = at.server.open("bert")
    assert request(again, m.Hello("bert", "human", token=at[1].token), m.Welcome).rooms == []
    assert received(again) == []


def test_what_a_bot_has_offered_is_forgotten_with_its_socket_also_when_a_newer_one_wins() -> None:
    local = new_server()
    robo = local.connect("robo", "bot")
    robo.send(m.OfferBot(["fake"], 3))
    local.connect("robo", "bot", token=robo.token)
    assert request(local.connect("anna"), m.List(), m.Rooms).bots == []
