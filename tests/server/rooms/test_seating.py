"""Who sits, who watches, who hosts, who plays for the absent: rules 7, 15, 16, 23, 26 and 27."""

import json

import pytest
from tests.server.rooms.halls import QUICK, Table, ask, hall, one, only, playing, refused, table, told

from parlour_protocol import messages as m
from parlour_server.local import Local, Peer
from parlour_server.rooms.seating import leave, pass_host, stand_in


def seats(message: m.ServerMessage) -> list[m.SeatRow]:
    assert isinstance(message, m.SeatsChanged | m.Joined)
    return message.table["seats"]


def house_bot(local: Local, name: str = "hal") -> Peer:
    """Return a connected bot of the house that offers itself for everything."""
    peer = local.open(name)
    peer.send(m.Hello(name, "bot", ticket=local.lobby.identities.ticket(name)))
    peer.send(m.OfferBot(["fake", "uno"], 8))
    peer.inbox.clear()
    return peer


# --- coming in --------------------------------------------------------------------------------------------


def test_who_joins_gets_the_first_free_seat_and_the_others_are_told() -> None:
    at = table("fake", 2, seats=3)
    cleo = at.enter("cleo")
    joined = one(cleo, m.Joined)
    assert (joined.seat, joined.why, joined.view) == (2, "join", None)
    assert [row["name"] for row in seats(joined)] == ["anna", "bert", "cleo"]
    assert seats(one(at[0], m.SeatsChanged)) == seats(joined)


def test_the_next_message_after_joined_has_the_next_seq() -> None:
    at = table("fake", 2, seats=3)
    cleo = at.enter("cleo")
    at[0].send(m.Chat(at.code, "hi"))
    joined, said = told(cleo)
    assert isinstance(joined, m.Joined)
    assert isinstance(said, m.Said)
    assert said.seq == joined.seq + 1


def test_a_full_room_and_a_playing_one_seat_nobody_but_can_be_watched() -> None:
    at = table()
    assert refused(at.hall.connect("cleo"), m.Join(at.code)).code == "room_full"
    at = playing("fake", 2, seats=4)
    cleo = at.hall.connect("cleo")
    assert refused(cleo, m.Join(at.code)).code == "wrong_state"
    joined = ask(cleo, m.Join(at.code, "spectator", id=9))
    assert isinstance(joined, m.Joined)
    assert (joined.seat, joined.re) == (None, 9)
    assert joined.view is not None
    assert "secret" not in joined.view


def test_the_kinds_of_a_room_are_kept() -> None:
    at = table("fake", 1, seats=3, kinds="humans")
    assert refused(at.hall.connect("robo", "bot"), m.Join(at.code)).code == "wrong_kind"
    assert isinstance(ask(at.hall.connect("bea", "human"), m.Join(at.code)), m.Joined)
    at = table("fake", 1, seats=3, kinds="bots", kind="bot")
    assert refused(at.hall.connect("bea", "human"), m.Join(at.code)).code == "wrong_kind"


def test_a_room_without_spectators_has_none() -> None:
    at = table("fake", 1, seats=2, watch=False)
    assert refused(at.hall.connect("walt"), m.Join(at.code, "spectator")).code == "no_watching"


@pytest.mark.parametrize("watch", [True, False])
def test_whoever_opens_a_room_to_watch_is_its_host(watch: bool) -> None:
    local = hall()
    anna = local.connect("anna", "human")
    joined = ask(anna, m.Create("fake", as_="spectator", watch=watch))
    assert isinstance(joined, m.Joined)
    assert (joined.seat, joined.table["host"]) == (None, "anna")


def test_joining_again_is_told_the_room_again() -> None:
    at = playing()
    joined = ask(at[0], m.Join(at.code, id=5))
    assert isinstance(joined, m.Joined)
    assert (joined.why, joined.re, joined.seat) == ("sync", 5, 0)
    turn = one(at[0], m.Turn)
    assert (turn.rid, turn.seq) == (1, joined.seq)
    assert told(at[1]) == []


def test_a_spectator_can_sit_down_and_every_table_counts_those_who_watch() -> None:
    at = table("fake", 1, seats=2)
    walt = at.enter("walt", role="spectator")
    assert one(at[0], m.SeatsChanged).table["watchers"] == 1
    joined = ask(walt, m.Join(at.code))
    assert isinstance(joined, m.Joined)
    assert (joined.seat, joined.table["watchers"]) == (1, 0)
    assert one(at[0], m.SeatsChanged).table["watchers"] == 0


