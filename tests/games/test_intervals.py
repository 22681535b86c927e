from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_games.statistics import Deals, matched_pairs, more_games, told_apart, wilson


def deals(*values: float) -> Deals:
    made = Deals()
    for value in values:
        made.add(value)
    return made


def test_interval_of_four_deals_by_hand() -> None:
    """With the imaginary 0 and 1: 0, 0.5, 0.5, 1, 1, 1; mean 2/3, sum of squares 3.5, variance (3.5 - 16/6)/5 = 1/6."""
    half = 1.959964 * sqrt(1 / 6 / 6)
    made = deals(1, 0.5, 0.5, 1)
    assert made.mean == 0.75
    assert made.within(0.0, 1.0) == pytest.approx((2 / 3 - half, 2 / 3 + half))


def test_interval_holds_the_mean_and_ends_where_values_do() -> None:
    low, high = deals(*[1] * 50).within(0.0, 1.0)
    assert 0.85 < low < 1.0 == high
    assert deals(0.5).within(0.0, 1.0)[0] == 0.0
    assert deals(-1, -1).within(-1.0, 1.0)[0] == -1.0


def test_interval_without_bounds_by_hand() -> None:
    """1, 2, 3, 6: mean 3, variance 14/3."""
    half = 1.959964 * sqrt(14 / 3 / 4)
    assert deals(1, 2, 3, 6).interval() == pytest.approx((3 - half, 3 + half))
    assert deals(1).interval() is None


def test_games_of_one_deal_that_always_split_make_a_narrow_interval() -> None:
    """A thousand deals, each won once from either side, are no thousand coin tosses."""
    low, high = deals(*[0.5] * 1000).within(0.0, 1.0)
    assert high - low < 0.003
    low, high = deals(*[0, 1] * 500).within(0.0, 1.0)
    assert high - low == pytest.approx(0.062, abs=0.001)


@pytest.mark.parametrize("count", [10, 40, 200])
def test_interval_covers_the_truth_nineteen_times_in_twenty(count: int) -> None:
    """Deals of two games that are decided by the cards half the time, a rate of 0.6 else."""
    chance, held = Random(count), 0
    for _ in range(1000):
        made = Deals()
        for _ in range(count):
            made.add(0.5 if chance.random() < 0.5 else ((chance.random() < 0.6) + (chance.random() < 0.6)) / 2)
        low, high = made.within(0.0, 1.0)
        held += low <= 0.55 <= high
    assert held >= 930
    assert count < 200 or held <= 970, "it promises no less than it has to"


def test_told_apart_means_that_nought_is_outside() -> None:
    assert told_apart((0.01, 0.2))
    assert told_apart((-0.2, -0.01))
    assert not told_apart((-0.01, 0.2))


def test_about_how_many_more_games_would_tell() -> None:
    """A hundred deals of ±1, 55 up: mean 0.1, standard deviation about 1: (2.8/0.1)² = 785 deals in all."""
    made = deals(*[1] * 55, *[-1] * 45)
    more = more_games(made, 2)
    assert more is not None
    assert more / 2 + 100 == pytest.approx(785 * 0.99 + 16, rel=0.02)
    assert more_games(deals(1, -1), 2) is None


def test_that_many_games_tell_four_times_in_five() -> None:
    chance, told = Random(5), 0
    needed = deals(*[1] * 60, *[-1] * 40).needed(-1.0, 1.0)
    for _ in range(400):
        made = deals(*(1 if chance.random() < 0.6 else -1 for _ in range(round(needed))))
        told += told_apart(made.within(-1.0, 1.0))
    assert 0.74 < told / 400 < 0.88


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (50, 100, 0.4038, 0.5962),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (1, 1, 0.2065, 1.0),
        (8, 20, 0.2188, 0.6134),
    ],
)
def test_wilson_interval_has_its_published_values(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 10_000), st.data())
def test_wilson_interval_holds_the_rate_within_0_and_1(games: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, 2 * games)) / 2
    low, high = wilson(wins, games)
    assert 0 <= low <= wins / games
    assert wins / games <= high <= 1


def test_paired_difference_by_hand() -> None:
    # (30 - 10) / 1002 ± 1.96 · √(41 - 400/1002) / 1002
    assert matched_pairs(30, 10, 1000) == pytest.approx((0.007497, 0.032424), abs=1e-6)
    assert matched_pairs(10, 30, 1000) == pytest.approx((-0.032424, -0.007497), abs=1e-6)


@given(st.integers(1, 5000), st.data())
def test_interval_is_within_bounds_and_turns_with_its_sides(games: int, data: st.DataObject) -> None:
    gained = data.draw(st.integers(0, games))
    lost = data.draw(st.integers(0, games - gained))
    low, high = matched_pairs(gained, lost, games)
    assert -1 <= low < high <= 1
    assert matched_pairs(lost, gained, games) == pytest.approx((-high, -low))
