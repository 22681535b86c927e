from collections.abc import Sequence
from math import exp, log10, sqrt
from random import Random

import pytest

from parlour_bots.arena.league.game import lineups
from parlour_games.statistics import AVERAGE, SCALE, Wins, Z, ratings


def counted(*deals: Sequence[float]) -> Wins:
    wins = Wins.none(len(deals[0]))
    for deal in deals:
        wins.add(deal)
    return wins


def test_who_wins_three_games_of_four_is_191_above() -> None:
    """400 · log₁₀ 3 between the two; the interval is the one of the rate, by the delta method."""
    deals = [(2, 0), (1, 1)] * 2000
    one, other = ratings([(0, 1)], counted(*deals))
    assert one.value - other.value == pytest.approx(400 * log10(3), abs=0.2)
    assert one.value + other.value == pytest.approx(2 * AVERAGE)
    of_rate = Z * sqrt(0.25**2 / 4000)
    assert one.interval[1] - one.value == pytest.approx(SCALE * of_rate / (0.75 * 0.25) / 2, rel=0.02)


def test_deals_that_always_split_leave_little_doubt() -> None:
    split, tossed = (ratings([(0, 1)], counted(*deals))[0] for deals in ([(1, 1)] * 400, [(2, 0), (0, 2)] * 200))
    assert split.value == tossed.value == pytest.approx(AVERAGE)
    assert split.interval[1] - split.value < 1
    assert tossed.interval[1] - tossed.value > 15


def test_who_always_wins_has_a_rating_too() -> None:
    one, other = ratings([(0, 1)], counted(*[(2, 0)] * 10))
    assert 1600 < one.interval[0] < one.value < one.interval[1] < 2200
    assert other.value < 1400


def test_seats_are_counted_where_a_bot_has_several() -> None:
    """One in four against three of a name are equals."""
    one, other = ratings([(0, 1, 1, 1)], counted(*[(1, 3)] * 50))
    assert one.value == pytest.approx(other.value)


@pytest.mark.parametrize(("bots", "players"), [(5, 2), (4, 4), (3, 4)])
def test_ratings_find_the_strengths_by_which_games_were_decided(bots: int, players: int) -> None:
    chance, tables = Random(bots * players), list(lineups(bots, players))
    truth, wins = [0.3 * bot for bot in range(bots)], Wins.none(bots)
    for _ in range(1500):
        won = [0.0] * bots
        for table in tables:
            for _ in range(players):
                won[chance.choices(table, [exp(truth[bot]) for bot in table])[0]] += 1
        wins.add(won)
    middle = sum(truth) / bots
    for rating, strength in zip(ratings(tables, wins), truth, strict=True):
        half = rating.interval[1] - rating.value
        assert abs(rating.value - (AVERAGE + SCALE * (strength - middle))) < 2 * half
        assert half < 30
