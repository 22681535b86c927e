"""Places in a contest are ranges, which hold together."""

import random

import pytest

from parlour_client.text.contest import places
from parlour_protocol.messages import StandingsRow


def row(name: str, wins: int, games: int) -> StandingsRow:
    return {"name": name, "kind": "bot", "games": games, "wins": wins, "points": 0}


def test_who_is_clearly_better_is_first_alone_and_equals_share_a_range() -> None:
    found = places([row("ada", 95, 100), row("bea", 50, 100), row("cid", 49, 100), row("dov", 6, 100)])
    assert [(each.first, each.last) for each in found] == [(1, 1), (2, 3), (2, 3), (4, 4)]
    assert [each.rate for each in found] == [0.95, 0.5, 0.49, 0.06]
    low, high = found[1].within
    assert (low, high) == pytest.approx((0.404, 0.596), abs=0.01)


def test_few_games_tell_nobody_apart() -> None:
    assert [(each.first, each.last) for each in places([row("ada", 3, 3), row("bea", 0, 3)])] == [(1, 2), (1, 2)]


def test_two_that_met_only_each_other_need_six_games_to_nothing() -> None:
    assert [(each.first, each.last) for each in places([row("ada", 5, 5), row("bea", 0, 5)])] == [(1, 2), (1, 2)]
    assert [(each.first, each.last) for each in places([row("ada", 6, 6), row("bea", 0, 6)])] == [(1, 1), (2, 2)]


def test_who_has_not_played_may_be_anywhere() -> None:
    [one, other] = places([row("ada", 100, 100), row("bea", 0, 0)])
    assert (other.rate, other.within) == (None, (0.0, 1.0))
    assert (one.first, one.last) == (1, 2)


def test_a_rank_of_the_format_is_the_place() -> None:
    rows: list[StandingsRow] = [{**row("ada", 0, 3), "rank": rank} for rank in (1, 2, 3, 3)]
    assert [(each.first, each.last) for each in places(rows)] == [(1, 1), (2, 2), (3, 4), (3, 4)]


def test_one_alone_and_none_at_all() -> None:
    assert places([]) == []
    assert [(each.first, each.last) for each in places([row("ada", 0, 5)])] == [(1, 1)]


def test_among_equals_somebody_is_hardly_ever_told_apart() -> None:
    """Ten equals, everybody eight times against everybody: no pair differs in 19 of 20 contests at least."""
    rng, bots, wrong, contests = random.Random(1), 10, 0, 400
    for _ in range(contests):
        wins = [0] * bots
        for one in range(bots):
            for other in range(one):
                for _game in range(8):
                    wins[rng.choice((one, other))] += 1
        found = places([row(f"b{number}", won, 8 * (bots - 1)) for number, won in enumerate(wins)])
        wrong += any((each.first, each.last) != (1, bots) for each in found)
    assert wrong <= 0.05 * contests + 9
