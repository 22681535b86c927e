"""Smaller duties of a room: what it records, repeats and forgets."""

import json

from tests.server.local_server import one, only, open_room, playing, refused

from parlour_protocol import messages as m
from parlour_protocol.wire import plain
from parlour_server.persistence import SaveSeat


def test_the_reason_for_closing_is_recorded_and_sent_to_those_inside() -> None:
    for why in ("aborted", "expired"):
        at = playing()
        with at.inside() as (room, now):
            room.playing.close(now, why)
        assert json.loads(at.lines()[-1])["why"] == why
        assert only(at[1], m.Left) == [m.Left(at.code, why)]


def test_a_room_that_closes_for_whatever_else_is_aborted() -> None:
    at = open_room()
    with at.inside() as (room, now):
        room.playing.close(now, "the admin")
    assert one(at[1], m.Left).why == "aborted"


def test_results_show_which_players_are_bots() -> None:
    at = playing()
    robo = at.server.connect("robo", "bot")
    robo.send(m.Create("fake", seats=2, start="full"))
    code = one(robo, m.Joined).room
    at.server.connect("zoe", "human").send(m.Join(code))
    at.server.lobby.rooms.act(code, at.server.now, lambda room, now: room.playing.abort(now, "expired"))
    at.server.carry_out(at.server.lobby.take())
    [saved] = at.server.matches
    assert [(row.name, row.kind) for row in saved.match.rows] == [("robo", "bot"), ("zoe", "human")]


def test_a_host_cannot_put_itself_out() -> None:
    at = open_room()
    for do in ("kick", "ban", "mute"):
        error = refused(at[0], m.Manage(at.code, do, "anna"))
        assert (error.code, do in error.msg) == ("no_such_name", True)


def test_a_seat_that_is_given_up_is_stored_as_given_up() -> None:
    at = open_room()
    who = at.seat(1).who
    wanted = at.server.lobby.receive(at[1].conn, plain(m.Leave(at.code)), at.server.now)
    assert [effect for effect in wanted if isinstance(effect, SaveSeat)] == [SaveSeat(at.code, who or "", False)]