def test_who_sits_after_a_match_of_others_is_shown_its_end() -> None:
    at = playing("fake", 2, seats=4)
    at.act(0, "end")
    cleo = at.enter("cleo")
    joined, over = told(cleo)
    assert isinstance(joined, m.Joined)
    assert isinstance(over, m.Over)
    assert (joined.seat, over.seq) == (2, joined.seq)
    assert "secret" not in over.view


# --- coming back: rules 16, 17 and 23 -----------------------------------------------------------------------


def back(at: Table, seat: int, seen: tuple[int, int] | None = None) -> Peer:
    """Let the owner of ``seat`` come back on a new socket."""
    old = at[seat]
    peer = at.hall.open(old.name)
    rooms: list[m.Seen] | None = [{"room": at.code, "epoch": seen[0], "seq": seen[1]}] if seen else None
    at.clear()
    peer.send(m.Hello(old.name, "human", token=old.token, rooms=rooms))
    welcome = peer.inbox.popleft()
    assert isinstance(welcome, m.Welcome)
    assert welcome.rooms == [at.code]
    peer.token = welcome.token
    at.peers[seat] = peer
    return peer


def test_rule_17_who_comes_back_is_told_just_what_it_missed_and_asked_again() -> None:
    at = playing()
    at.act(0, "take", cell=1)
    seen = one(at[0], m.Turn)
    at[0].close()
    at.act(1, "take", cell=2)
    at.act(1, "take", cell=3)
    joined, turn = list(back(at, 0, (1, seen.seq)).inbox)[:2]
    assert isinstance(joined, m.Joined)
    assert [event["words"] for event in joined.events] == ["took 2", "took 3"]
    assert (joined.gap, joined.why, joined.epoch) == (False, "resume", 1)
    assert isinstance(turn, m.Turn)
    assert (turn.rid, turn.seq, turn.events) == (seen.rid, joined.seq, [])


def test_rule_17_another_epoch_is_no_proof_of_what_was_seen() -> None:
    at = playing()
    for _ in range(30):
        at.act(1, "hit", seat=0)
    at[0].close()
    joined = back(at, 0, (2, 4)).inbox[0]
    assert isinstance(joined, m.Joined)
    assert joined.gap
    assert len(joined.events) == 20


def test_an_absent_owner_is_shown_with_the_time_it_has_left() -> None:
    at = playing()
    at[1].close()
    assert seats(one(at[0], m.SeatsChanged))[1] == {
        "seat": 1, "name": "bert", "kind": "human", "here": False, "ready": False, "by": "owner", "left": 30_000,
    }  # fmt: skip
    at.hall.wait(12_000)
    at[0].send(m.Join(at.code))
    assert seats(told(at[0])[-2])[1]["left"] == 18_000


def test_rule_23_after_thirty_seconds_without_a_socket_a_standin_plays() -> None:
    at = playing()
    at[1].close()
    at.hall.wait(29_999)
    assert at.room.state.seats[1].by == "owner"  # type: ignore[union-attr]
    at.hall.wait(1)
    row = seats(only(at[0], m.SeatsChanged)[-1])[1]
    assert (row["by"], row["here"]) == ("standin", False)
    assert "left" not in row
    at.hall.wait(1_000)
    assert at.match.state.cells[0] == 1


def test_rule_23_without_standins_the_clock_goes_on_and_the_owner_keeps_its_seat() -> None:
    at = playing(standin=False, clock=QUICK)
    at[1].close()
    at.hall.wait(60_000)
    assert at.room.state.seats[1].by == "owner"  # type: ignore[union-attr]
    assert at.match.timeouts[1] == 40


def test_rule_23_after_two_time_outs_in_a_row_a_standin_plays_and_the_owner_is_asked_nothing_more() -> None:
    at = playing("fake", 3, clock=QUICK)
    at.hall.wait(3_000)
    assert at.room.state.seats[1].by == "standin"  # type: ignore[union-attr]
    messages = told(at[1])
    last = [message for message in messages if isinstance(message, m.Update | m.Turn)][-1]
    assert isinstance(last, m.Update)
    assert last.may == []


def test_rule_7_an_owner_is_told_that_its_questions_have_gone_to_a_standin() -> None:
    at = playing()
    at.act(0, "bell")
    assert len(one(at[1], m.Update).may) == 1
    at.clear()
    with at.inside() as (room, now):
        stand_in(room, now, 1)
    assert one(at[1], m.Update).may == []
    assert only(at[0], m.Update) == []


