"""Clocks: SPEC.md#turn-clock, #computations."""

from hypothesis import given
from hypothesis import strategies as st

from parlour_server.rooms.clock import LAG, RESTORED, Clocks

MS = st.integers(0, 200_000)


def clocks(add: int | None = 15_000, bank: int = 60_000) -> Clocks:
    return Clocks(add, [bank, bank])


def test_an_obligation_adds_to_the_bank_and_the_time_used_goes_from_it() -> None:
    found = clocks()
    found.start(0, 1_000)
    assert found.left(0, 1_000) == 75_000
    assert found.left(0, 11_000) == 65_000
    assert found.shown(11_000) == {"0": 65_000}
    found.stop(0, 11_000)
    assert found.banks == [65_000, 60_000]
    assert found.left(0, 12_000) is None
    assert found.shown(12_000) == {}


def test_a_clock_is_overrun_half_a_second_after_zero() -> None:
    found = clocks()
    found.start(1, 1_000)
    assert LAG == 500
    assert found.overrun_at(1) == 1_000 + 75_000 + 500
    assert found.overrun_at(0) is None


def test_time_used_after_zero_is_no_debt() -> None:
    found = clocks(bank=0)
    found.start(0, 0)
    assert found.left(0, 15_400) == 0
    assert found.shown(15_400) == {"0": 0}
    found.stop(0, 15_400)
    assert found.banks[0] == 0


def test_answers_that_do_not_advance_the_game_cannot_postpone_the_time_out() -> None:
    found = clocks(add=1_000, bank=0)
    found.start(0, 0)
    at = 0
    while (end := found.overrun_at(0)) is not None and at + 100 < end:
        at += 100
        found.stop(0, at)
        found.start(0, at, topped_up=False)
        assert at < 10_000
    assert end == 1_500
    found.stop(0, at)
    found.start(0, at)
    assert found.overrun_at(0) == at + 1_000 + LAG


def test_a_question_that_only_changes_hands_adds_nothing() -> None:
    found = clocks()
    found.start(0, 0, topped_up=False)
    assert found.left(0, 0) == 60_000


def test_after_a_restart_a_clock_has_what_it_had_when_it_opened() -> None:
    found = clocks()
    found.start(0, 0)
    found.restore(0, 70_000)
    assert found.left(0, 70_000) == 75_000


def test_after_a_restart_a_clock_has_at_least_ten_seconds() -> None:
    found = clocks(add=1_000, bank=0)
    found.start(0, 0)
    found.restore(0, 900)
    assert found.left(0, 900) == RESTORED == 10_000
    found.restore(1, 900)
    assert found.left(1, 900) is None
    assert found.banks[1] == 0


def test_added_time_extends_a_running_clock() -> None:
    found = clocks()
    found.start(0, 0)
    found.add_time(0, 60_000)
    found.add_time(1, 60_000)
    assert found.left(0, 5_000) == 130_000
    found.stop(0, 5_000)
    assert found.banks == [130_000, 120_000]


def test_without_clocks_nothing_runs() -> None:
    found = Clocks(None, [0, 0])
    found.start(0, 0)
    assert (found.left(0, 5), found.overrun_at(0), found.shown(5)) == (None, None, {})
    found.stop(0, 10)
    assert found.banks == [0, 0]


def test_a_frozen_clock_loses_nothing_and_is_never_overrun() -> None:
    found = clocks()
    found.start(0, 0)
    found.freeze(20_000)
    assert found.left(0, 90_000) == 55_000
    assert found.shown(90_000) == {"0": 55_000}
    assert found.overrun_at(0) is None
    found.unfreeze(90_000)
    assert found.left(0, 90_000) == 55_000
    assert found.overrun_at(0) == 90_000 + 55_000 + LAG


def test_a_clock_that_starts_or_stops_while_all_are_frozen_loses_nothing() -> None:
    found = clocks()
    found.start(0, 0)
    found.freeze(20_000)
    found.start(1, 30_000)
    found.stop(0, 40_000)
    assert found.banks[0] == 55_000
    found.unfreeze(50_000)
    assert found.left(1, 51_000) == 74_000


def test_a_restart_while_all_are_frozen_restores_the_minimum_too() -> None:
    found = clocks(add=5_000, bank=0)
    found.start(0, 0)
    found.freeze(4_000)
    found.restore(0, 9_000)
    found.unfreeze(20_000)
    assert found.left(0, 20_000) == RESTORED


@given(st.lists(st.tuples(st.sampled_from(["start", "stop", "freeze", "unfreeze", "add_time", "restore"]), MS)))
def test_no_clock_ever_runs_backwards_or_below_zero(steps: list[tuple[str, int]]) -> None:
    found, at = clocks(), 0
    for step, ms in steps:
        before = found.left(0, at)
        at += ms
        assert before is None or 0 <= (found.left(0, at) or 0) <= before
        if step in ("freeze", "unfreeze"):
            getattr(found, step)(at)
        elif not (step == "start" and 0 in found.running):
            getattr(found, step)(0, at)
        assert min(found.banks) >= 0
