"""Timers of a room.

SPEC.md#turn-clock, #reaction-window, #stand-ins, #starting-a-match, #leaving-and-expiry.
"""

import json

from tests.server.local_server import NO_CLOCK, QUICK, OpenRoom, house_bot, only, open_room, playing, received

from parlour_protocol import messages as m
from parlour_server.rooms.clock import LAG
from parlour_server.rooms.effects import WakeAt
from parlour_server.rooms.room import Room, replay
from parlour_server.rooms.timers import IDLE


def records(at: OpenRoom, tag: str) -> list[int]:
    """Return the times of the records of one kind."""
    return [record["at"] for record in map(json.loads, at.lines()) if record["r"] == tag]


def next_wakes(room: Room, now: int) -> list[int]:
    """Return the times at which a room asks to be woken; other effects are dropped."""
    return [effect.at for effect in room.take(now) if isinstance(effect, WakeAt)]


def test_a_clock_is_overrun_half_a_second_after_zero() -> None:
    at = playing(clock=QUICK)
    at.server.wait(1_499)
    assert records(at, "timeout") == []
    at.act(0, "take", cell=3)
    at.server.wait(1)
    assert records(at, "timeout") == [1_500]
    assert at.match.timeouts == [0, 1]


def test_a_time_out_does_the_default_action_and_shows_it_to_everybody() -> None:
    at = playing(clock=QUICK)
    at.act(0, "take", cell=3)
    at.clear()
    at.server.wait(1_500)
    for peer in at:
        update = received(peer)[0]
        assert isinstance(update, m.Update | m.Turn)
        assert update.events == [{"e": "timeout", "seat": 1, "standin": 1}, {"e": "said", "words": "took 0", "seat": 1}]


def test_a_question_with_little_time_left_brings_the_next_wake_up_forward() -> None:
    at = playing("uno", clock=m.Clock(bank=10_000, add=1_000))
    first = at.match.book.obligations()[0].seat

    def skip_turn(seat: int) -> None:
        at.act(seat, "draw")
        at.act(seat, "pass")

    at.server.wait(9_000)
    skip_turn(first)
    at.server.wait(3_000)  # the room has been woken, and asked to be woken for the full bank of the second seat
    skip_turn(1 - first)
    ends = 12_000 + at.match.clocks.banks[first] + LAG
    at.server.wait(ends - 12_000 - 1)
    assert records(at, "timeout") == []
    at.server.wait(1)
    assert records(at, "timeout")[0] == ends


def test_a_breath_lasts_as_long_as_its_option_says_whatever_is_answered_in_it() -> None:
    at = playing("fake", 3, options={"breath": 300})
    at.act(0, "bell")
    at.server.wait(200)
    at.act(1, "shout", at.optional(1))
    at.server.wait(99)
    assert received(at[0]) == received(at[2]) == []
    assert at.match.book.obligations() == []
    at.server.wait(1)
    assert len(at.match.book.obligations()) == 3
    assert records(at, "timer") == [300]
    assert only(at[2], m.Turn)[0].events[0]["words"] == "breath over, first shout [1]"


def test_a_pause_ends_when_its_timer_fires() -> None:
    at = playing(options={"pause": 5_000})
    at.act(0, "rest")
    at.server.wait(4_999)
    assert at.state == "pause"
    at.server.wait(1)
    assert at.state == "playing"


def test_without_people_a_pause_ends_immediately() -> None:
    at = playing(kind="bot", options={"pause": 5_000})
    at.act(0, "rest")
    at.server.wait(0)
    assert at.state == "playing"


def test_a_room_without_anybody_connected_expires_after_three_minutes() -> None:
    at = open_room()
    at[0].close()
    at.server.wait(60_000)
    at[1].close()
    at.server.wait(179_999)
    assert at.code in at.server.lobby.rooms.loaded
    at.server.wait(1)
    assert at.code not in at.server.lobby.rooms.loaded
    assert records(at, "closed") == [240_000]


def test_a_room_is_empty_when_its_last_stand_in_has_gone() -> None:
    at = playing(clock=NO_CLOCK)
    house_bot(at.server)
    at[0].close()
    at[1].close()
    at.server.wait(30_000)
    assert at.room.audience.here
    at.abort()
    assert not at.room.audience.here
    at.server.wait(180_000)
    assert at.code not in at.server.lobby.rooms.loaded


