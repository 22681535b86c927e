"""Players who are away are notified of their turn, once. SPEC.md#notices-of-turns."""

from typing import Any

import attrs
import pytest
from tests.server.local_server import OpenRoom, house_bot, new_server, open_room

from parlour_protocol.messages import Clock
from parlour_server.effects import Effect
from parlour_server.local import Local
from parlour_server.rooms.audience import HELD
from parlour_server.rooms.effects import Notify
from parlour_server.rooms.timers import AWAY

DAY = 86_400_000
A_DAY: Clock = {"bank": DAY, "add": DAY, "cap": DAY}


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


def watched(game: str = "uno", **create: Any) -> Notified:
    found: list[Notify] = []
    local = new_server()
    carry_out = local.carry_out

    def carry_out_and_note(wanted: list[Effect]) -> None:
        found.extend(each for each in wanted if isinstance(each, Notify))
        carry_out(wanted)

    local.carry_out = carry_out_and_note  # type: ignore[method-assign]
    return Notified(open_room(game, local=local, **{"clock": A_DAY, **create}).start(), found)


def turn(at: OpenRoom) -> int:
    (seat,) = at.match.clocks.running
    return seat


def back(at: OpenRoom, seat: int) -> None:
    """Let the player of ``seat`` come back."""
    server: Local = at.server
    at.peers[seat] = server.connect(at[seat].name, "human", token=at[seat].token)


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
    back(at, seat)
    at[seat].close()
    at.server.wait(DAY // 2)
    assert watching.take() == []


def test_player_is_notified_of_each_turn_that_begins_while_they_are_away() -> None:
    watching = watched("fake")
    at = watching.at
    at[1].close()
    at.server.wait(AWAY)
    first = watching.take()
    assert [name for name, *_ in first] == [at.seat(1).name]
    with at.inside() as (room, now):
        decision = at.match.book.obligation(1)
        assert decision is not None
        room.playing.time_out(now, decision)
    at.server.wait(AWAY - 1)
    assert watching.take() == []
    at.server.wait(1)
    second = watching.take()
    assert [name for name, *_ in second] == [at.seat(1).name]
    assert second[0][1] != first[0][1]


def test_nobody_who_is_there_or_back_in_time_is_notified() -> None:
    watching = watched()
    at = watching.at
    seat = turn(at)
    at[1 - seat].close()
    at[seat].close()
    at.server.wait(AWAY - 1)
    back(at, seat)
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
    [decision] = at.match.book.obligations()
    at[decision.seat].close()
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
    watching.at[seat].close()
    watching.at.server.wait(AWAY)
    [notice] = watching.found
    room = watching.at.code
    assert (notice.room, notice.game, notice.who) == (room, "fake", watching.at.seat(seat).who)
    assert set(notice.__struct_fields__) == {"room", "game", "who", "name", "turn", "left"}
