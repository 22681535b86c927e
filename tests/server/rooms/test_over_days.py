"""Matches over days: players come and go between their turns, and are notified of them once.

SPEC.md#matches-over-days, #notices-of-turns.
"""

from typing import Any

import attrs
import pytest
from tests.server.local_server import OpenRoom, house_bot, new_server, open_room

from parlour_protocol import messages as m
from parlour_server.effects import Effect
from parlour_server.rooms.audience import HELD, KEPT, KEPT_OVER_DAYS
from parlour_server.rooms.clock import DAYS, LAG, over_days
from parlour_server.rooms.effects import Notify
from parlour_server.rooms.match import PATIENCE
from parlour_server.rooms.timers import AWAY, EMPTY, OPEN_OVER_DAYS

DAY = 86_400_000
A_DAY: m.Clock = {"bank": DAY, "add": DAY, "cap": DAY}


def days(game: str = "uno", **create: Any) -> OpenRoom:
    """Return a room with a day for each turn."""
    return open_room(game, **{"clock": A_DAY, **create})


def turn(at: OpenRoom) -> int:
    """Return the seat whose turn it is."""
    (seat,) = at.match.clocks.running
    return seat


def leave_all(at: OpenRoom) -> None:
    for peer in at:
        peer.close()


def owners(at: OpenRoom) -> list[str]:
    return [seat.by for _, seat in at.room.state.seats.taken()]


@pytest.mark.parametrize(
    ("clock", "found"),
    [
        (None, False), ({"bank": DAY, "add": DAYS - 1}, False), ({"bank": 0, "add": DAYS}, True),
        ({"bank": 0, "add": DAYS, "cap": DAYS - 1}, False), (A_DAY, True),
    ],
)  # fmt: skip
def test_a_match_is_over_days_if_each_decision_adds_an_hour(clock: m.Clock | None, found: bool) -> None:
    assert over_days(clock) is found


def test_no_stand_in_takes_the_seat_of_a_player_who_is_away() -> None:
    at = days()
    house_bot(at.server)
    leave_all(at.start())
    at.server.wait(HELD + EMPTY)
    assert owners(at) == ["owner", "owner"]
    assert all("left" not in at.room.audience.table(0)["seats"][seat] for seat in (0, 1))


@pytest.mark.parametrize("restarted", [False, True])
def test_a_turn_ends_by_the_clock_in_an_empty_room(restarted: bool) -> None:
    at = days()
    leave_all(at.start())
    if restarted:
        at.load_again()
    first = turn(at)
    at.server.wait(DAY + LAG - 1)
    assert (at.match.timeouts, owners(at)) == ([0, 0], ["owner", "owner"])
    at.server.wait(1)
    assert at.match.timeouts[first] == 1


def test_a_match_expires_when_all_players_have_missed_two_turns_in_a_row() -> None:
    at = days("fake")
    leave_all(at.start())
    at.server.wait(PATIENCE * (DAY + LAG) - 1)
    assert owners(at) == ["owner", "owner"]
    at.server.wait(DAY)
    assert at.code not in at.server.lobby.rooms.loaded


def test_before_a_match_seats_are_kept_for_a_day() -> None:
    at = days()
    at[1].close()
    at.server.wait(KEPT)
    assert len(owners(at)) == 2
    at[0].send(m.Chat(at.code, "where are you?"))
    at.server.wait(KEPT_OVER_DAYS - KEPT)
    assert len(owners(at)) == 1


def test_a_room_that_nobody_uses_expires_and_one_that_everybody_left_closes_as_usual() -> None:
    for at, open_for in ((days(), OPEN_OVER_DAYS), (days("fake", people=1), EMPTY)):
        if open_for == EMPTY:
            at[0].send(m.Leave(at.code))
        else:
            leave_all(at)
        at.server.wait(open_for)
        assert at.code not in at.server.lobby.rooms.loaded


# --- notices ------------------------------------------------------------------------------------------------------


