"""The host's ``manage`` and ``invite``, and chat: SPEC.md#invited-bots, #leaving-and-expiry."""

from tests.server.local_server import (
    NO_CLOCK,
    QUICK,
    OpenRoom,
    one,
    only,
    open_room,
    playing,
    received,
    refused,
    request,
    rows,
)

from parlour_protocol import messages as m
from parlour_server.local import Peer


def manage(at: OpenRoom, do: str, name: str) -> m.ServerMessage:
    at.clear()
    return request(at[0], m.Manage(at.code, do, name, id=1))  # type: ignore[arg-type]


def test_only_the_host_manages_and_only_others_in_the_room() -> None:
    at = open_room("fake", 3)
    assert refused(at[1], m.Manage(at.code, "kick", "anna")).code == "not_host"
    for do, name in (("kick", "zoe"), ("kick", ""), ("kick", "anna"), ("ban", "anna"), ("mute", "anna")):
        error = refused(at[0], m.Manage(at.code, do, name))  # type: ignore[arg-type]
        assert (error.code, error.room) == ("no_such_name", at.code)


def test_a_kicked_person_gets_left_and_may_come_back_but_not_a_banned_one() -> None:
    at = open_room("fake", 3)
    assert manage(at, "kick", "BERT") == m.Ok(re=1, room=at.code)
    assert received(at[1]) == [m.Left(at.code, "kicked")]
    request(at[1], m.Join(at.code), m.Joined)
    assert isinstance(manage(at, "ban", "bert"), m.Ok)
    assert received(at[1]) == [m.Left(at.code, "banned")]
    for role in ("player", "spectator"):
        assert refused(at[1], m.Join(at.code, role)).code == "banned"


def test_an_absent_owner_can_be_kicked_after_a_restart() -> None:
    at = open_room("fake", 3)
    at.load_again()
    at[0].send(m.Join(at.code))
    assert manage(at, "kick", "bert") == m.Ok(re=1, room=at.code)
    assert at.room.state.seats[1] is None


def test_a_stand_in_plays_for_a_player_kicked_during_a_match() -> None:
    at = playing("fake", 3)
    manage(at, "kick", "bert")
    assert at.seat(1).player is None
    assert at.match.book.obligation(1) is not None


def test_a_spectator_can_be_kicked() -> None:
    at = open_room()
    walt = at.enter("walt", role="spectator")
    walt.inbox.clear()
    manage(at, "kick", "walt")
    assert received(walt) == [m.Left(at.code, "kicked")]
    assert at.room.audience.streams.watchers.people == {}


def test_a_muted_person_may_not_chat_until_unmuted() -> None:
    at = open_room()
    manage(at, "mute", "bert")
    error = refused(at[1], m.Chat(at.code, "but"))
    assert (error.code, error.room) == ("muted", at.code)
    manage(at, "unmute", "bert")
    request(at[1], m.Chat(at.code, "thanks"), m.Ok)


def test_a_host_can_make_another_one_host_also_a_bot_another_bot() -> None:
    at = open_room()
    manage(at, "host", "bert")
    assert one(at[1], m.SeatsChanged).table["host"] == "bert"
    assert refused(at[0], m.Manage(at.code, "host", "anna")).code == "not_host"
    bots = open_room("fake", 2, kind="bot")
    manage(bots, "host", "bert")
    assert one(bots[1], m.SeatsChanged).table["host"] == "bert"


def test_a_person_cannot_make_a_bot_host() -> None:
    at = open_room("fake", 2, seats=4)
    for role in ("player", "spectator"):
        at.enter(f"robo-{role}", "bot", role)
        error = refused(at[0], m.Manage(at.code, "host", f"robo-{role}"))
        assert (error.code, error.phrase, error.room) == ("wrong_kind", "host", at.code)
        assert error.fields == {"name": f"robo-{role}"}
    assert at.room.audience.name_of(at.room.state.host) == "anna"


def test_more_time_is_a_minute_shown_to_everybody_without_a_new_turn() -> None:
    at = playing(clock=QUICK)
    walt = at.enter("walt", role="spectator")
    walt.inbox.clear()
    manage(at, "addtime", "bert")
    for peer in (at[0], at[1], walt):
        update = one(peer, m.Update)
        assert update.events == [{"e": "addtime", "seat": 1, "ms": 60_000}]
        assert update.clocks == {"0": 1_000, "1": 61_000}
    at.server.wait(60_000)
    assert at.match.timeouts[1] == 0
    at.act(1, "take", 1, cell=2)
    assert one(at[1], m.Turn).rid == 2


def test_more_time_where_no_clock_runs_is_no_news() -> None:
    waiting, without = open_room(clock=QUICK), playing(clock=NO_CLOCK)
    for at in (waiting, without):
        assert isinstance(manage(at, "addtime", "bert"), m.Ok)
        assert only(at[1], m.Update) == []


# --- invited bots ------------------------------------------------------------------------------------------------


def robots(at: OpenRoom, *names: str, limit: int = 1) -> list[Peer]:
    found = [at.server.connect(name, "bot") for name in names]
    for peer in found:
        peer.send(m.OfferBot(["fake"], limit))
        peer.inbox.clear()
    return found


def test_an_invited_bot_is_seated_and_gets_joined() -> None:
    at = open_room("fake", 1, seats=4)
    [robo] = robots(at, "robo")
    changed, ok = request(at[0], m.Invite(at.code, "Robo", 2, id=8)), at[0].inbox.popleft()
    assert [row["name"] for row in rows(changed)] == ["anna", "robo"]
    assert ok == m.Ok(re=8, room=at.code, seat=2)
    joined = one(robo, m.Joined)
    assert (joined.why, joined.seat) == ("invited", 2)


def test_only_the_host_invites_and_only_available_bots() -> None:
    at = open_room("fake", 2, seats=4)
    at.server.connect("quiet", "bot")
    robots(at, "robo")
    assert refused(at[1], m.Invite(at.code)).code == "not_host"
    assert refused(at[0], m.Invite(at.code, "quiet")).code == "no_bot"
    assert refused(at[0], m.Invite(at.code, "robo", 1)).code == "room_full"
    assert refused(at[0], m.Invite(at.code, "robo", -1)).code == "room_full"


def test_chat_is_answered_and_sent_to_everybody() -> None:
    at = playing()
    walt = at.enter("walt", role="spectator")
    walt.inbox.clear()
    at.clear()
    at[0].send(m.Chat(at.code, "good luck", id=2))
    ok, said = received(at[0])
    assert ok == m.Ok(re=2, room=at.code)
    assert isinstance(said, m.Said)
    assert said.from_ == {"name": "anna", "kind": "human", "seat": 0}
    assert one(walt, m.Said).text == "good luck"
    walt.send(m.Chat(at.code, "from me too"))
    assert only(at[1], m.Said)[-1].from_ == {"name": "walt", "kind": "human", "seat": None}
