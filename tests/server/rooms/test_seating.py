"""Joining, leaving and the host: SPEC.md#after-joined, #leaving-and-expiry, #room-codes."""

import json

import pytest
from tests.server.local_server import (
    kept_room,
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
from parlour_protocol.wire import plain
from parlour_server.persistence import SaveSeat

# --- coming in --------------------------------------------------------------------------------------------


def test_a_joining_player_gets_the_first_free_seat_and_the_others_see_it() -> None:
    at = open_room("fake", 2, seats=3)
    cleo = at.enter("cleo")
    joined = one(cleo, m.Joined)
    assert (joined.seat, joined.why, joined.view) == (2, "join", None)
    assert [row["name"] for row in rows(joined)] == ["anna", "bert", "cleo"]
    assert rows(one(at[0], m.SeatsChanged)) == rows(joined)


def test_a_full_or_playing_room_seats_no_one_but_can_be_watched() -> None:
    at = open_room()
    assert refused(at.server.connect("cleo"), m.Join(at.code)).code == "room_full"
    at = playing("fake", 2, seats=4)
    cleo = at.server.connect("cleo")
    assert refused(cleo, m.Join(at.code)).code == "wrong_state"
    joined = request(cleo, m.Join(at.code, "spectator", id=9), m.Joined)
    assert (joined.seat, joined.re) == (None, 9)
    assert joined.view is not None
    assert "secret" not in joined.view


def test_the_kinds_of_a_room_are_kept() -> None:
    at = open_room("fake", 1, seats=3, kinds="humans")
    assert refused(at.server.connect("robo", "bot"), m.Join(at.code)).code == "wrong_kind"
    request(at.server.connect("bea", "human"), m.Join(at.code), m.Joined)
    at = open_room("fake", 1, seats=3, kinds="bots", kind="bot")
    assert refused(at.server.connect("bea", "human"), m.Join(at.code)).code == "wrong_kind"


def test_bots_say_how_they_play_when_they_take_a_seat() -> None:
    at = open_room("fake", 1, kind="bot", seats=2, style="llm")
    at.server.connect("bob").send(m.Join(at.code, style="rules"))
    assert [row.get("style") for row in rows(one(at[0], m.SeatsChanged))] == ["llm", "rules"]


def test_a_room_without_spectators_has_none() -> None:
    at = open_room("fake", 1, seats=2, watch=False)
    assert refused(at.server.connect("walt"), m.Join(at.code, "spectator")).code == "no_watching"


@pytest.mark.parametrize("watch", [True, False])
def test_the_creator_is_host_even_as_a_spectator(watch: bool) -> None:
    local = new_server()
    anna = local.connect("anna", "human")
    joined = request(anna, m.Create("fake", as_="spectator", watch=watch), m.Joined)
    assert (joined.seat, joined.table["host"]) == (None, "anna")


def test_joining_again_gets_the_room_again() -> None:
    at = playing()
    joined = request(at[0], m.Join(at.code, id=5), m.Joined)
    assert (joined.why, joined.re, joined.seat) == ("sync", 5, 0)
    turn = one(at[0], m.Turn)
    assert (turn.rid, turn.seq, turn.events, turn.ok) == (1, joined.seq, [], None)
    assert received(at[1]) == []


def test_a_spectator_can_take_a_seat_and_spectators_are_counted() -> None:
    at = open_room("fake", 1, seats=2)
    walt = at.enter("walt", role="spectator")
    assert one(at[0], m.SeatsChanged).table["watchers"] == 1
    joined = request(walt, m.Join(at.code), m.Joined)
    assert (joined.seat, joined.table["watchers"]) == (1, 0)
    assert one(at[0], m.SeatsChanged).table["watchers"] == 0


def test_a_player_seated_after_a_match_sees_its_end() -> None:
    at = playing("fake", 2, seats=4)
    at.act(0, "end")
    cleo = at.enter("cleo")
    joined, over = received(cleo)
    assert isinstance(joined, m.Joined)
    assert isinstance(over, m.Over)
    assert (joined.seat, over.seq) == (2, joined.seq)
    assert "secret" not in over.view


# --- leaving ---------------------------------------------------------------------------------------------------


def test_leaving_a_match_brings_a_stand_in_and_keeps_the_seat_numbers() -> None:
    at = playing("fake", 3)
    assert request(at[1], m.Leave(at.code, id=3)) == m.Left(at.code, "left", re=3)
    assert received(at[1]) == []
    shown = rows(only(at[0], m.SeatsChanged)[-1])
    assert [(row["seat"], row["name"], row["by"]) for row in shown] == [
        (0, "anna", "owner"), (1, "bert", "standin"), (2, "cleo", "owner"),
    ]  # fmt: skip
    assert at.server.lobby.rooms.seats[at.room.state.match.begun.players[1].who] == set()  # type: ignore[union-attr]


def test_without_standins_the_game_removes_the_seat() -> None:
    at = playing("fake", 3, standin=False)
    at[1].send(m.Leave(at.code))
    assert (at.match.state.out, at.match.book.of(1)) == ([1], [])
    [turn] = only(at[0], m.Turn)  # asked again: the list of what it may do no longer names the seat
    assert [event["words"] for event in turn.events] == ["out"]
    assert {"do": "hit", "seat": 1} not in (turn.legal or [])


def test_when_the_last_player_leaves_a_match_it_is_aborted_and_the_room_closed() -> None:
    at = playing()
    walt = at.enter("walt", role="spectator")
    walt.inbox.clear()
    at[1].send(m.Leave(at.code))
    at[0].send(m.Leave(at.code))
    kinds = [type(message) for message in received(walt)]
    assert kinds[-3:] == [m.Over, m.SeatsChanged, m.Left]
    assert at.code not in at.server.lobby.rooms.loaded
    assert json.loads(at.lines()[-1])["r"] == "closed"
    assert refused(at.server.connect("zoe"), m.Join(at.code)).code == "no_room"


def test_when_the_host_leaves_the_next_seated_person_is_host_before_any_bot() -> None:
    at = open_room("fake", 1, seats=4)
    robo, bea = at.enter("robo", "bot"), at.enter("bea", "human")
    at[0].send(m.Leave(at.code))
    assert only(bea, m.SeatsChanged)[-1].table["host"] == "bea"
    bea.send(m.Leave(at.code))
    assert only(robo, m.SeatsChanged)[-1].table["host"] == "robo"


def test_an_absent_person_becomes_host_only_as_a_last_resort() -> None:
    at = open_room("fake", 3)
    at[1].close()
    at[0].send(m.Leave(at.code))
    assert at.room.state.host == at.seat(2).who
    at[2].send(m.Leave(at.code))
    assert at.room.state.host == at.seat(1).who


def test_an_empty_room_has_no_host_until_a_person_joins() -> None:
    at = open_room("fake", 1, seats=2)
    at[0].send(m.Leave(at.code))
    assert at.room.state.host is None
    joined = request(at.server.connect("zoe"), m.Join(at.code), m.Joined)
    assert joined.table["host"] == "zoe"


def test_a_seat_that_is_given_up_is_stored_as_given_up() -> None:
    at = open_room()
    who = at.seat(1).who
    wanted = at.server.lobby.receive(at[1].conn, plain(m.Leave(at.code)), at.server.now)
    assert [effect for effect in wanted if isinstance(effect, SaveSeat)] == [SaveSeat(at.code, who or "", False)]


@pytest.mark.parametrize(("why", "told"), [("aborted", "aborted"), ("expired", "expired"), ("the admin", "aborted")])
def test_the_reason_for_closing_is_recorded_and_sent_to_those_inside(why: str, told: str) -> None:
    at = playing()
    with at.inside() as (room, now):
        room.playing.close(now, why)
    assert json.loads(at.lines()[-1])["why"] == why
    assert only(at[1], m.Left) == [m.Left(at.code, told)]  # type: ignore[arg-type]


# --- rooms that the server keeps open ----------------------------------------------------------------------------


def test_a_kept_room_stays_when_all_players_have_left_a_match() -> None:
    at = kept_room("anna", "bert")
    for peer in at:
        peer.send(m.Ready(at.code))
    assert at.state == "playing"
    for peer in at:
        peer.send(m.Leave(at.code))
    assert (at.state, at.room.state.seats.taken()) == ("finished", [])
    joined = request(at.server.connect("cleo", "human"), m.Join(at.code), m.Joined)
    assert joined.table["host"] == "cleo"


def test_a_joining_person_becomes_host_of_a_kept_room_instead_of_a_bot_but_not_of_a_person() -> None:
    at = kept_room()
    for name, kind, host in (("robo", "bot", "robo"), ("anna", "human", "anna"), ("bert", "human", "anna")):
        peer = at.server.connect(name, kind)  # type: ignore[arg-type]
        assert request(peer, m.Join(at.code), m.Joined).table["host"] == host
