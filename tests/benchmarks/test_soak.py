"""The verdict of the soak: what it takes for a leak, and what for noise."""

import random

from benchmarks.soak import QUIET, Sample, judge, trend


def samples(hourly: float = 0.0, scatter: float = 50.0, left: float = 0.0, seconds: int = 600) -> list[Sample]:
    """Return a run in which memory rises by ``hourly`` KiB an hour, and ``left`` sockets stay behind."""
    rng, made = random.Random(1), []
    for second in range(0, int(QUIET) + seconds + 20, 2):
        busy = QUIET <= second < QUIET + seconds
        memory = 60_000 + hourly * second / 3600 + rng.uniform(-scatter, scatter)
        there = 80.0 if busy else 12.0 + (left if second > QUIET else 0)
        base = {"time": 5_000.0 + second, "rss": memory, "fds": there, "tasks": there, "objects": 9e4, "full": 1.0}
        made.append({**base, "lobby.rooms": 20.0, "lobby.used": 10.0 + second})
    return made


def test_flat_memory_and_nothing_left_behind_is_well() -> None:
    verdict = judge(samples(), 600, {"acts": 12})
    assert verdict.well
    assert verdict.lines[-1].startswith("all is well: memory rose by")
    assert "guests: acts 12" in verdict.lines[0]


def test_memory_that_grows_beyond_the_noise() -> None:
    verdict = judge(samples(hourly=60_000), 600, {})
    assert not verdict.well
    assert verdict.lines[-1].startswith("memory grows by 58.")


def test_what_is_left_behind() -> None:
    verdict = judge(samples(left=3), 600, {})
    assert verdict.lines[-2:] == ("fds left behind: +3", "tasks left behind: +3")


def test_what_happens_in_the_warm_up_is_not_judged() -> None:
    run = samples()
    for each in run[:60]:
        each["rss"] -= 20_000
    assert judge(run, 600, {}).well


def test_a_few_outliers_do_not_make_a_slope() -> None:
    run = samples()
    for each in run[::10]:
        each["rss"] += 30_000
    assert abs(trend(run, "rss").hourly) < 500


def test_collections_that_only_grow_are_named() -> None:
    told = [line for line in judge(samples(), 600, {}).lines if line.startswith("grows")]
    assert len(told) == 1
    assert told[0].startswith("grows: lobby.used")