def test_rule_23_the_owner_takes_its_seat_back_by_hello_under_new_rids() -> None:
    at = playing(clock=QUICK)
    at[1].close()
    at.hall.wait(40_000)
    before = at.rid(1)
    joined, turn, changed = back(at, 1).inbox
    assert isinstance(turn, m.Turn)
    assert (turn.rid, turn.left) == (before + 1, 10_000)
    assert seats(changed)[1]["by"] == "owner"
    error = refused(at[1], m.Act(at.code, before, 0))
    assert (error.code, error.why, error.act) == ("stale", "control", None)


def test_rule_23_the_owner_takes_its_seat_back_by_ready() -> None:
    at = playing(clock=QUICK)
    at.hall.wait(3_000)
    rid = at.rid(1)
    error = refused(at[1], m.Act(at.code, rid, 0))
    assert (error.code, error.why, error.rid) == ("stale", "control", rid)
    at.clear()
    at[1].send(m.Ready(at.code, id=6))
    ok, changed, turn = told(at[1])
    assert ok == m.Ok(re=6, room=at.code)
    assert seats(changed)[1]["by"] == "owner"
    assert isinstance(turn, m.Turn)
    assert (turn.rid, turn.left) == (rid + 1, 10_000)
    at.act(1, "take", cell=5)
    assert at.match.state.cells[5] == 1


# --- stand-ins of the house -----------------------------------------------------------------------------------


def stood_in(people: int = 2, **create: object) -> tuple[Table, Peer]:
    """Return a table whose last seat a house bot plays for its absent owner."""
    local = hall()
    bot = house_bot(local)
    at = table("fake", people, local=local, **create).start().clear()
    at[people - 1].close()
    local.wait(30_000)
    return at.clear(), bot


def test_rule_23_a_house_bot_stands_in_on_a_stream_of_its_own() -> None:
    at, bot = stood_in()
    joined, turn, changed = told(bot)
    assert isinstance(joined, m.Joined)
    assert (joined.why, joined.seat, joined.seq) == ("standin", 1, 0)
    assert isinstance(turn, m.Turn)
    assert (turn.rid, turn.seq) == (at.rid(1), 0)
    assert seats(changed)[1]["by"] == "standin"
    bot.send(m.Act(at.code, turn.rid, {"do": "take", "cell": 4}, id=1))
    answer = one(bot, m.Turn)
    assert (answer.seq, answer.rid) == (2, turn.rid + 1)
    assert answer.ok == {"rid": turn.rid, "act": {"do": "take", "cell": 4}, "re": 1}
    assert at.match.state.cells[4] == 1


def test_rule_23_a_guests_bot_never_stands_in() -> None:
    local = hall()
    guest = local.connect("robo", "bot")
    guest.send(m.OfferBot(["fake"], 8))
    at = table("fake", 2, local=local).start()
    at[1].close()
    guest.inbox.clear()
    local.wait(60_000)
    assert told(guest) == []
    assert at.room.state.seats[1].standin is None  # type: ignore[union-attr]


def test_rule_23_the_standin_is_told_when_the_owner_is_back() -> None:
    at, bot = stood_in()
    back(at, 1)
    assert told(bot)[-1] == m.Left(at.code, "replaced")
    assert refused(bot, m.Act(at.code, 2, 0)).code == "not_here"


def test_rule_3_a_standin_that_ends_a_match_is_answered_and_told_the_result() -> None:
    at, bot = stood_in()
    bot.inbox.clear()
    rid = at.rid(1)
    bot.send(m.Act(at.code, rid, {"do": "end"}, id=3))
    over, left = told(bot)
    assert isinstance(over, m.Over)
    assert over.ok == {"rid": rid, "act": {"do": "end"}, "re": 3}
    assert left == m.Left(at.code, "replaced")


def test_a_standin_that_goes_is_replaced_at_once() -> None:
    at, bot = stood_in()
    bot.send(m.Leave(at.code, id=2))
    left = [message for message in told(bot) if isinstance(message, m.Left)]
    assert left == [m.Left(at.code, "left", re=2)]
    at, bot = stood_in()
    other = house_bot(at.hall, "hel")
    bot.close()
    assert at.room.state.seats[1].player == at.hall.lobby.identities.by_name("hel").who  # type: ignore[union-attr]
    assert only(other, m.Joined)[0].why == "standin"


