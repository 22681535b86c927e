"""What rooms write down, say and forget beside the main thing."""

import json

from tests.server.rooms.halls import ask, hall, house_bot, one, only, playing, refused, table, told

from parlour_protocol import messages as m
from parlour_protocol.wire import plain
from parlour_server.persistence import SaveSeat


def test_the_log_says_why_a_room_was_closed_and_so_are_those_inside_told() -> None:
    for why in ("aborted", "expired"):
        at = playing()
        with at.inside() as (room, now):
            room.close(now, why)
        assert json.loads(at.lines()[-1])["why"] == why
        assert only(at[1], m.Left) == [m.Left(at.code, why)]


def test_a_room_that_closes_for_whatever_else_is_aborted() -> None:
    at = table()
    with at.inside() as (room, now):
        room.close(now, "the operator")
    assert one(at[1], m.Left).why == "aborted"


def test_to_be_ready_in_the_middle_of_a_match_is_no_record() -> None:
    at = playing()
    before = list(at.lines())
    assert isinstance(ask(at[1], m.Ready(at.code)), m.Ok)
    assert at.lines() == before
    assert told(at[0]) == []


def test_results_say_who_is_a_bot() -> None:
    at = playing()
    robo = at.hall.connect("robo", "bot")
    robo.send(m.Create("fake", seats=2, start="full"))
    code = one(robo, m.Joined).room
    at.hall.connect("zoe", "human").send(m.Join(code))
    at.hall.lobby.rooms.act(code, at.hall.now, lambda room, now: room.abort(now, "expired"))
    at.hall.carry_out(at.hall.lobby.take())
    [saved] = at.hall.matches
    assert [(row.name, row.kind) for row in saved.match.rows] == [("robo", "bot"), ("zoe", "human")]


def test_a_standin_is_not_there_any_more_when_the_match_is_over() -> None:
    local = hall()
    hal = house_bot(local)
    at = playing("fake", 2, local=local)
    at[1].close()
    local.wait(30_000)
    assert one(hal, m.Joined).why == "standin"
    who = local.lobby.connections.sessions[hal.conn].who
    assert who in at.room.audience.here
    at.abort()
    assert only(hal, m.Left) == [m.Left(at.code, "replaced")]
    assert who not in at.room.audience.here
    assert at.code not in local.lobby.rooms.inside_of(who or "")


def test_a_standin_that_leaves_is_replaced() -> None:
    local = hall()
    hal = house_bot(local)
    at = playing("fake", 2, local=local)
    at[1].close()
    local.wait(30_000)
    assert at.seat(1).standin is not None
    hal.send(m.OfferBot(["fake"], 0))
    hal.inbox.clear()
    hal.send(m.Leave(at.code))
    assert one(hal, m.Left).why == "left"
    assert (at.seat(1).by, at.seat(1).standin) == ("standin", None)
    taken = at.match.state.cells.copy()
    local.wait(5_000)
    assert at.match.state.cells != taken, "the default action plays on"


def test_a_host_cannot_put_itself_out() -> None:
    at = table()
    for do in ("kick", "ban", "mute"):
        error = refused(at[0], m.Manage(at.code, do, "anna"))
        assert (error.code, do in error.msg) == ("no_such_name", True)


def test_spectators_are_told_that_they_have_joined() -> None:
    at = table()
    walt = at.hall.connect("walt", "human")
    walt.send(m.Join(at.code, "spectator", id=1))
    joined = one(walt, m.Joined)
    assert (joined.why, joined.re, joined.seat) == ("join", 1, None)


def test_a_seat_that_is_given_up_is_stored_as_given_up() -> None:
    at = table()
    who = at.seat(1).who
    wanted = at.hall.lobby.receive(at[1].conn, plain(m.Leave(at.code)), at.hall.now)
    assert [effect for effect in wanted if isinstance(effect, SaveSeat)] == [SaveSeat(at.code, who or "", False)]
    assert next(effect.seated for effect in wanted if isinstance(effect, SaveSeat)) is False
