"""The verdict of the soak test: leaks are found, noise is not taken for one."""

import random

import pytest
from benchmarks.soak import QUIET, Sample, interval, judge, trend
from hypothesis import given
from hypothesis import strategies as st


def samples(
    hourly: float = 0.0, scatter: float = 50.0, left: float = 0.0, workers: int = 0, seconds: int = 600
) -> list[Sample]:
    """Return a run in which memory rises by ``hourly`` KiB per hour and ``left`` sockets leak."""
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


def test_flat_memory_without_leaks_passes_and_worker_processes_may_stay() -> None:
    verdict = judge(samples(workers=2), 600, {"acts": 12})
    assert verdict.passed
    assert verdict.lines[-1].startswith("passed: memory changed by +0.0% in 6 min, ")
    assert "clients: acts 12" in verdict.lines[0]
    assert "25% of a core" in verdict.lines[1]
    assert "(not counting 2 worker processes)" in verdict.lines[-1]


def test_start_up_and_warm_up_are_ignored_in_runs_of_any_length() -> None:
    found = samples()
    found[0] |= {"fds": 6.0, "tasks": 2.0}
    for each in found[:120]:
        each["rss"] -= 20_000
    assert judge(found, 600, {}).passed
    assert interval(100) == 1
    assert interval(600) < interval(3_600) == interval(36_000) < QUIET


@pytest.mark.parametrize(
    ("run", "told"),
    [
        (samples(hourly=60_000), ["memory grows: +58."]),
        (samples(scatter=40_000), ["memory may grow, the run was too short to be sure"]),
        (samples(left=3), ["fds left behind: +3", "tasks left behind: +3"]),
    ],
    ids=["growing memory", "noisy memory", "leaked sockets and tasks"],
)
def test_what_fails(run: list[Sample], told: list[str]) -> None:
    verdict = judge(run, 600, {})
    assert not verdict.passed
    for line, begun in zip(verdict.lines[-len(told) :], told, strict=True):
        assert line.startswith(begun)


@given(hourly=st.floats(-60_000, 60_000), seed=st.integers(0, 2**32))
def test_slope_is_within_its_interval(hourly: float, seed: int) -> None:
    rng = random.Random(seed)
    found = trend([{"time": at, "rss": 70_000 + hourly * at / 3600 + rng.gauss(0, 300)} for at in range(3600)], "rss")
    assert abs(found.rise / found.hours - hourly) < 3 * max(found.unsure, 50)


def test_garbage_of_a_full_collection_and_growing_collections_are_named() -> None:
    run = samples()
    run[-1]["garbage"] = 1234.0
    lines = judge(run, 600, {}).lines
    assert any("1,234 objects that nothing else freed" in line for line in lines)
    [growing] = [line for line in lines if line.startswith("grows")]
    assert growing.startswith("grows: lobby.bots.available")


def test_outliers_do_not_make_a_slope() -> None:
    run = samples()
    for each in run[::10]:
        each["rss"] += 30_000
    found = trend(run, "rss")
    assert abs(found.rise) < found.hours * 500