def test_a_house_bot_that_comes_later_stands_in_where_only_the_default_action_does() -> None:
    at = playing()
    at[1].close()
    at.hall.wait(30_000)
    bot = at.hall.open("hal")
    bot.send(m.Hello("hal", "bot", ticket=at.hall.lobby.identities.ticket("hal")))
    bot.send(m.OfferBot(["fake"], 8))
    assert [message.why for message in only(bot, m.Joined)] == ["standin"]


# --- leaving ---------------------------------------------------------------------------------------------------


def test_rule_26_who_leaves_in_a_match_is_stood_in_for_and_the_others_keep_their_numbers() -> None:
    at = playing("fake", 3)
    assert ask(at[1], m.Leave(at.code, id=3)) == m.Left(at.code, "left", re=3)
    assert told(at[1]) == []
    rows = seats(only(at[0], m.SeatsChanged)[-1])
    assert [(row["seat"], row["name"], row["by"]) for row in rows] == [
        (0, "anna", "owner"), (1, "bert", "standin"), (2, "cleo", "owner"),
    ]  # fmt: skip
    assert at.hall.lobby.seats[at.room.state.match.begun.players[1].who] == set()  # type: ignore[union-attr]


def test_rule_26_without_standins_the_game_removes_the_seat() -> None:
    at = playing("fake", 3, standin=False)
    at[1].send(m.Leave(at.code))
    assert at.match.state.out == [1]
    assert [event["words"] for event in only(at[0], m.Update)[0].events] == ["out"]


def test_rule_15_nobody_is_asked_again_because_somebody_whose_seat_is_played_for_leaves() -> None:
    at, bot = stood_in(3)
    bot.inbox.clear()
    with at.inside() as (room, now):
        leave(room, now, room.state.match.begun.players[2].who, None)
    assert [type(message) for message in told(bot)] == [m.SeatsChanged]
    assert [type(message) for message in told(at[0])] == [m.SeatsChanged]


def test_when_the_last_player_leaves_a_match_it_is_aborted_and_the_room_closed() -> None:
    at = playing()
    walt = at.enter("walt", role="spectator")
    walt.inbox.clear()
    at[1].send(m.Leave(at.code))
    at[0].send(m.Leave(at.code))
    kinds = [type(message) for message in told(walt)]
    assert kinds[-3:] == [m.Over, m.SeatsChanged, m.Left]
    assert at.code not in at.hall.lobby.rooms
    assert json.loads(at.lines()[-1])["r"] == "closed"
    assert refused(at.hall.connect("zoe"), m.Join(at.code)).code == "no_room"


def test_rule_26_when_the_host_leaves_the_next_seated_person_is_host_before_any_bot() -> None:
    at = table("fake", 1, seats=4)
    robo, bea = at.enter("robo", "bot"), at.enter("bea", "human")
    at[0].send(m.Leave(at.code))
    assert only(bea, m.SeatsChanged)[-1].table["host"] == "bea"
    bea.send(m.Leave(at.code))
    assert only(robo, m.SeatsChanged)[-1].table["host"] == "robo"


def test_an_absent_person_is_host_only_when_nobody_else_can_be() -> None:
    at = table("fake", 3)
    at[1].close()
    at[0].send(m.Leave(at.code))
    assert at.room.state.host == at.room.state.seats[2].who  # type: ignore[union-attr]
    pass_host(at.room, 0)
    assert at.room.state.host == at.room.state.seats[1].who  # type: ignore[union-attr]


def test_a_room_that_everybody_has_left_has_no_host_until_somebody_comes() -> None:
    at = table("fake", 1, seats=2)
    at[0].send(m.Leave(at.code))
    assert at.room.state.host is None
    joined = ask(at.hall.connect("zoe"), m.Join(at.code))
    assert isinstance(joined, m.Joined)
    assert joined.table["host"] == "zoe"


# --- the host's business ---------------------------------------------------------------------------------------


def manage(at: Table, do: str, name: str, by: int = 0) -> m.ServerMessage:
    at.clear()
    at[by].send(m.Manage(at.code, do, name, id=1))  # type: ignore[arg-type]
    return at[by].inbox.popleft()


def test_only_the_host_manages_and_only_who_is_here() -> None:
    at = table("fake", 3)
    error = manage(at, "kick", "anna", by=1)
    assert isinstance(error, m.Error)
    assert error.code == "not_host"
    for name in ("zoe", "", "anna"):
        error = manage(at, "kick", name)
        assert isinstance(error, m.Error)
        assert error.code == "no_such_name"