@attrs.define
class Notified:
    """A room, and who was notified there."""

    at: OpenRoom
    found: list[Notify]

    def take(self) -> list[tuple[str, str, int | None]]:
        """Return and forget who was notified: name, turn, time left."""
        found = [(each.name, each.turn, each.left) for each in self.found]
        self.found.clear()
        return found

    def back(self, seat: int) -> None:
        """Let the player of ``seat`` come back."""
        old = self.at[seat]
        self.at.peers[seat] = self.at.server.connect(old.name, "human", token=old.token)


def watched(game: str = "uno", **create: Any) -> Notified:
    found: list[Notify] = []
    local = new_server()
    carry_out = local.carry_out

    def carry_out_and_note(wanted: list[Effect]) -> None:
        found.extend(each for each in wanted if isinstance(each, Notify))
        carry_out(wanted)

    local.carry_out = carry_out_and_note  # type: ignore[method-assign]
    return Notified(days(game, local=local, **create).start(), found)


def test_player_who_leaves_in_their_turn_is_notified_once() -> None:
    watching = watched()
    at = watching.at
    seat = turn(at)
    at[seat].close()
    at.server.wait(AWAY - 1)
    assert watching.take() == []
    at.server.wait(1)
    [(name, _, left)] = watching.take()
    assert (name, left) == (at.seat(seat).name, DAY - AWAY)
    watching.back(seat)
    at[seat].close()
    at.server.wait(DAY // 2)
    assert watching.take() == []


def test_player_is_notified_of_each_turn_that_begins_while_they_are_away() -> None:
    watching = watched("fake")
    at = watching.at
    at[1].close()
    at.server.wait(AWAY)
    [(name, first, _)] = watching.take()
    with at.inside() as (room, now):
        decision = at.match.book.obligation(1)
        assert decision is not None
        room.playing.time_out(now, decision)
    at.server.wait(AWAY - 1)
    assert watching.take() == []
    at.server.wait(1)
    [(again, second, _)] = watching.take()
    assert name == again == at.seat(1).name
    assert second != first


def test_nobody_who_is_there_or_back_in_time_is_notified() -> None:
    watching = watched()
    at = watching.at
    seat = turn(at)
    leave_all(at)
    at.server.wait(AWAY - 1)
    watching.back(seat)
    at.server.wait(DAY // 2)
    assert watching.take() == []


def test_turn_of_a_stand_in_is_nobody_elses() -> None:
    watching = watched("fake", clock={"bank": 600_000, "add": 0})
    at = watching.at
    house_bot(at.server)
    at[0].close()
    at.server.wait(AWAY)
    assert len(watching.take()) == 1
    at.server.wait(HELD)
    assert at.seat(0).by == "standin"
    at.act(1, "take", cell=1)
    at.server.wait(AWAY * 4)
    assert watching.take() == []


def test_match_without_clocks_has_no_time_left() -> None:
    watching = watched(clock=None, standin=False)
    at = watching.at
    leave_all(at)
    at.server.wait(AWAY)
    assert [left for *_, left in watching.take()] == [None]


def test_restart_asks_for_the_same_turn_again_so_that_the_store_can_tell() -> None:
    watching = watched()
    at = watching.at
    at[turn(at)].close()
    at.server.wait(AWAY)
    [(_, first, _)] = watching.take()
    at.load_again()
    at.server.wait(AWAY)
    assert [again for _, again, _ in watching.take()] == [first]


@pytest.mark.parametrize("seat", [0, 1])
def test_notice_names_the_room_and_no_card(seat: int) -> None:
    watching = watched("fake")
    at = watching.at
    at[seat].close()
    at.server.wait(AWAY)
    [notice] = watching.found
    assert (notice.room, notice.game, notice.who) == (at.code, "fake", at.seat(seat).who)
    assert set(notice.__struct_fields__) == {"room", "game", "who", "name", "turn", "left"}
