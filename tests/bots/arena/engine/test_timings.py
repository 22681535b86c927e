from random import Random

import pytest

from parlour_bots.arena.measures import Times

MS = 1_000_000


def test_percentiles_and_the_mean() -> None:
    times = Times.of([MS] * 98 + [50 * MS] * 2)
    assert times.mean == pytest.approx(1.98)
    assert times.percentile(50) == pytest.approx(1, rel=0.03)
    assert times.percentile(98) == pytest.approx(1, rel=0.03)
    assert times.percentile(99) == pytest.approx(50, rel=0.03)


def test_any_time_is_kept_to_within_three_per_cent() -> None:
    chance = Random(1)
    for _ in range(2000):
        ns = int(10 ** chance.uniform(0, 13))
        told = Times.of([ns]).percentile(50)
        assert told is not None
        assert told * MS == pytest.approx(ns, rel=0.032, abs=0.6)


def test_longer_times_never_fall_into_lower_buckets() -> None:
    buckets = [next(iter(Times.of([ns]).buckets)) for ns in range(3000)]
    assert buckets == sorted(buckets)


def test_numbers_bring_the_times_back_and_add_up() -> None:
    one, other = Times.of([5, 5, 800]), Times.of([800, 9 * MS])
    assert Times.read(one.numbers()) == one
    one.add(Times.read(other.numbers()))
    assert one == Times.of([5, 5, 800, 800, 9 * MS])


def test_nothing_is_known_of_no_answers() -> None:
    assert (Times().mean, Times().percentile(50)) == (None, None)
    assert Times.read(Times().numbers()) == Times()