def test_who_is_kicked_is_told_so_and_may_come_back() -> None:
    at = table("fake", 3)
    assert manage(at, "kick", "BERT") == m.Ok(re=1, room=at.code)
    assert told(at[1]) == [m.Left(at.code, "kicked")]
    assert isinstance(ask(at[1], m.Join(at.code)), m.Joined)


def test_who_is_banned_may_not_come_back() -> None:
    at = table("fake", 3)
    assert isinstance(manage(at, "ban", "bert"), m.Ok)
    assert told(at[1]) == [m.Left(at.code, "banned")]
    for role in ("player", "spectator"):
        assert refused(at[1], m.Join(at.code, role)).code == "banned"  # type: ignore[arg-type]


def test_who_is_kicked_from_a_match_is_stood_in_for() -> None:
    at = playing("fake", 3)
    manage(at, "kick", "bert")
    assert at.room.state.seats[1].player is None  # type: ignore[union-attr]
    assert at.match.book.obligation(1) is not None


def test_a_spectator_can_be_kicked() -> None:
    at = table()
    walt = at.enter("walt", role="spectator")
    walt.inbox.clear()
    manage(at, "kick", "walt")
    assert told(walt) == [m.Left(at.code, "kicked")]
    assert at.room.audience.streams.watchers.people == {}


def test_who_is_muted_may_not_talk_until_unmuted() -> None:
    at = table()
    manage(at, "mute", "bert")
    assert refused(at[1], m.Chat(at.code, "but")).code == "muted"
    manage(at, "unmute", "bert")
    assert isinstance(ask(at[1], m.Chat(at.code, "thanks")), m.Ok)


def test_the_host_can_make_another_one_host() -> None:
    at = table()
    manage(at, "host", "bert")
    assert one(at[1], m.SeatsChanged).table["host"] == "bert"
    error = manage(at, "host", "anna")
    assert isinstance(error, m.Error)


def test_more_time_is_a_minute() -> None:
    at = playing(clock=QUICK)
    manage(at, "addtime", "bert")
    assert at.match.clocks.left(1, at.hall.now) == 61_000
    at.hall.wait(60_000)
    assert at.match.timeouts[1] == 0


# --- invited bots ------------------------------------------------------------------------------------------------


def robots(at: Table, *names: str, limit: int = 1) -> list[Peer]:
    found = [at.hall.connect(name, "bot") for name in names]
    for peer in found:
        peer.send(m.OfferBot(["fake"], limit))
        peer.inbox.clear()
    return found


def test_rule_26_an_invited_bot_is_seated_and_told() -> None:
    at = table("fake", 1, seats=4)
    [robo] = robots(at, "robo")
    changed, ok = ask(at[0], m.Invite(at.code, "Robo", 2, id=8)), at[0].inbox.popleft()
    assert [row["name"] for row in seats(changed)] == ["anna", "robo"]
    assert ok == m.Ok(re=8, room=at.code, seat=2)
    joined = one(robo, m.Joined)
    assert (joined.why, joined.seat) == ("invited", 2)


def test_rule_26_the_host_alone_invites_and_only_who_has_offered_itself() -> None:
    at = table("fake", 2, seats=4)
    at.hall.connect("quiet", "bot")
    robots(at, "robo")
    assert refused(at[1], m.Invite(at.code)).code == "not_host"
    assert refused(at[0], m.Invite(at.code, "quiet")).code == "no_bot"
    assert refused(at[0], m.Invite(at.code, "robo", 1)).code == "room_full"
    assert refused(at[0], m.Invite(at.code, "robo", -1)).code == "room_full"


def test_rule_26_a_bot_is_in_no_more_rooms_than_it_offered() -> None:
    at = table("fake", 1, seats=4)
    robots(at, "robo")
    at[0].send(m.Invite(at.code))
    at[0].send(m.Create("fake", id="second"))
    second = next(message.room for message in only(at[0], m.Joined) if message.re == "second")
    assert refused(at[0], m.Invite(second)).code == "no_bot"


def test_chat_is_answered_and_told_to_all() -> None:
    at = playing()
    walt = at.enter("walt", role="spectator")
    walt.inbox.clear()
    at.clear()
    at[0].send(m.Chat(at.code, "good luck", id=2))
    ok, said = told(at[0])
    assert ok == m.Ok(re=2, room=at.code)
    assert isinstance(said, m.Said)
    assert said.from_ == {"name": "anna", "kind": "human", "seat": 0}
    assert one(walt, m.Said).text == "good luck"
    walt.send(m.Chat(at.code, "from me too"))
    assert only(at[1], m.Said)[-1].from_ == {"name": "walt", "kind": "human", "seat": None}
