"""Rooms that wait for a computation, and the acts that they hold back: SPEC.md#computations, #one-answer."""

from typing import Any

import pytest
from tests.server.local_server import QUICK, OpenRoom, SlowServer, one, playing, received

from parlour_games.game import Job
from parlour_protocol import messages as m
from parlour_server.rooms.room import replay


def making(people: int = 2, **create: Any) -> OpenRoom:
    """Return a room in which seat 0 has started a computation that is not done yet."""
    at = playing("fake", people, local=SlowServer(), **create)
    at.act(0, "make")
    return at.clear()


def slow(at: OpenRoom) -> SlowServer:
    assert isinstance(at.server, SlowServer)
    return at.server


def compute(at: OpenRoom) -> None:
    slow(at).compute()


def test_acts_wait_for_a_computation_and_none_is_refused() -> None:
    at = making()
    at.act(1, "take", cell=5, id="held")
    at.act(0, "hit", seat=1)
    assert received(at[0]) == received(at[1]) == []
    compute(at)
    update, turn = received(at[1])[:2]
    assert isinstance(update, m.Update)
    assert update.view["made"] == [2]
    assert isinstance(turn, m.Turn)
    assert turn.ok == {"rid": 1, "act": {"do": "take", "cell": 5}, "re": "held"}
    assert at.match.state.hits == [0, 1]


def test_each_of_two_acts_that_waited_for_one_seat_is_answered() -> None:
    at = making()
    at.act(1, "take", cell=5, id=1)
    at[1].send(m.Act(at.code, 1, {"do": "take", "cell": 0}, id=2))
    compute(at)
    _, turn, ok = received(at[1])
    assert isinstance(turn, m.Turn)
    assert turn.ok == {"rid": 1, "act": {"do": "take", "cell": 5}, "re": 1}
    assert ok == m.Ok(re=2, room=at.code, rid=1, act={"do": "take", "cell": 5})


@pytest.mark.parametrize("aborted", [False, True])
def test_an_act_that_has_become_pointless_while_it_waited_is_answered(aborted: bool) -> None:
    at = making()
    at.act(0, "hit", seat=1, id=1)
    at.act(1, "take", cell=5, id=2)
    if aborted:
        at.abort()
    else:
        compute(at)
    error = one(at[1], m.Error)
    assert (error.code, error.why, error.re, error.room, error.rid) == ("stale", "overtaken", 2, at.code, 1)


def test_an_illegal_act_that_waited_is_answered() -> None:
    at = making()
    at.act(1, "spend", id=2)
    compute(at)
    error = one(at[1], m.Error)
    assert (error.code, error.re, error.rid) == ("illegal_action", 2, 1)


def test_clocks_are_frozen_during_a_computation() -> None:
    at = making(clock=QUICK)
    at.server.wait(60_000)
    assert at.match.timeouts == [0, 0]
    assert at.match.clocks.shown(at.server.now) == {"0": 2_000, "1": 1_000}
    compute(at)
    at.server.wait(1_499)
    assert at.match.timeouts == [0, 0]
    at.server.wait(1)
    assert at.match.timeouts == [0, 1]


def test_a_standin_waits_too() -> None:
    at = making(3)
    at[2].close()
    at.server.wait(100_000)
    assert at.seat(2).by == "standin"
    assert at.match.state.cells[0] is None
    compute(at)
    at.server.wait(1_000)
    assert at.match.state.cells[0] == 2


def test_its_result_is_a_record() -> None:
    at = making()
    compute(at)
    assert '"r":"job"' in at.lines()[-1]
    assert '"result":{"value":2}' in at.lines()[-1]


def test_a_result_that_the_match_does_not_wait_for_is_dropped() -> None:
    at = making()
    at[0].send(m.Leave(at.code))
    at[1].send(m.Leave(at.code))
    compute(at)
    assert '"r":"job"' not in "".join(at.lines())


def test_a_result_for_the_match_before_is_not_taken_in_by_the_next() -> None:
    at = making()
    at.abort()
    at.start().act(0, "make")
    compute(at)
    assert at.match.state.made == []
    compute(at)
    assert at.match.state.made == [2]


def test_the_same_computation_is_asked_for_again_by_the_next_match() -> None:
    at = making()
    key = at.match.state.secrets[0]
    at.abort()
    at.start()
    at.match.state.secrets[0] = key
    at.act(0, "make")
    first, second = slow(at).works
    assert first == second


def test_a_computation_is_asked_for_again_after_a_restart_and_its_result_is_taken_in() -> None:
    at = making()
    [wanted] = slow(at).works
    again = replay(at.lines(), at.room.state.game)
    again.resume(at.server.now, 2)
    assert wanted in again.take(at.server.now)
    again.playing.settle(at.server.now, Job(wanted.name, wanted.args), {"value": 2})
    assert again.match is not None
    assert again.match.state.made == [2]
