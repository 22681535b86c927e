"""Acts and requests that get a room nowhere are refused once they have filled too much of its log.

SPEC.md#acts-and-changes-without-end.
"""

from typing import Any

import pytest
from tests.server.local_server import NO_CLOCK, OpenRoom, StrictLocal, only, open_room, playing, refused

from parlour_games.minesweeper.plugin import Minesweeper
from parlour_protocol import messages as m
from parlour_server.directory.sessions import ACTS
from parlour_server.rooms import records
from parlour_server.rooms.decisions import KEPT
from parlour_server.rooms.records import HOUSEKEEPING, MS_PER_BYTE, POINTLESS, Allowance
from parlour_server.rooms.streams import LAST_FEW

FLAGS = [[[x, y] for x in range(64) for y in range(row, row + 4)] for row in range(50, 90, 4)]
"""Lists of 256 cells each."""


def field(**create: Any) -> OpenRoom:
    """Return a solo match of Minesweeper on the largest board, in which one cell is open."""
    local = StrictLocal(1, installed={"minesweeper": Minesweeper()})
    options = {"level": "custom", "width": 100, "height": 100, "mines": 5_000, "first": "any"}
    at = open_room("minesweeper", 1, local=local, options=options, clock=NO_CLOCK, **create).start().clear()
    at.act(0, "open", cells=[[0, 0]])
    return at


