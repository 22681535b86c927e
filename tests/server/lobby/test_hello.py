"""Hello: SPEC.md#after-joined, #resuming, #tokens-keys-and-tickets, #one-socket-per-identity."""

from tests.server.local_server import new_server, one, only, open_room, playing, received, refused, request

from parlour_protocol import messages as m
from parlour_protocol.codec import FROM_CLIENT, MAX_CLIENT_FRAME
from parlour_server import effects, persistence
from parlour_server.lobby.hello import LIMITS


def test_welcome_has_the_identity_and_the_abilities_of_the_server() -> None:
    local = new_server()
    peer = local.open("anna")
    welcome = request(peer, m.Hello("anna", "human", id="hi"), m.Welcome)
    assert (welcome.re, welcome.name, welcome.server, welcome.rooms) == ("hi", "anna", "local", [])
    assert welcome.limits == LIMITS
    assert (LIMITS["frame"], LIMITS["list"], LIMITS["map"]) == (MAX_CLIENT_FRAME, FROM_CLIENT.array, FROM_CLIENT.map)
    assert {"nonce", "fake", "uno"} <= set(welcome.can)
    assert welcome.token is not None


def test_the_new_token_is_stored_before_the_welcome_leaves() -> None:
    local = new_server()
    peer = local.open("anna")
    wanted = local.lobby.receive(peer.conn, {"t": "hello", "name": "anna", "kind": "human"}, 0)
    kinds = [type(effect) for effect in wanted]
    assert kinds.index(persistence.SaveIdentity) < kinds.index(effects.Post)
    [saved] = [effect for effect in wanted if isinstance(effect, persistence.SaveIdentity)]
    [welcome] = [effect.message for effect in wanted if isinstance(effect, effects.Post)]
    assert isinstance(welcome, m.Welcome)
    assert welcome.token is not None
    assert welcome.token not in str(saved)


def test_before_hello_nothing_is_done() -> None:
    local = new_server()
    at = open_room(local=local)
    peer = local.open("zoe")
    for message in (m.List(), m.Join(at.code), m.Act(at.code, 1, 0), m.Ping(), m.Chat(at.code, "hi")):
        assert refused(peer, message).code == "hello_first"


def test_after_a_wrong_token_the_socket_may_say_another_hello() -> None:
    local = new_server()
    peer = local.open("anna")
    error = refused(peer, m.Hello("anna", "human", token="0" * 64, id=1))
    assert (error.code, error.re, error.strikes) == ("bad_token", 1, None)
    request(peer, m.Hello("anna", "human"), m.Welcome)


def test_the_newer_socket_wins() -> None:
    at = playing()
    older = at[0]
    newer = at.server.connect("anna", "human", token=older.token)
    assert received(older) == [m.Bye("replaced", "you have connected again elsewhere")]
    assert older.closed == 4001
    newer.inbox.clear()
    newer.send(m.Act(at.code, 1, 0))
    assert one(newer, m.Turn).ok == {"rid": 1, "act": {"do": "take", "cell": 0}}


def test_the_seat_never_counts_as_absent_when_sockets_are_exchanged() -> None:
    at = playing()
    at.server.connect("anna", "human", token=at[0].token)
    assert at.room.audience.absent == {}
    at.server.wait(40_000)
    assert at.seat(0).by == "owner"


def test_who_said_hello_before_its_room_was_loaded_is_attached_when_it_is() -> None:
    at = playing()
    at.load_again()
    for peer in at:
        assert [joined.why for joined in only(peer, m.Joined)] == ["resume"]
    assert at.room.audience.absent == {}


def test_a_key_comes_back_to_all_seats_too() -> None:
    at = playing()
    keyed = at.server.open("kate")
    keyed.send(m.Hello("kate", "human", key="k" * 32))
    keyed.send(m.Create("fake", seats=2))
    code = one(keyed, m.Joined).room
    keyed.close()
    again = at.server.open("kate")
    welcome = request(again, m.Hello("kate", "human", key="k" * 32), m.Welcome)
    assert welcome.rooms == [code]
    assert one(again, m.Joined).why == "resume"


def test_a_frame_on_the_new_socket_ends_the_token_before_though_it_is_no_message() -> None:
    local = new_server()
    first = local.connect("anna", "human")
    second = local.connect("anna", "human", token=first.token)
    local.carry_out(local.lobby.receive(second.conn, {"t": "nonsense"}, 0))
    assert refused(local.open("anna"), m.Hello("anna", "human", token=first.token)).code == "bad_token"


def test_what_a_bot_has_offered_is_forgotten_with_its_socket_also_when_a_newer_one_wins() -> None:
    local = new_server()
    robo = local.connect("robo", "bot")
    robo.send(m.OfferBot(["fake"], 3))
    local.connect("robo", "bot", token=robo.token)
    rooms = request(local.connect("anna"), m.List(), m.Rooms)
    assert rooms.bots == []


def test_a_seat_that_the_room_does_not_know_of_is_not_promised() -> None:
    at = open_room()
    who = at.server.lobby.connections.sessions[at[1].conn].who
    assert who is not None
    at.room.state.seats[1] = None
    at[1].close()
    again = at.server.open("bert")
    welcome = request(again, m.Hello("bert", "human", token=at[1].token), m.Welcome)
    assert welcome.rooms == []
    assert received(again) == []


def test_a_disconnected_guest_without_a_seat_loses_its_name() -> None:
    local = new_server()
    local.connect("anna", "human").close()
    assert local.connect("Anna", "human").name == "Anna"


def test_a_disconnected_guest_with_a_seat_keeps_its_name() -> None:
    at = open_room("uno")
    name = at[1].name
    at[1].close()
    error = refused(at.server.open("late"), m.Hello(name, "human"))
    assert error.code == "name_taken"
