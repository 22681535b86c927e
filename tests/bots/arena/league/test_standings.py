from collections.abc import Sequence
from itertools import count

import attrs
import pytest
from tests.bots.arena.layouts import outcome

from parlour_bots.arena.league.figures import LeagueStandings
from parlour_bots.arena.league.game import Schedule


def standing(bots: int, players: int, winners: Sequence[Sequence[int | None]]) -> LeagueStandings:
    """Return the standings after deals, in each of whose games the bot named won (None: nobody)."""
    schedule = Schedule(bots, players)
    standings, numbers = LeagueStandings(schedule), count()
    for deal in winners:
        for winner in deal:
            game = schedule.game(next(numbers))
            seat = None if winner is None else game.seats.index(winner)
            standings.add(outcome(game.seats, seat, game=game.number, deal=game.deal))
    return standings


def test_two_bots_by_hand() -> None:
    """Deals won 2-0, 2-0, 1-1, 0-2 by the first: 5 of 8."""
    told = standing(2, 2, [[0, 0], [0, 0], [0, 1], [1, 1]])
    one, other = told.rows(["a", "b"])
    assert (one.games, one.wins, one.win_rate, one.points, one.points_per_game) == (8, 5, 0.625, 150, 18.75)
    assert (other.games, other.wins, other.win_rate) == (8, 3, 0.375)
    assert one.ci95 == pytest.approx(tuple(1 - end for end in reversed(other.ci95)))
    (pair,) = told.pairs(["a", "b"])
    assert (pair.games, pair.deals, pair.wins, pair.difference) == (8, 4, (5, 3), 0.25)
    assert pair.ci95 == pytest.approx(tuple(2 * end - 1 for end in one.ci95))
    assert pair.points_difference == 7.5
    assert pair.better is None
    assert pair.verdict.startswith("not yet distinguishable: about ")


def test_mirrored_games_are_worth_less_than_as_many_independent_ones() -> None:
    """Sixty of a hundred either way; what one deal decides twice is decided once."""
    sure = standing(2, 2, [[0, 1]] * 40 + [[0, 0]] * 10)
    blurred = standing(2, 2, [[0, 0]] * 30 + [[1, 1]] * 20)
    one, other = (each.rows(["a", "b"])[0] for each in (sure, blurred))
    assert one.win_rate == other.win_rate == 0.6
    assert one.ci95[1] - one.ci95[0] < 0.5 * (other.ci95[1] - other.ci95[0])
    assert sure.pairs(["a", "b"])[0].verdict == "a is better"
    assert blurred.pairs(["a", "b"])[0].better is None


def test_rates_are_those_of_a_seat() -> None:
    """One against three of a name: the first wins one game of four, the three of the others three."""
    told = standing(2, 4, [[0, 1, 1, 1]] * 5)
    one, others = told.rows(["a", "b"])
    assert (one.games, one.seats, one.wins, one.win_rate) == (20, 20, 5, 0.25)
    assert (others.games, others.seats, others.wins, others.win_rate) == (20, 60, 15, 0.25)
    assert told.pairs(["a", "b"])[0].difference == 0


def test_only_complete_deals_count_and_stopped_games_are_shared() -> None:
    told = standing(2, 2, [[0, 1], [0]])
    assert (told.deals, told.rows(["a", "b"])[0].games) == (1, 2)
    told = standing(2, 2, [[None, 0]] * 4)
    assert (told.stopped, [row.wins for row in told.rows("ab")]) == (4, [6, 2])


def test_every_pair_is_told_by_its_own_games() -> None:
    """The games of a deal: a-b, b-a, a-c, c-a, b-c, c-b."""
    told = standing(3, 2, [[0, 0, 0, 2, 1, 2]] * 3)
    meetings = {pair.bots: pair.wins for pair in told.pairs("abc")}
    assert meetings == {("a", "b"): (6, 0), ("a", "c"): (3, 3), ("b", "c"): (3, 3)}
    assert [row.wins for row in told.rows("abc")] == [9, 3, 6]
    assert [row.games for row in told.rows("abc")] == [12, 12, 12]


def test_others_that_never_sit_without_the_first_have_met() -> None:
    told = standing(3, 3, [[0, 1, 2]] * 2)
    assert [pair.bots for pair in told.pairs("abc")] == [("a", "b"), ("a", "c"), ("b", "c")]


def test_times_and_faults_add_up() -> None:
    told = LeagueStandings(Schedule(2, 2))
    for number, seats in enumerate([(0, 1), (1, 0)]):
        told.add(outcome(seats, 0, game=number, faults=({"late": 2, "illegal": 1}, {})))
    one, other = told.rows(["a", "b"])
    assert (one.fault_kinds, other.fault_kinds) == ({"illegal": 1, "late": 2}, {"illegal": 1, "late": 2})
    assert one.plain()["faults"] == 3
    assert one.ms_mean == pytest.approx(2.0)
    assert one.ms_p99 == pytest.approx(3, rel=0.03)


def test_order_of_bots_does_not_matter() -> None:
    deals = [[0, 0, 0, 2, 1, 2], [0, 1, 0, 0, 1, 1], [1, 1, 2, 0, 2, 2]]
    back = [[2 - winner for winner in (*deal[4:], *deal[2:4], *deal[:2])] for deal in deals]
    first, second = standing(3, 2, deals).rows("abc"), standing(3, 2, back).rows("cba")
    for one, other in zip(first, reversed(second), strict=True):
        found = (other.rating, *other.rating_ci95, *other.ci95)
        assert (one.rating, *one.rating_ci95, *one.ci95) == pytest.approx(found)
        assert attrs.evolve(one, rating=other.rating, rating_ci95=other.rating_ci95, ci95=other.ci95) == other
