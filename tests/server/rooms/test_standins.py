"""Stand-ins, and owners who come back.

SPEC.md#stand-ins, #resuming, #required-and-optional-decisions, #sequence-numbers.
"""

import json
from typing import Any

import pytest
from tests.server.local_server import (
    NO_CLOCK,
    QUICK,
    OpenRoom,
    house_bot,
    new_server,
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


def back(at: OpenRoom, seat: int, seen: tuple[int, int] | None = None) -> Peer:
    """Let the owner of ``seat`` come back on a new socket."""
    old = at[seat]
    peer = at.server.open(old.name)
    rooms: list[m.Seen] | None = [{"room": at.code, "epoch": seen[0], "seq": seen[1]}] if seen else None
    at.clear()
    peer.send(m.Hello(old.name, "human", token=old.token, rooms=rooms))
    welcome = peer.inbox.popleft()
    assert isinstance(welcome, m.Welcome)
    assert welcome.rooms == [at.code]
    peer.token = welcome.token
    at.peers[seat] = peer
    return peer


def test_a_returning_player_gets_exactly_what_it_missed_and_its_turn_again() -> None:
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


def test_another_epoch_is_no_proof_of_what_was_seen() -> None:
    at = playing()
    for _ in range(30):
        at.act(1, "hit", seat=0)
    at[0].close()
    joined = back(at, 0, (2, 4)).inbox[0]
    assert isinstance(joined, m.Joined)
    assert joined.gap
    assert len(joined.events) == 20


@pytest.mark.parametrize(("people", "begun", "kept"), [(2, True, 30_000), (3, False, 180_000)])
def test_an_absent_owner_is_shown_with_the_time_for_which_its_seat_is_kept(people: int, begun: bool, kept: int) -> None:
    at = playing(people=people) if begun else open_room(people=people)
    at[1].close()
    row = {"seat": 1, "name": "bert", "kind": "human", "here": False, "ready": False, "by": "owner", "left": kept}
    assert rows(one(at[0], m.SeatsChanged))[1] == row
    at.server.wait(12_000)
    assert rows(request(at[0], m.Join(at.code), m.Joined))[1]["left"] == kept - 12_000


def test_after_thirty_seconds_without_a_socket_a_standin_plays() -> None:
    at = playing()
    at[1].close()
    at.server.wait(29_999)
    assert at.seat(1).by == "owner"
    at.server.wait(1)
    row = rows(only(at[0], m.SeatsChanged)[-1])[1]
    assert (row["by"], row["here"]) == ("standin", False)
    assert "left" not in row
    at.server.wait(1_000)
    assert at.match.state.cells[0] == 1


def test_without_standins_the_clock_goes_on_and_an_absent_owner_keeps_its_seat() -> None:
    at = playing(standin=False, clock=QUICK)
    at[1].close()
    assert "left" not in rows(one(at[0], m.SeatsChanged))[1]
    at.server.wait(60_000)
    assert at.seat(1).by == "owner"
    assert at.match.timeouts[1] == 40


def test_after_two_time_outs_in_a_row_a_standin_plays_and_the_owner_is_asked_nothing_more() -> None:
    at = playing("fake", 3, clock=QUICK)
    at.server.wait(3_000)
    assert at.seat(1).by == "standin"
    messages = received(at[1])
    last = [message for message in messages if isinstance(message, m.Update | m.Turn)][-1]
    assert isinstance(last, m.Update)
    assert last.may == []


def test_an_owner_is_shown_that_a_standin_makes_its_decisions() -> None:
    at = playing()
    at.act(0, "bell")
    assert len(one(at[1], m.Update).may) == 1
    at.clear()
    with at.inside() as (room, now):
        room.seating.stand_in(now, 1)
    assert one(at[1], m.Update).may == []
    assert only(at[0], m.Update) == []


def test_the_owner_takes_its_seat_back_by_hello_under_new_rids() -> None:
    at = playing(clock=QUICK)
    at[1].close()
    at.server.wait(40_000)
    before = at.rid(1)
    _, turn, changed = back(at, 1).inbox
    assert isinstance(turn, m.Turn)
    assert (turn.rid, turn.left) == (before + 1, 10_000)
    assert rows(changed)[1]["by"] == "owner"
    error = refused(at[1], m.Act(at.code, before, 0))
    assert (error.code, error.why, error.act) == ("stale", "control", None)


def test_the_owner_takes_its_seat_back_by_ready() -> None:
    at = playing(clock=QUICK)
    at.server.wait(3_000)
    rid = at.rid(1)
    error = refused(at[1], m.Act(at.code, rid, 0))
    assert (error.code, error.why, error.rid) == ("stale", "control", rid)
    assert "`ready`" in error.msg
    at.clear()
    at[1].send(m.Ready(at.code, id=6))
    ok, changed, turn = received(at[1])
    assert ok == m.Ok(re=6, room=at.code)
    assert rows(changed)[1]["by"] == "owner"
    assert isinstance(turn, m.Turn)
    assert (turn.rid, turn.left) == (rid + 1, 10_000)
    at.act(1, "take", cell=5)
    assert at.match.state.cells[5] == 1


def test_asking_for_the_room_again_leaves_the_seat_to_the_standin() -> None:
    at = playing("fake", 3, clock=QUICK)
    at.server.wait(3_000)
    at.clear()
    before = at.lines()[:]
    at[1].send(m.Join(at.code))
    [joined] = received(at[1])
    assert isinstance(joined, m.Joined)
    assert (joined.why, rows(joined)[1]["by"], joined.may) == ("sync", "standin", [])
    assert at.lines() == before


def test_an_owner_sees_everything_and_gets_no_turn_while_a_bot_plays_its_seat() -> None:
    local = new_server()
    bot = house_bot(local)
    at = open_room("fake", 2, local=local, clock=QUICK).start()
    for _ in range(2):
        at.act(0, "take", at.rid(0), cell=0)
        local.wait(1_500)
    assert at.seat(1).standin is not None
    at.act(0, "bell")
    seen = [message.seq for message in received(at[1]) if isinstance(message, m.Update)]
    bot.inbox.clear()
    bot.send(m.Act(at.code, at.optional(1), {"do": "shout"}))
    at.server.wait(750)
    updates = received(at[1])
    assert [(type(message), message.may) for message in updates if isinstance(message, m.Update | m.Turn)] == [
        (m.Update, []),
        (m.Update, []),
    ]
    assert [message.seq for message in updates if isinstance(message, m.Update)] == [seen[-1] + 1, seen[-1] + 2]
    assert only(bot, m.Turn)


# --- stand-ins of the house -----------------------------------------------------------------------------------


def stood_in(people: int = 2, **create: Any) -> tuple[OpenRoom, Peer]:
    """Return a room in which a house bot plays the last seat for its absent owner."""
    local = new_server()
    bot = house_bot(local)
    at = open_room("fake", people, local=local, **create).start().clear()
    at[people - 1].close()
    local.wait(30_000)
    return at.clear(), bot


def test_a_house_bot_stands_in_on_a_stream_of_its_own() -> None:
    at, bot = stood_in()
    joined, turn, changed = received(bot)
    assert isinstance(joined, m.Joined)
    assert (joined.why, joined.seat, joined.seq) == ("standin", 1, 0)
    assert isinstance(turn, m.Turn)
    assert (turn.rid, turn.seq) == (at.rid(1), 0)
    assert rows(changed)[1]["by"] == "standin"
    bot.send(m.Act(at.code, turn.rid, {"do": "take", "cell": 4}, id=1))
    answer = one(bot, m.Turn)
    assert (answer.seq, answer.rid) == (2, turn.rid + 1)
    assert answer.ok == {"rid": turn.rid, "act": {"do": "take", "cell": 4}, "re": 1}
    assert at.match.state.cells[4] == 1


def test_a_guests_bot_never_stands_in() -> None:
    local = new_server()
    guest = local.connect("robo", "bot")
    guest.send(m.OfferBot(["fake"], 8))
    at = open_room("fake", 2, local=local).start()
    at[1].close()
    guest.inbox.clear()
    local.wait(60_000)
    assert received(guest) == []
    assert at.seat(1).standin is None


def test_the_standin_gets_left_when_the_owner_is_back() -> None:
    at, bot = stood_in()
    back(at, 1)
    assert received(bot)[-1] == m.Left(at.code, "replaced")
    assert refused(bot, m.Act(at.code, 2, 0)).code == "not_here"


def test_a_standin_that_ends_a_match_gets_its_answer_and_the_result() -> None:
    at, bot = stood_in()
    bot.inbox.clear()
    rid = at.rid(1)
    bot.send(m.Act(at.code, rid, {"do": "end"}, id=3))
    over, left = received(bot)
    assert isinstance(over, m.Over)
    assert over.ok == {"rid": rid, "act": {"do": "end"}, "re": 3}
    assert left == m.Left(at.code, "replaced")


def test_the_effects_of_a_stand_in_come_after_those_of_the_event_that_brought_it() -> None:
    local = new_server()
    house_bot(local)
    at = open_room("fake", 3, local=local).start().clear()
    at[0].send(m.Leave(at.code))  # the bot is wanted before the next host is made
    assert [json.loads(line)["n"] for line in at.lines()] == list(range(len(at.lines())))
    for peer in at.peers[1:]:
        seqs = [message.seq for message in received(peer) if isinstance(message, m.SeatsChanged | m.Update)]
        assert len(seqs) >= 2
        assert seqs == sorted(seqs)


def test_a_standin_is_not_there_any_more_when_the_match_is_over() -> None:
    at, bot = stood_in()
    who = at.server.lobby.connections.sessions[bot.conn].who
    assert who in at.room.audience.here
    at.abort()
    assert only(bot, m.Left) == [m.Left(at.code, "replaced")]
    assert who not in at.room.audience.here
    assert at.code not in at.server.lobby.rooms.inside[who or ""]


def test_a_standin_that_leaves_is_replaced() -> None:
    at, bot = stood_in()
    bot.send(m.OfferBot(["fake"], 0))
    bot.inbox.clear()
    bot.send(m.Leave(at.code))
    assert one(bot, m.Left).why == "left"
    assert (at.seat(1).by, at.seat(1).standin) == ("standin", None)
    taken = at.match.state.cells.copy()
    at.server.wait(5_000)
    assert at.match.state.cells != taken, "the default action plays on"


def test_a_standin_that_disconnects_is_replaced_immediately() -> None:
    at, bot = stood_in()
    other = house_bot(at.server, "hel")
    bot.close()
    assert at.seat(1).player == at.server.lobby.connections.sessions[other.conn].who
    assert only(other, m.Joined)[0].why == "standin"


def test_a_house_bot_that_connects_later_takes_no_more_seats_than_it_accepts() -> None:
    local = new_server()
    tables = [[local.connect(f"{name}{number}") for name in ("anna", "bert")] for number in range(3)]
    for anna, bert in tables:
        anna.send(m.Create("fake", seats=2, start="full"))
        bert.send(m.Join(one(anna, m.Joined).room))
        bert.close()
    local.wait(30_000)
    bot = local.open("hal")
    bot.send(m.Hello("hal", "bot", ticket=local.lobby.identities.ticket("hal")))
    bot.send(m.OfferBot(["fake"], 2))
    assert [message.why for message in only(bot, m.Joined)] == ["standin", "standin"]


def test_no_decision_is_reopened_when_an_owner_with_a_standin_leaves() -> None:
    at, bot = stood_in(3)
    bot.inbox.clear()
    with at.inside() as (room, now):
        room.seating.leave(now, at.match.begun.players[2].who, None)
    assert [type(message) for message in received(bot)] == [m.SeatsChanged]
    assert [type(message) for message in received(at[0])] == [m.SeatsChanged]


def left(at: OpenRoom, seat: int) -> int | None:
    """Return for how many ms the seat of an absent owner is kept."""
    now = at.server.lobby.rooms.loaded[at.code].time(at.server.now)
    return at.room.audience.table(now)["seats"][seat].get("left")


def test_restarts_add_to_an_absence_what_was_not_recorded_a_sixth_at_most() -> None:
    at = playing(clock=NO_CLOCK, standin=True)
    at[1].close()
    at.server.wait(19_999)
    at.load_again(2)
    assert left(at, 1) == 15_000, "since the last record of the absence"
    at.server.wait(9_999)
    at.load_again(3)
    assert left(at, 1) == 10_000
    at.server.wait(9_999)
    assert at.seat(1).by == "owner"
    at.server.wait(1)
    assert at.seat(1).by == "standin"


def test_a_restart_adds_nothing_where_others_go_on_or_the_owner_came_back() -> None:
    at = playing(clock=NO_CLOCK, standin=True)
    at[1].close()
    at.server.wait(19_999)
    at.act(0, "take", cell=1)
    at.load_again(2)
    assert left(at, 1) == 10_001
    back(at, 1)
    at.act(1, "take", cell=1)
    at.load_again(3)
    at[1].close()
    assert left(at, 1) == 30_000


def test_a_short_absence_leaves_no_record() -> None:
    at = playing(clock=NO_CLOCK, standin=True)
    before = len(at.lines())
    for _ in range(3):
        at[1].close()
        at.server.wait(4_999)
        back(at, 1)
    assert at.lines()[before:] == []


def test_an_absence_follows_its_seat_into_the_next_match_and_ends_with_it() -> None:
    at = open_room("fake", 4, clock=NO_CLOCK, standin=True)
    for seat in (2, 3):
        at[seat].close()
    at.server.wait(30_000)
    assert at.room.state.seats.away == {2: 0, 3: 0}
    at[1].send(m.Leave(at.code))
    at.start()
    assert at.room.state.seats.away == {1: 0, 2: 0}
    at.load_again(2)
    assert at.room.audience.absent == {1: 0, 2: 0}
