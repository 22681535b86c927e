"""Each message gets exactly one answer.

SPEC.md#one-answer, #stored-before-sent, #one-act-in-flight, #room-codes, #rate-limits-and-strikes.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from tests.server.local_server import OpenRoom, new_server, one, open_room, playing, received, refused, request
from tests.server.rooms.random_room import answered

from parlour_protocol import messages as m
from parlour_protocol.errors import BadFrame
from parlour_protocol.wire import plain
from parlour_server import effects, persistence
from parlour_server.directory.sessions import STRIKES
from parlour_server.local import Peer


def raw(at: OpenRoom, peer: Peer, data: dict[str, Any]) -> list[m.ServerMessage]:
    """Send ``data`` unchecked and return the messages that ``peer`` receives."""
    peer.inbox.clear()
    at.server.carry_out(at.server.lobby.receive(peer.conn, data, at.server.now))
    return received(peer)


def error(at: OpenRoom, peer: Peer, data: dict[str, Any]) -> m.Error:
    [found] = raw(at, peer, data)
    assert isinstance(found, m.Error)
    return found


def answers(code: str) -> list[tuple[m.ClientMessage, str]]:
    """Return messages of the host of a playing room, and how each is answered."""
    return [
        (m.List(), "rooms"), (m.Create("fake"), "joined"), (m.Join(code), "joined"), (m.Ready(code), "ok"),
        (m.Start(code), "error"), (m.Act(code, 1, 0), "turn"), (m.Act(code, 1, 0), "ok"), (m.Chat(code, "hi"), "ok"),
        (m.OfferBot(["fake"], 1), "error"), (m.Invite(code), "error"), (m.Manage(code, "mute", "bert"), "ok"),
        (m.Ping(), "pong"), (m.Admin("x", "drain"), "error"), (m.Hello("anna", "human"), "error"),
        (m.Standings(contest="x"), "error"), (m.Leave(code), "left"),
    ]  # fmt: skip


@pytest.mark.parametrize("id", [1, None])
def test_each_message_gets_exactly_one_answer_with_its_id(id: m.Id | None) -> None:
    at = playing()
    for message, kind in answers(at.code):
        at[0].inbox.clear()
        at[0].send(structs.replace(message, id=id))
        found = [reply.t for reply in received(at[0]) if answered(reply) == id]
        assert found == [kind] if id else kind in found, message


@pytest.mark.parametrize(
    "message", [m.Standings("uno", id=3), m.Profile(id=3), m.File("d", id=3), m.Missed(id=3), m.Presets(id=3)]
)
def test_what_the_node_has_to_look_up_is_answered_by_it(message: m.ClientMessage) -> None:
    local = new_server()
    peer = local.connect("anna")
    [effect] = local.lobby.receive(peer.conn, plain(message), 0)
    assert isinstance(effect, effects.Ask)
    assert (effect.conn, effect.person.name, effect.message) == (peer.conn, "anna", message)


def test_a_frame_that_cannot_be_decoded_is_answered_without_re() -> None:
    local = new_server()
    peer = local.connect("anna")
    local.carry_out(local.lobby.refuse(peer.conn, BadFrame("not JSON"), 0, {}))
    found = one(peer, m.Error)
    assert (found.code, found.re, found.room, found.rid, found.strikes) == ("bad_frame", None, None, None, [1, 20])


@pytest.mark.parametrize(
    ("data", "told_back"),
    [
        ({"t": "act", "id": 7, "room": "K7QD", "rid": 3, "act": "no"}, (7, "K7QD", 3)),
        ({"t": "act", "id": [], "room": 9, "rid": "3"}, (None, None, None)),
        ({"t": "act", "id": True, "room": "K" * 65, "rid": 2**53}, (None, None, None)),
        ({"t": 5, "id": "x" * 64}, ("x" * 64, None, None)),
        ({}, (None, None, None)),
        ({"t": ["act"], "id": "\ud800"}, (None, None, None)),
    ],
)
def test_an_error_repeats_what_of_a_message_is_as_it_should_be(data: dict[str, Any], told_back: Any) -> None:
    at = open_room()
    found = error(at, at[0], data)
    assert (found.code, (found.re, found.room, found.rid)) == ("bad_message", told_back)


def test_nothing_leaves_before_what_was_appended_before_it() -> None:
    at = playing()
    data = {"t": "act", "room": at.code, "rid": 1, "act": {"do": "end"}}
    kinds = [type(effect) for effect in at.server.lobby.receive(at[0].conn, data, 0)]
    last_write = max(k for k, kind in enumerate(kinds) if kind in (persistence.Append, persistence.SaveMatch))
    first_post = kinds.index(effects.Post)
    assert last_write < first_post
    assert kinds.count(persistence.Append) == 2


def rooms(peer: Peer, **more: Any) -> m.Rooms:
    return request(peer, m.List(**more), m.Rooms)


def test_the_list_shows_open_rooms_and_bots_that_may_be_invited() -> None:
    at = open_room("fake", 1, seats=3, kinds="any", watch=False)
    at[0].send(m.Create("uno", private=True))
    robo = at.server.connect("robo", "bot")
    robo.send(m.OfferBot(["fake", "uno"], 2))
    found = rooms(robo)
    row: m.RoomRow = {
        "room": at.code, "game": "fake", "state": "waiting", "seats": 3, "taken": 1, "kinds": "any", "watch": False,
        "host": "anna", "people": 1, "rules": [], "options": {"breath": 750, "pause": 0}, "clock": m.DEFAULT_CLOCK,
            "standin": True,
    }  # fmt: skip
    assert found.rooms == [row]
    assert found.bots == [{"name": "robo", "games": ["fake", "uno"], "free": 2}]
    [who] = at.server.lobby.bots.available
    at.server.lobby.ratings.changed([persistence.Rated(who, "fake", 1_600)])
    assert [rooms(robo, game=game).bots[0].get("rating") for game in ("fake", "uno")] == [1_600, None]
    at[0].send(m.Invite(at.code, "robo"))
    assert rooms(robo).bots[0]["free"] == 1
    robo.send(m.OfferBot([], 0))
    assert rooms(robo).bots == []
    assert rooms(robo, game="uno").rooms == []
    assert len(rooms(robo, game="fake").rooms) == 1


def test_the_list_names_the_players_who_are_there_in_rooms_that_allow_spectators() -> None:
    at = open_room("fake", 2, seats=3, kinds="any")
    robo = at.enter("robo", "bot")
    people: list[m.Plain] = [{"name": name, "kind": "human"} for name in ("anna", "bert")]
    [row] = rooms(robo).rooms
    assert row["players"] == [*people, {"name": "robo", "kind": "bot"}]
    robo.send(m.Leave(at.code))
    [row] = rooms(robo).rooms
    assert (row["taken"], row["players"]) == (2, people)
    at.start()[1].send(m.Leave(at.code))
    [row] = rooms(robo).rooms
    assert (row["taken"], row["players"]) == (2, people[:1])


def test_a_code_shows_the_row_of_its_room_though_it_is_not_listed() -> None:
    at = open_room("uno", 1, seats=2, private=True, watch=False, clock=None, options={"stack2": True})
    guest = at.server.connect("gwen")
    assert rooms(guest).rooms == []
    found = rooms(guest, room=at.code.lower())
    [row] = found.rooms
    assert (row["room"], row["rules"], row["clock"]) == (at.code, ["Draw two on draw two", "no clock"], None)
    assert row["options"] == at.room.audience.table(at.server.now)["options"]
    assert "players" not in row
    assert found.bots == []
    at[0].send(m.Join(at.code))
    guest.send(m.Join(at.code))
    at[0].send(m.Manage(at.code, "ban", "gwen"))
    assert refused(guest, m.List(room=at.code)).code == "banned"


def test_a_room_that_all_have_left_after_their_match_is_not_listed() -> None:
    at = playing("fake", 2)
    watcher = at.server.connect("wanda")
    at.act(0, "end")
    assert at.state == "finished"
    at[0].close()
    assert [row["room"] for row in rooms(watcher).rooms] == [at.code]
    at[1].close()
    assert rooms(watcher).rooms == []
    assert [row["room"] for row in rooms(watcher, room=at.code).rooms] == [at.code]
    at.server.connect("bert", "human", token=at[1].token)
    assert [row["room"] for row in rooms(watcher).rooms] == [at.code]


def test_the_list_comes_in_pages() -> None:
    local = new_server()
    for number in range(5):
        peer = local.connect(f"host{number}")
        for _ in range(41):
            local.wait(250)
            peer.send(m.Create("fake"))
    seen: list[str] = []
    anna, after = local.connect("anna"), None
    for size in (100, 100, 5):
        page = rooms(anna, after=after.lower() if after else None)
        assert len(page.rooms) == size
        seen += [row["room"] for row in page.rooms]
        after = page.after
    assert after is None
    assert seen == sorted(local.lobby.rooms.loaded)


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (m.Create("fake", seats=9), "bad_options"),
        (m.Create("fake", kinds="bots"), "wrong_kind"),
        (m.Create("uno", style="llm"), "wrong_kind"),
        (m.OfferBot(["fake"], 1), "wrong_kind"),
        (m.Chat("ZZZZ", " "), "bad_message"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_is_opened(message: m.ClientMessage, code: str) -> None:
    local = new_server()
    peer = local.connect("anna", "human")
    assert refused(peer, message).code == code
    assert local.lobby.rooms.loaded == {}
    assert local.log == {}


def test_a_room_of_the_servers_own_belongs_to_its_first_guest_and_stays() -> None:
    local = new_server()
    code, wanted = local.lobby.keep_room("fake", 4, 0)
    local.carry_out(wanted)
    joined = request(local.connect("anna", "human"), m.Join(code), m.Joined)
    assert joined.table["host"] == "anna"
    local.wait(2_000_000)
    assert code in local.lobby.rooms.loaded
    assert [effect.kept for effect in wanted if isinstance(effect, persistence.SaveRoom)] == [True]


def spend(at: OpenRoom, peer: Peer) -> None:
    """Empty the bucket of a connection."""
    at.server.lobby.connections.sessions[peer.conn].fine(1_000, at.server.now)


def test_an_act_under_an_open_rid_is_taken_in_whatever_the_bucket_holds() -> None:
    at = playing()
    spend(at, at[0])
    for cell in range(6):
        at.act(0, "take", cell=cell)
        assert isinstance(one(at[0], m.Turn).ok, dict)
    assert refused(at[0], m.Act(at.code, at.rid(0), 99)).code == "illegal_action"


def test_everything_else_is_not_processed_without_tokens() -> None:
    at = playing("fake", 2, seats=3)
    spend(at, at[0])
    kinds = [message for message, _ in answers(at.code) if not (isinstance(message, m.Act) and message.rid == 1)]
    for message in [*kinds, m.Act(at.code, 77, 0), m.Act("ZZZZ", 1, 0)]:
        found = refused(at[0], structs.replace(message, id=1))
        assert (found.code, found.re, found.strikes) == ("rate_limited", 1, None)
        assert found.retry_after
    assert at.state == "playing"


def cost_of(at: OpenRoom, peer: Peer, data: dict[str, Any]) -> float:
    session = at.server.lobby.connections.sessions[peer.conn]
    session.pay(0, at.server.now)
    before = session._tokens
    raw(at, peer, data)
    return before - session._tokens


@pytest.mark.parametrize(
    ("data", "tokens"),
    [
        ({"t": "act", "rid": 1, "act": 0}, 0),
        ({"t": "act", "rid": 1, "act": 99}, 1),
        ({"t": "act", "rid": 1, "act": "x"}, 1),
        ({"t": "act", "rid": 9, "act": 0}, 1),
        ({"t": "act", "rid": 1, "act": 0, "room": "ZZZZ"}, 1),
        ({"t": "ping"}, 1),
        ({"t": "list", "room": None}, 2),
        ({"t": "list", "room": "ZZZZ"}, 11),
        ({"t": "chat", "text": "hi"}, 4),
        ({"t": "create", "game": "fake"}, 10),
        ({"t": "join", "room": "ZZZZ"}, 10),
        ({"t": "leave", "room": "ZZZZ"}, 1),
        ({"t": "teleport"}, 1),
        ({"t": 5}, 1),
        ({"t": "hello", "name": "x", "kind": "bot"}, 1),
        ({"t": "admin", "token": "x", "do": "drain"}, 1),
    ],
)
def test_what_each_message_costs(data: dict[str, Any], tokens: int) -> None:
    at = playing()
    assert cost_of(at, at[0], {"room": at.code, **data}) == tokens


def test_before_hello_nothing_is_free_either_and_no_repeated_answer_is() -> None:
    at = playing()
    peer, act = at.server.open("zoe"), {"t": "act", "room": at.code, "rid": 1, "act": 0}
    assert [cost_of(at, peer, data) for data in ({"t": "ping"}, act, {"t": "teleport"})] == [1, 1, 1]
    assert [cost_of(at, at[0], act) for _ in range(3)] == [0, 1, 1]


def test_the_twentieth_breach_ends_the_connection_and_no_move_is_made() -> None:
    at = playing()
    lines = at.lines()[:]
    for number in range(1, STRIKES):
        assert refused(at[0], m.Act(at.code, 1, 99)).strikes == [number, 20]
    at[0].send(m.Act(at.code, 1, 99, id="last"))
    last, bye = [message for message in received(at[0]) if isinstance(message, m.Error | m.Bye)]
    assert isinstance(last, m.Error)
    assert (last.re, last.strikes) == ("last", [20, 20])
    assert bye == m.Bye("strikes", "20 breaches of the protocol")
    assert at[0].closed == 4008
    assert at.lines() == lines
    assert at.rid(0) == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda code: {"t": "act", "room": code, "rid": 99, "act": 0}, lambda code: {"t": "teleport"},
        lambda code: {"t": "join", "room": "ZZZZ"}, lambda code: {"t": "start", "room": code},
        lambda code: {"t": "invite", "room": code}, lambda code: {"t": "hello", "name": "x", "kind": "bot"},
        lambda code: {"t": "chat", "room": "ZZZZ", "text": "hi"}, lambda code: {"t": "create", "game": "chess"},
    ],
)  # fmt: skip
def test_being_late_unlucky_or_refused_gives_no_strike(make: Any) -> None:
    at = playing()
    for _ in range(STRIKES + 5):
        assert error(at, at[0], make(at.code)).strikes is None
        at.server.wait(300)
    assert at[0].closed is None


def test_after_goodbye_late_frames_are_dropped_and_no_second_one_follows() -> None:
    local = new_server()
    peer = local.connect("anna")
    lobby, session = local.lobby, local.lobby.connections.sessions[peer.conn]
    lobby.connections.hang_up(session, "strikes", "enough", 4008)
    assert [type(effect) for effect in lobby.take()] == [effects.Post, effects.Disconnect]
    assert lobby.receive(peer.conn, {"t": "ping"}, 0) == []
    assert lobby.refuse(peer.conn, BadFrame("x"), 0, {}) == []
    assert lobby.drain(5_000) == []


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(-1, 12), st.integers(-1, 12)), max_size=40))
def test_acts_duplicated_reordered_and_replayed_change_nothing_more(acts: list[tuple[int, int, int]]) -> None:
    at = playing()
    taken: dict[tuple[int, int], Any] = {}
    for seat, rid, act in [*acts, *reversed(acts)]:
        at.clear()
        before, is_new = len(at.lines()), (seat, rid) not in taken
        if at.room.match is None:
            break
        at[seat].send(m.Act(at.code, rid, act))
        at.server.wait(2_000)
        reply = next(each for each in at[seat].inbox if each.t in ("error", "ok") or getattr(each, "ok", None))
        recorded = getattr(reply, "act", None) if reply.t == "ok" else (getattr(reply, "ok", None) or {}).get("act")
        if not is_new:
            assert recorded == taken[seat, rid]
            assert not any('"r":"act"' in line for line in at.lines()[before:])
        elif recorded is not None:
            taken[seat, rid] = recorded
            assert sum('"r":"act"' in line for line in at.lines()[before:]) == 1