def toggle(at: OpenRoom, number: int) -> m.Error | None:
    """Set or remove 256 flags; return the refusal, if it is one."""
    at.act(0, "unflag" if number % 2 else "flag", cells=FLAGS[number // 2 % len(FLAGS)])
    return next(iter(only(at[0], m.Error)), None)


def flood(at: OpenRoom) -> tuple[int, m.Error]:
    """Set and remove flags until the room refuses; return the number of acts and the refusal."""
    for number in range(2_000):
        if error := toggle(at, number):
            return number, error
    raise AssertionError("the room takes everything")


def bulk(at: OpenRoom) -> int:
    return sum(map(len, at.lines()))


def test_an_allowance_comes_back_with_time() -> None:
    found = Allowance(100)
    found.spend(5_000, 99)
    assert found.wait(5_000) <= 0
    found.spend(5_000, 11)
    assert found.wait(5_000) == 10 * MS_PER_BYTE
    assert found.wait(5_000 + 10 * MS_PER_BYTE) == 0
    found.spend(10**9, 100)
    assert found.wait(10**9) <= 0


def test_flags_set_and_removed_without_end_are_refused() -> None:
    at = field()
    acts, error = flood(at)
    assert (error.code, error.rid, error.strikes) == ("too_much", at.rid(0), None)
    assert error.retry_after
    assert POINTLESS < bulk(at) < 1.1 * POINTLESS
    at.server.wait(error.retry_after)
    assert toggle(at, acts) is None
    assert toggle(at, acts + 1) is not None


@pytest.mark.long
def test_a_socket_that_goes_on_after_refusals_is_read_more_slowly() -> None:
    at = field()
    acts, _ = flood(at)
    at.server.wait(60_000)
    session = at.server.lobby.connections.sessions[at[0].conn]
    for number in range(2 * ACTS):
        toggle(at, acts + number)
    assert session.rest() > 0


@pytest.mark.long
def test_acts_that_advance_the_match_are_taken_all_the_same() -> None:
    at = field()
    flood(at)
    rid = at.rid(0)
    at.act(0, "open", cells=[[99, 99]])
    assert at.match.book.find(0, rid) != at.match.book.obligation(0)
    assert not only(at[0], m.Error)


def test_long_notes_and_lists_count_even_if_the_act_advances_the_match() -> None:
    at = playing("fake", 2, clock=NO_CLOCK)
    for _ in range(2_000):
        at.clear()
        at[0].send(m.Act(at.code, at.rid(0), {"do": "take", "cell": 0}, why="ü" * 1_024))
        if errors := only(at[0], m.Error):
            break
    assert [error.code for error in errors] == ["too_much"]
    at.act(0, "take", cell=0)
    at.act(1, "take", cell=0)
    assert not only(at[0], m.Error)


def test_each_seat_has_its_own_allowance() -> None:
    at = playing("fake", 2, clock=NO_CLOCK)
    at.match.allowances[0].spend(at.server.now, 2 * POINTLESS)
    at.clear()
    at[0].send(m.Act(at.code, at.rid(0), {"do": "take", "cell": 0}, why="x" * 1_000))
    assert [error.code for error in only(at[0], m.Error)] == ["too_much"]
    at[1].send(m.Act(at.code, at.rid(1), {"do": "take", "cell": 0}, why="x" * 1_000))
    assert not only(at[1], m.Error)


def test_a_room_that_is_loaded_again_has_left_what_it_had() -> None:
    at = field()
    acts, _ = flood(at)
    before = at.match.allowances
    at.load_again()
    assert at.match.allowances == before
    at.server.carry_out(at.server.lobby.disconnect(at[0].conn, at.server.now))
    at.peers[0] = at.server.connect("anna", "human", token=at[0].token)
    error = toggle(at, acts)
    assert error is not None
    assert error.code == "too_much"


def test_a_match_takes_no_more_than_so_many_records(monkeypatch: Any) -> None:
    monkeypatch.setattr(records, "LONGEST", 50)
    at = playing("fake", 2, clock=NO_CLOCK)
    for _ in range(50):
        at.act(0, "take", cell=0)
    assert [error.code for error in only(at[0], m.Error)] == ["too_much"]


def test_a_room_refuses_readiness_and_seats_that_change_without_end() -> None:
    at = open_room("fake", 2, seats=3)
    outsider = at.server.connect("zoe")
    for number in range(5_000):
        error = refused_or_none(at, m.Ready(at.code, number % 2 == 1))
        if error is not None:
            break
    assert error is not None
    assert error.code == "too_much"
    assert error.retry_after
    assert HOUSEKEEPING < bulk(at) < 1.1 * HOUSEKEEPING
    for message in (m.Manage(at.code, "mute", "bert"), m.Manage(at.code, "host", "bert")):
        assert refused(at[0], message).code == "too_much"
    assert refused(outsider, m.Join(at.code)).code == "too_much"
    at.server.wait(error.retry_after)
    outsider.send(m.Join(at.code))
    assert not only(outsider, m.Error)
    at.room.state.housekeeping.spend(at.server.now, HOUSEKEEPING)
    assert refused_or_none(at, m.Manage(at.code, "kick", "bert")) is None


def test_a_match_gives_the_room_its_allowance_back() -> None:
    at = open_room("fake", 2)
    at.room.state.housekeeping.spend(at.server.now, 2 * HOUSEKEEPING)
    assert refused_or_none(at, m.Manage(at.code, "mute", "bert")) is not None
    at.start()
    assert refused_or_none(at, m.Manage(at.code, "mute", "bert")) is None


def test_only_the_last_answers_of_a_seat_are_remembered() -> None:
    at = field()
    for number in range(KEPT + 5):
        toggle(at, number)
    first, last = at.rid(0) - KEPT, at.rid(0) - 1
    assert len(at.match.book.past) < KEPT
    old, recent = first - 1, first + 1
    assert refused(at[0], m.Act(at.code, old, 0)).why == "overtaken"
    for rid in (recent, last):
        at.clear()
        at[0].send(m.Act(at.code, rid, 0))
        assert only(at[0], m.Ok)[0].rid == rid


def test_a_view_keeps_little_of_long_acts() -> None:
    at = field()
    for number in range(KEPT):
        toggle(at, number)
    for stream in at.room.audience.streams.all():
        events, _ = stream.missed(None)
        kept, _ = stream.missed(stream.seq - len(stream._sent))
        assert len(events) == LAST_FEW < len(kept) < KEPT // 4


def refused_or_none(at: OpenRoom, message: m.ClientMessage) -> m.Error | None:
    at.clear()
    at.server.wait(25)  # a token of the rate limit
    at[0].send(message)
    return next(iter(only(at[0], m.Error)), None)
