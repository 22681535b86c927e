"""The session by scripted conversations: every way in which a socket can be lost between an act and its answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.client.messages import ROOM, joined, over, said, seats, table, turn, update, welcome

from parlour_client.core.session import Gap, Session
from parlour_protocol import messages as m


def entropy(n: int) -> bytes:
    return b"\xab" * n


def greeted(*messages: m.ServerMessage) -> Session:
    """Return a session after the first welcome, and after ``messages``."""
    here = Session("maria", entropy=entropy)
    assert back(here) == []
    hear(here, *messages)
    return here


def seated(seq: int = 10) -> Session:
    return greeted(joined(seq))


def got_ready(here: Session) -> m.Ready:
    ready = here.outgoing(m.Ready(ROOM))
    assert isinstance(ready, m.Ready)
    return ready


def hear(here: Session, *messages: m.ServerMessage) -> list[m.ClientMessage]:
    """Let the session take in what is news, as a connection does; return all it wants to send."""
    return [out for message in messages if here.is_news(message) for out in here.receive(message)]


def back(here: Session, *held: str) -> list[m.ClientMessage]:
    """Lose the connection and be greeted again, with seats in the rooms ``held``; return what is sent then."""
    here.hello()
    return hear(here, welcome(*held))


def test_the_first_hello_has_neither_token_nor_rooms() -> None:
    hello = Session("maria", "bot", entropy=entropy, key="k", ticket="x").hello()
    assert hello == m.Hello("maria", "bot", key="k", ticket="x", can=["nonce", "redirect"], id="hello")


def test_a_token_replaces_a_ticket_goes_with_the_key_and_is_rotated_and_handed_over_by_each_welcome() -> None:
    kept: list[str | None] = []
    here = Session("maria", entropy=entropy, key="k", ticket="x", on_token=kept.append)
    for number, token in enumerate(("t1", "t2"), 1):
        here.hello()
        hear(here, welcome(token=token))
        for _lost in range(2):
            again = here.hello()
            assert (again.token, again.key, again.ticket) == (token, "k", None)
        assert kept == ["t1", "t2"][:number]


def test_hello_tells_how_far_each_room_was_followed() -> None:
    here = seated(10)
    hear(here, update(11), seats(12, table()), said(13, "otto", "hi"))
    assert here.hello().rooms == [{"room": ROOM, "epoch": 1, "seq": 13}]
    hear(here, welcome(ROOM), joined(2, epoch=2, why="resume"))
    assert here.hello().rooms == [{"room": ROOM, "epoch": 2, "seq": 2}]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (m.Chain(), m.ChainLinks([])),
        (m.Daily(), m.DailyRows("2026-01-02", "beginner", "c", "x", 1, [])),
        (m.Describe("uno"), m.Described("uno", [2, 10], [], {})),
        (m.File("d"), m.FileLines("d", [])),
        (m.List(), m.Rooms([], [])),
        (m.Profile("otto"), m.ProfileRows("otto", "human", [])),
        (m.Review("d", 0), m.Reviewed("d", 0, 0, 0)),
        (m.Standings("uno"), m.StandingsRows([])),
    ],
    ids=lambda each: each.t,
)
def test_an_answer_of_any_kind_settles_its_request(asked: m.ClientMessage, answer: m.ServerMessage) -> None:
    here = seated()
    out = here.outgoing(asked)
    assert out is not None
    hear(here, replace(answer, re=out.id))
    here.hello()
    assert here.reports == []


@pytest.mark.parametrize("answer", [update(12, ok={"rid": 1}), over(12, ok={"rid": 1}), m.Ok(room=ROOM, rid=1)])
def test_an_answer_may_ride_on_another_message(answer: m.ServerMessage) -> None:
    here = seated(11)
    here.outgoing(m.Act(ROOM, 1, 0))
    assert here.unanswered(ROOM, 1)
    hear(here, answer)
    assert not here.unanswered(ROOM, 1)


def test_one_act_at_a_time_under_a_rid() -> None:
    here = seated()
    act = m.Act(ROOM, 1, 0)
    assert here.outgoing(act) is act
    assert here.outgoing(m.Act(ROOM, 1, 3)) is None
    assert here.outgoing(m.Act(ROOM, 2, 0)) is not None


def test_a_late_stale_is_dropped_and_a_timely_one_is_news() -> None:
    here = seated()
    stale = m.Error("stale", "too late", room=ROOM, rid=1, why="overtaken")
    assert not here.is_news(stale)
    here.outgoing(m.Act(ROOM, 1, 0))
    assert here.is_news(stale)
    hear(here, stale)
    assert not here.unanswered(ROOM, 1)


def test_an_illegal_act_frees_its_rid_for_another() -> None:
    here = seated()
    here.outgoing(m.Act(ROOM, 1, 99))
    hear(here, m.Error("illegal_action", "no", room=ROOM, rid=1))
    assert here.outgoing(m.Act(ROOM, 1, 0)) is not None


def test_an_act_that_could_not_be_stored_is_kept_until_the_room_is_back() -> None:
    here = seated()
    here.outgoing(m.Act(ROOM, 1, 0))
    hear(here, m.Error("retry", "not stored", room=ROOM, rid=1))
    assert hear(here, joined(3, epoch=2, why="sync")) == [m.Act(ROOM, 1, 0)]


def test_acts_of_a_room_that_was_left_are_forgotten() -> None:
    here = seated()
    here.outgoing(m.Act(ROOM, 1, 0))
    hear(here, m.Left(ROOM, "kicked"))
    assert not here.rooms
    assert not here.unanswered(ROOM, 1)


@given(st.lists(st.sampled_from(["act", "lose", "answer", "repeat"]), max_size=30))
def test_however_sockets_are_lost_an_act_is_sent_until_it_is_answered_and_never_after(story: list[str]) -> None:
    here, answered, rid = seated(), True, 0
    for step in story:
        if step == "act" and answered:
            rid, answered = rid + 1, False
            assert here.outgoing(m.Act(ROOM, rid, 0)) == m.Act(ROOM, rid, 0)
        elif step == "lose":
            assert back(here, ROOM) == []
            assert hear(here, joined(10, why="resume")) == ([] if answered else [m.Act(ROOM, rid, 0)])
            assert hear(here, turn(10, rid)) == []
        elif step == "answer" and not answered:
            answered = True
            assert here.is_news(m.Ok(room=ROOM, rid=rid))
            hear(here, m.Ok(room=ROOM, rid=rid))
        elif step == "repeat":
            assert here.is_news(m.Ok(room=ROOM, rid=rid)) is not answered


def test_messages_of_the_past_are_no_news() -> None:
    here = seated(10)
    hear(here, update(11))
    assert [here.is_news(update(seq)) for seq in (4, 11, 12, 99)] == [False, False, True, True]
    assert not greeted().is_news(update(1)), "of a room we are not in"


def test_a_turn_or_over_of_the_same_seq_follows_joined_and_only_directly() -> None:
    here = seated(10)
    assert here.is_news(turn(10, 1))
    assert here.is_news(over(10))
    assert not here.is_news(update(10))
    hear(here, turn(10, 1))
    assert not here.is_news(turn(10, 1))
    hear(here, update(11))
    assert not here.is_news(over(11))


def test_a_gap_asks_to_come_back_from_the_last_message_in_order() -> None:
    here = seated(10)
    with pytest.raises(Gap):
        here.receive(update(12))
    assert [report.code for report in here.reports] == ["gap"]
    assert here.hello().rooms == [{"room": ROOM, "epoch": 1, "seq": 10}]


@pytest.mark.parametrize(("wish", "room"), [(m.Join(ROOM.lower()), ROOM), (m.Create("uno"), "NEWW")])
def test_a_lost_wish_for_a_room_is_repeated_unless_it_has_come_true(wish: m.Join | m.Create, room: str) -> None:
    for held, repeated in (((), 1), ((room,), 0)):
        here = greeted()
        here.outgoing(wish)
        assert len(back(here, *held)) == repeated


def test_an_answered_join_is_not_repeated() -> None:
    here = greeted()
    asked = here.outgoing(m.Join(ROOM))
    assert asked is not None
    hear(here, joined(0, re=asked.id))
    assert back(here, ROOM) == []


def test_a_watched_room_is_joined_again_as_no_seat_is_held_there() -> None:
    here = greeted(joined(5, seat=None))
    [again] = back(here)
    assert isinstance(again, m.Join)
    assert (again.room, again.as_) == (ROOM, "spectator")


def test_a_seat_that_is_gone_is_reported_and_told() -> None:
    here = seated()
    assert back(here) == []
    assert [report.code for report in here.reports] == ["seat_lost"]
    assert here.left == [m.Left(ROOM, "expired")], "as the message would have told it"
    assert here.hello().rooms is None


def test_whoever_was_leaving_when_the_connection_broke_has_left_and_has_lost_nothing() -> None:
    here = seated()
    here.outgoing(m.Leave(ROOM))
    assert back(here) == []
    assert (here.left, here.reports) == ([m.Left(ROOM, "left")], [])
    assert hear(here, joined(3)) == [], "who comes to the room again stays"


def test_ready_and_leave_are_repeated_talk_and_invitations_are_reported() -> None:
    here = seated()
    for message in (m.Ready(ROOM), m.Leave(ROOM), m.Chat(ROOM, "hi"), m.Invite(ROOM)):
        here.outgoing(message)
    back(here, ROOM)
    assert [report.text.split()[0] for report in here.reports] == ["chat", "invite"]
    assert [message.t for message in hear(here, joined(10, why="resume"))] == ["ready", "leave"]
    assert hear(here, joined(10, why="sync")) == []


def test_ready_carries_a_nonce_once_a_commitment_was_seen() -> None:
    here = seated()
    assert got_ready(here).nonce == "ab" * 32
    assert isinstance(here.outgoing(m.Ready("OTHR")), m.Ready)
    unready = here.outgoing(m.Ready(ROOM, ready=False))
    assert isinstance(unready, m.Ready)
    assert unready.nonce is None


@pytest.mark.parametrize("state", ["playing", "pause"])
def test_no_nonce_during_a_match(state: str) -> None:
    assert got_ready(greeted(joined(1, table=table(state)))).nonce is None


def test_a_nonce_that_is_shown_is_no_matter_before_or_after_the_ok() -> None:
    shown = table(nonces={"0": "ab" * 32})
    for first_shown in (True, False):
        here = seated(10)
        ready = got_ready(here)
        answers: list[m.ServerMessage] = [m.Ok(re=ready.id, room=ROOM), seats(11, shown)]
        hear(here, *(reversed(answers) if first_shown else answers))
        hear(here, seats(12, table("playing", nonces={"0": "ab" * 32})))
        assert not here.reports


def test_a_token_that_is_refused_is_kept_no_longer_and_the_greeting_repeated() -> None:
    kept: list[str | None] = []
    here = Session("maria", entropy=entropy, token="old", key="k", on_token=kept.append)
    assert here.hello().token == "old"
    [again] = hear(here, m.Error("bad_token", "", re="hello"))
    assert isinstance(again, m.Hello)
    assert (again.token, again.key, kept) == (None, "k", [None])


def test_a_key_of_somebody_else_does_not_cost_the_token() -> None:
    here = Session("maria", entropy=entropy, token="t0", key="k")
    here.hello()
    [again] = hear(here, m.Error("bad_key", "", re="hello"))
    assert isinstance(again, m.Hello)
    assert (again.token, again.key) == ("t0", None)
    assert hear(here, m.Error("bad_key", "", re="hello")) == []


@pytest.mark.parametrize("wanted", [m.Join(ROOM), m.Create("uno")])
def test_of_other_rooms_with_a_seat_of_ours_nothing_but_that_is_told(wanted: m.Join | m.Create) -> None:
    here = Session("maria", entropy=entropy, token="t0", only=wanted)
    back(here, "AAAA")
    assert [(report.code, report.room) for report in here.reports] == [("elsewhere", "AAAA")]
    other = replace(joined(3), room="AAAA")
    for message in (other, replace(turn(3, 1), room="AAAA"), m.Left("AAAA", "expired")):
        assert not here.is_news(message)
    hear(here, joined(0))
    assert here.is_news(turn(1, 1))
    back(here, "AAAA", ROOM)
    assert ([*here.rooms], len(here.reports)) == ([ROOM], 1)


def test_a_room_whose_creation_was_cut_off_is_not_taken_for_another() -> None:
    for held, repeated in ((("AAAA", ROOM), []), (("AAAA",), [m.Create])):
        here = Session("maria", entropy=entropy, only=m.Create("uno"))
        back(here, "AAAA")
        here.outgoing(m.Create("uno"))
        assert [type(message) for message in back(here, *held)] == repeated
        assert here.is_news(joined(0))


def test_a_room_that_is_made_late_is_put_aside_for_the_one_of_the_repeat() -> None:
    here = Session("maria", entropy=entropy, only=m.Create("uno"))
    hear(here, welcome())
    here.outgoing(m.Create("uno"))
    [again] = back(here)
    hear(here, replace(joined(0), re=again.id))
    back(here, "LATE", ROOM)
    assert not here.is_news(replace(joined(0), room="LATE"))
    assert here.is_news(joined(3))


def test_what_only_reads_is_asked_again_after_a_cut_under_its_id() -> None:
    here = seated()
    listing = here.outgoing(m.List(id="page"))
    assert back(here, ROOM) == [listing]
    assert here.waits_for(m.List)
    assert here.reports == []