def test_room_in_which_nothing_happens_expires_ten_minutes_after_the_last_chat() -> None:
    at = open_room()
    at.server.wait(599_000)
    at[1].send(m.Chat(at.code, "still waiting for cleo"))
    at.server.wait(599_999)
    assert at.code in at.server.lobby.rooms.loaded
    at.server.wait(1)
    assert at.code not in at.server.lobby.rooms.loaded


def test_no_match_expires_while_a_clock_runs() -> None:
    """Otherwise a player with much time could wait for that instead of losing."""
    at = playing(clock={"bank": 2 * IDLE, "add": 0}, standin=False)
    at.act(1, "take", cell=0)
    at.server.wait(2 * IDLE)
    assert at.state == "playing"
    at.server.wait(LAG)
    assert at.match.lapses[0] > 0


def test_match_without_clocks_in_which_nothing_happens_expires_after_three_hours() -> None:
    at = playing(clock=NO_CLOCK)
    at.server.wait(300_000)
    at.act(0, "take", cell=1)
    at.clear()
    at.server.wait(10_799_999)
    assert received(at[0]) == []
    at.server.wait(1)
    over, changed, left = received(at[0])
    assert isinstance(over, m.Over)
    assert over.result["why"] == "expired"
    assert isinstance(changed, m.SeatsChanged)
    assert left == m.Left(at.code, "expired")


def test_a_seat_whose_owner_is_away_for_three_minutes_between_matches_is_free_again() -> None:
    at = open_room("fake", 3)
    at[0].close()
    at.server.wait(179_999)
    assert at.room.state.seats[0] is not None
    at.clear()
    at.server.wait(1)
    assert at.room.state.seats[0] is None
    changed = only(at[2], m.SeatsChanged)[-1].table
    assert ([row["name"] for row in changed["seats"]], changed["host"]) == (["bert", "cleo"], "bert")


def test_what_is_due_at_different_times_is_done_in_that_order() -> None:
    at = playing("fake", 2, clock=QUICK)
    at.server.wait(400)
    at.act(0, "take", cell=1)
    with at.inside() as (room, now):
        room.timers.wake(now + 10_000)
    seats = [record["seat"] for record in map(json.loads, at.lines()) if record["r"] == "timeout"]
    assert seats[:2] == [1, 0]


def test_a_closed_room_asks_for_no_wake_up() -> None:
    at = open_room()
    room = at.room
    with at.inside() as (_, now):
        room.playing.close(now, "aborted")
    assert next_wakes(room, now + 1) == []


# --- a room that was loaded again ------------------------------------------------------------------------------


def loaded(at: OpenRoom) -> OpenRoom:
    """Load the room again as another node does. No one is connected; room time continues from the last record."""
    room = replay(at.lines(), at.room.state.game)
    room.resume(room.state.at, 2)
    at.server.lobby.rooms.loaded[at.code].room = room
    return at


def test_after_a_restart_a_clock_has_ten_seconds_at_least() -> None:
    at = loaded(playing(clock=QUICK, standin=False))
    assert next_wakes(at.room, 0) == [10_500]
    at.room.timers.wake(10_500)
    assert at.room.state.match.timeouts == [1, 1]  # type: ignore[union-attr]


def test_after_a_restart_a_breath_begins_again() -> None:
    at = playing()
    at.server.wait(5_000)
    at.act(0, "bell")
    at.server.wait(300)
    at.act(1, "shout", at.optional(1))
    loaded(at)
    assert next_wakes(at.room, 5_300) == [6_050]


def test_after_a_restart_everybody_is_absent_until_they_come_back() -> None:
    at = loaded(playing())
    assert at.room.audience.absent == {0: 0, 1: 0}
    at.room.timers.wake(30_000)
    assert [seat.by for _, seat in at.room.state.seats.taken()] == ["standin", "standin"]


def test_after_a_restart_players_who_had_left_are_not_absent() -> None:
    at = playing("fake", 3)
    at[1].send(m.Leave(at.code))
    at.act(0, "take", cell=2)
    loaded(at)
    assert set(at.room.audience.absent) == {0, 2}
    at.room.playing.abort(1_000, "expired")
    at.room.timers.wake(181_000)
    assert at.state == "closed"
