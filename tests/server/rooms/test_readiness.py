"""Starting matches and ending pauses: SPEC.md#starting-a-match, #decision-numbers, #sequence-numbers."""

from typing import Any

import pytest
from tests.server.local_server import OpenRoom, one, only, open_room, playing, received, refused, request

from parlour_protocol import messages as m
from parlour_server.rooms.readiness import MOMENT

NONCES = ["ab" * 32, "cd" * 32]


def nonce_bots(start: Any = "full") -> OpenRoom:
    at = open_room("fake", 1, seats=2, start=start)
    at.peers.append(at.enter("robo", "bot", can=["nonce"]))
    return at.clear()


def unbegun(pause: bool) -> OpenRoom:
    """Return a room before its match, or in a pause of it."""
    if not pause:
        return open_room()
    at = playing(options={"pause": 60_000})
    at.act(0, "rest")
    return at


def test_a_match_begins_when_all_people_are_ready_and_none_has_taken_it_back() -> None:
    at = open_room("fake", 3)
    for seat, ready in ((0, True), (1, True), (0, False), (2, True)):
        at.clear()[seat].send(m.Ready(at.code, ready))
        assert at.state == "waiting"
    request(at[0], m.Ready(at.code, id=4), m.Ok)
    assert at.state == "playing"
    assert [type(message).__name__ for message in received(at[0])] == ["SeatsChanged", "SeatsChanged", "Turn"]


@pytest.mark.parametrize("pause", [False, True])
def test_a_person_who_loads_the_page_again_still_has_to_be_ready(pause: bool) -> None:
    at = unbegun(pause)
    before = at.state
    at[0].send(m.Ready(at.code))
    at[1].close()
    at.server.wait(MOMENT - 1)
    assert at.state == before
    back = at.server.connect(at[1].name, "human", token=at[1].token)
    assert at.state == before
    back.send(m.Ready(at.code))
    assert at.state == "playing"


@pytest.mark.parametrize("pause", [False, True])
def test_a_person_who_stays_away_holds_nothing_up(pause: bool) -> None:
    at = unbegun(pause)
    before = at.state
    at[1].send(m.Ready(at.code))
    at[1].close()
    at[0].send(m.Ready(at.code))
    assert at.state == before
    at.server.wait(MOMENT)
    assert at.state == "playing"


def test_ready_during_a_match_is_answered_and_not_announced() -> None:
    at = playing()
    before = list(at.lines())
    assert request(at[0], m.Ready(at.code, nonce=NONCES[0], id=1)) == m.Ok(re=1, room=at.code)
    assert received(at[0]) == received(at[1]) == []
    assert at.lines() == before


def test_bots_are_ready_without_asking_but_do_not_begin_alone() -> None:
    at = open_room("fake", 2, seats=3)
    at.enter("robo", "bot")
    assert at.state == "waiting"
    at[0].send(m.Ready(at.code))
    at[1].send(m.Ready(at.code))
    assert at.state == "playing"
    bots = open_room("fake", 2, kind="bot")
    assert bots.state == "waiting"
    bots.start()
    assert bots.state == "playing"


def test_only_the_host_can_start() -> None:
    at = open_room()
    assert refused(at[1], m.Start(at.code)).code == "not_host"
    assert request(at[0], m.Start(at.code, id=1)) == m.Ok(re=1, room=at.code)
    assert at.state == "playing"
    error = refused(at[0], m.Start(at.code))
    assert (error.code, error.why) == ("wrong_state", "playing")


def test_no_match_begins_with_too_few() -> None:
    at = open_room("uno", 2, seats=4)
    at[1].send(m.Leave(at.code))
    error = refused(at[0], m.Start(at.code))
    assert (error.code, error.room, error.why) == ("wrong_state", at.code, "few")
    at[0].send(m.Ready(at.code))
    assert at.state == "waiting"


def test_full_begins_the_first_match_with_the_last_seat_and_only_that() -> None:
    at = open_room("fake", 3, start="full", kind="bot")
    assert at.state == "playing"
    at.act(0, "end")
    assert at.state == "finished"
    at[0].send(m.Ready(at.code))
    assert at.state == "finished"


def test_the_host_ends_a_pause_early() -> None:
    at = playing(options={"pause": 5_000})
    at.act(0, "rest")
    assert request(at[0], m.Start(at.code, id=1)) == m.Ok(re=1, room=at.code)
    assert at.state == "playing"
    assert at.room.state.matches == 1


def test_seats_show_the_matches_that_their_owners_have_won_in_the_room() -> None:
    at = playing()
    at.act(0, "take", cell=1)
    at.act(0, "end")
    at.start()
    at.abort()
    for _ in range(2):
        assert [row.get("wins") for row in at.room.audience.table(0)["seats"]] == [1, None]
        at.load_again()


def test_without_people_a_rematch_begins_when_the_host_says_so() -> None:
    at = playing(kind="bot")
    at.act(0, "end")
    for peer in at:
        peer.send(m.Ready(at.code))
    at.server.wait(60_000)
    assert at.room.state.matches == 1
    at.start()
    assert (at.state, at.room.state.matches) == ("playing", 2)


def test_a_person_moved_to_another_seat_never_gets_a_rid_twice() -> None:
    at = playing("fake", 3, standin=False)
    for cell in range(5):
        at.act(2, "take", cell=cell)
    at[1].send(m.Leave(at.code))
    at.act(0, "end")
    before = at.room.state.rids[2]
    at.start()
    assert at.room.state.seats.of(at.seat(1).who or "") == 1
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
    at.server.wait(1_999)
    assert at.state == "waiting"
    at.server.wait(1)
    assert at.state == "playing"
    assert at.match.begun.nonces == ["", ""]


def test_for_a_rematch_a_client_with_nonces_is_waited_for_again() -> None:
    at = nonce_bots()
    at.server.wait(2_000)
    at.act(0, "end")
    at[0].send(m.Ready(at.code))
    assert at.state == "finished"
    at.server.wait(2_000)
    assert at.room.state.matches == 2


def test_in_a_room_that_was_loaded_again_its_two_seconds_begin_when_it_comes_back() -> None:
    at = nonce_bots("host")
    lobby = at.server.lobby
    for conn in lobby.rooms.discard(at.code):
        at.server.disconnect(conn)
    at.load_again()
    at.server.connect("robo", "bot", token=at[1].token, can=["nonce"])
    at.server.wait(1_500)
    at.server.connect("anna", "human", token=at[0].token).send(m.Ready(at.code))
    at.server.wait(499)
    assert at.state == "waiting"
    at.server.wait(1)
    assert at.state == "playing"


def test_bots_play_without_pauses_once_all_people_at_the_table_want_that() -> None:
    at = playing(options={"pause": 5_000}, pace=700)
    walt = at.enter("walt", role="spectator")
    assert refused(walt, m.Hurry(at.code)).code == "not_seated"
    for seat, pace in ((0, 700), (1, 0)):
        at.clear()
        assert request(at[seat], m.Hurry(at.code, id=1)) == m.Ok(re=1, room=at.code)
        assert one(at[0], m.SeatsChanged).table["pace"] == pace
    at.act(0, "rest")
    assert at.state == "playing", "the pause ends when it begins"
    at.clear().abort()
    assert only(at[0], m.SeatsChanged)[-1].table["pace"] == 700
    assert refused(at[0], m.Hurry(at.code)).why == "finished"


def test_who_is_away_from_the_table_is_not_waited_for() -> None:
    at = playing(pace=700)
    at[0].send(m.Hurry(at.code))
    at.clear()[1].close()
    assert only(at[0], m.SeatsChanged)[-1].table["pace"] == 0
