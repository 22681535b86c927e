"""How matches begin and pauses end: SPEC.md#starting-a-match, #decision-numbers, #sequence-numbers."""

from typing import Any

import pytest
from tests.server.rooms.halls import Table, ask, playing, refused, table, told

from parlour_protocol import messages as m

NONCES = ["ab" * 32, "cd" * 32]


def nonce_bots(start: Any = "full") -> Table:
    at = table("fake", 1, seats=2, start=start)
    at.peers.append(at.enter("robo", "bot", can=["nonce"]))
    return at.clear()


def test_a_match_begins_when_all_people_are_ready() -> None:
    at = table("fake", 3)
    at[0].send(m.Ready(at.code))
    at[1].send(m.Ready(at.code))
    assert at.state == "waiting"
    assert isinstance(ask(at[2], m.Ready(at.code, id=4)), m.Ok)
    assert at.state == "playing"
    assert [type(message).__name__ for message in told(at[2])] == ["SeatsChanged", "SeatsChanged", "Turn"]


def test_readiness_can_be_taken_back() -> None:
    at = table()
    at[0].send(m.Ready(at.code))
    at[0].send(m.Ready(at.code, ready=False))
    at[1].send(m.Ready(at.code))
    assert at.state == "waiting"


def test_ready_in_a_match_is_answered_and_told_to_nobody() -> None:
    at = playing()
    assert ask(at[0], m.Ready(at.code, id=1)) == m.Ok(re=1, room=at.code)
    assert told(at[0]) == []
    assert told(at[1]) == []


def test_bots_are_ready_without_asking_but_do_not_begin_alone() -> None:
    at = table("fake", 2, seats=3)
    at.enter("robo", "bot")
    assert at.state == "waiting"
    at[0].send(m.Ready(at.code))
    at[1].send(m.Ready(at.code))
    assert at.state == "playing"
    bots = table("fake", 2, kind="bot")
    assert bots.state == "waiting"
    bots.start()
    assert bots.state == "playing"


def test_the_host_begins_now_and_nobody_else_does() -> None:
    at = table()
    assert refused(at[1], m.Start(at.code)).code == "not_host"
    assert ask(at[0], m.Start(at.code, id=1)) == m.Ok(re=1, room=at.code)
    assert at.state == "playing"
    assert refused(at[0], m.Start(at.code)).code == "wrong_state"


def test_no_match_begins_with_too_few() -> None:
    at = table("uno", 2, seats=4)
    at[1].send(m.Leave(at.code))
    error = refused(at[0], m.Start(at.code))
    assert (error.code, error.room) == ("wrong_state", at.code)
    at[0].send(m.Ready(at.code))
    assert at.state == "waiting"


def test_full_begins_the_first_match_with_the_last_seat_and_only_that() -> None:
    at = table("fake", 3, start="full", kind="bot")
    assert at.state == "playing"
    at.act(0, "end")
    assert at.state == "finished"
    at[0].send(m.Ready(at.code))
    assert at.state == "finished"


def test_a_pause_ends_when_all_people_want_it_to() -> None:
    at = playing(options={"pause": 5_000})
    at.act(0, "rest")
    assert at.state == "pause"
    at[0].send(m.Ready(at.code))
    assert at.state == "pause"
    at[1].send(m.Ready(at.code))
    assert at.state == "playing"


def test_the_host_ends_a_pause_early() -> None:
    at = playing(options={"pause": 5_000})
    at.act(0, "rest")
    assert ask(at[0], m.Start(at.code, id=1)) == m.Ok(re=1, room=at.code)
    assert at.state == "playing"
    assert at.room.state.matches == 1


def test_a_rematch_begins_when_all_people_are_ready_again() -> None:
    at = playing()
    at.act(0, "end")
    at[0].send(m.Ready(at.code))
    at[1].send(m.Ready(at.code))
    assert (at.state, at.room.state.matches) == ("playing", 2)


def test_without_people_a_rematch_begins_when_the_host_says_so() -> None:
    at = playing(kind="bot")
    at.act(0, "end")
    for peer in at:
        peer.send(m.Ready(at.code))
    at.hall.wait(60_000)
    assert at.room.state.matches == 1
    at.start()
    assert (at.state, at.room.state.matches) == ("playing", 2)


def test_who_moves_to_another_seat_never_gets_a_rid_twice() -> None:
    at = playing("fake", 3, standin=False)
    for cell in range(5):
        at.act(2, "take", cell=cell)
    at[1].send(m.Leave(at.code))
    at.act(0, "end")
    before = at.room.state.rids[2]
    at.start()
    assert at.room.state.seat_of(at.seat(1).who or "") == 1
    assert at.rid(1) >= before
    answer = refused(at[2], m.Act(at.code, 3, 0))
    assert (answer.code, answer.why) == ("stale", "overtaken")


# --- nonces --------------------------------------------------------------------------------------------------


def test_a_client_with_nonces_counts_as_ready_after_its_ready() -> None:
    at = nonce_bots()
    assert at.state == "waiting"
    at[1].send(m.Ready(at.code, nonce=NONCES[0]))
    assert at.state == "playing"
    assert at.match.begun.nonces == ["", NONCES[0]]


@pytest.mark.parametrize("start", ["full", "host"])
def test_a_client_with_nonces_is_waited_for_two_seconds_after_it_was_shown_the_commitment(start: str) -> None:
    at = nonce_bots(start)
    at[0].send(m.Ready(at.code))
    at.hall.wait(1_999)
    assert at.state == "waiting"
    at.hall.wait(1)
    assert at.state == "playing"
    assert at.match.begun.nonces == ["", ""]


def test_for_a_rematch_a_client_with_nonces_is_waited_for_again() -> None:
    at = nonce_bots()
    at.hall.wait(2_000)
    at.act(0, "end")
    at[0].send(m.Ready(at.code))
    assert at.state == "finished"
    at.hall.wait(2_000)
    assert at.room.state.matches == 2


def test_in_a_room_that_was_loaded_again_its_two_seconds_begin_when_it_comes_back() -> None:
    at = nonce_bots("host")
    lobby = at.hall.lobby
    for conn in lobby.rooms.discard(at.code):
        at.hall.disconnect(conn)
    at.hall.carry_out(lobby.adopt(at.code, 2, at.lines(), at.hall.now))
    at.hall.connect("robo", "bot", token=at[1].token, can=["nonce"])
    at.hall.wait(1_500)
    at.hall.connect("anna", "human", token=at[0].token).send(m.Ready(at.code))
    at.hall.wait(499)
    assert at.state == "waiting"
    at.hall.wait(1)
    assert at.state == "playing"
