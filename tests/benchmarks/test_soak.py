"""The verdict of the soak: what it takes for a leak, and what for noise."""

import random

from benchmarks.soak import QUIET, Sample, every, judge, trend
from hypothesis import given
from hypothesis import strategies as st


def samples(
    hourly: float = 0.0, scatter: float = 50.0, left: float = 0.0, workers: int = 0, seconds: int = 600
) -> list[Sample]:
    """Return a run in which memory rises by ``hourly`` KiB an hour, and ``left`` sockets stay behind."""
    rng, made = random.Random(1), []
    for second in range(0, int(QUIET) + seconds + 20, 2):
        busy = QUIET <= second < QUIET + seconds
        memory = 60_000 + hourly * second / 3600 + rng.uniform(-scatter, scatter)
        there = 80.0 if busy else 12.0 + (left if second > QUIET else 0)
        base = {"time": 5_000.0 + second, "rss": memory, "tasks": there, "blocks": 9e4, "full": 1.0}
        begun = workers if second > QUIET else 0
        base |= {"cpu": second / 4, "workers": begun, "fds": there + 2 * begun}
        made.append({**base, "lobby.rooms.loaded": 20.0, "lobby.bots.available": 10.0 + second})
    return made


def test_flat_memory_and_nothing_left_behind_is_well() -> None:
    verdict = judge(samples(), 600, {"acts": 12})
    assert verdict.well
    assert verdict.lines[-1].startswith("all is well: memory moved by +0.0% in 6 min, ")
    assert "guests: acts 12" in verdict.lines[0]
    assert "25% of a core" in verdict.lines[1]


def test_what_a_server_holds_by_itself_is_counted_when_it_has_started_however_long_the_run() -> None:
    found = samples()
    found[0] |= {"fds": 6.0, "tasks": 2.0}
    assert judge(found, 600, {}).well
    assert every(100) == 1
    assert every(600) < every(3_600) == every(36_000) < QUIET


def test_memory_that_grows_beyond_the_noise() -> None:
    verdict = judge(samples(hourly=60_000), 600, {})
    assert not verdict.well
    assert verdict.lines[-1].startswith("memory grows: +58.")


def test_memory_that_may_have_grown_for_all_that_is_known() -> None:
    verdict = judge(samples(scatter=40_000), 600, {})
    assert not verdict.well
    assert verdict.lines[-1].startswith("memory may grow, the run was too short to tell")


@given(hourly=st.floats(-60_000, 60_000), seed=st.integers(0, 2**32))
def test_a_slope_is_within_its_bounds(hourly: float, seed: int) -> None:
    rng = random.Random(seed)
    found = trend([{"time": at, "rss": 70_000 + hourly * at / 3600 + rng.gauss(0, 300)} for at in range(3600)], "rss")
    assert abs(found.rise / found.hours - hourly) < 3 * max(found.unsure, 50)


def test_what_is_left_behind() -> None:
    verdict = judge(samples(left=3), 600, {})
    assert verdict.lines[-2:] == ("fds left behind: +3", "tasks left behind: +3")


def test_processes_for_computations_may_stay() -> None:
    verdict = judge(samples(workers=2), 600, {})
    assert verdict.well
    assert "(2 processes for computations aside)" in verdict.lines[-1]


def test_what_only_a_full_collection_frees_is_told() -> None:
    run = samples()
    run[-1]["garbage"] = 1234.0
    assert any("1,234 objects that nothing else freed" in line for line in judge(run, 600, {}).lines)


def test_what_happens_in_the_warm_up_is_not_judged() -> None:
    run = samples()
    for each in run[:120]:
        each["rss"] -= 20_000
    assert judge(run, 600, {}).well


def test_a_few_outliers_do_not_make_a_slope() -> None:
    run = samples()
    for each in run[::10]:
        each["rss"] += 30_000
    found = trend(run, "rss")
    assert abs(found.rise) < found.hours * 500


def test_collections_that_only_grow_are_named() -> None:
    told = [line for line in judge(samples(), 600, {}).lines if line.startswith("grows")]
    assert len(told) == 1
    assert told[0].startswith("grows: lobby.bots.available")
