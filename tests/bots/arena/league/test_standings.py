from collections.abc import Sequence
from itertools import count

import attrs
import pytest
from tests.bots.arena.league.games import outcome

from parlour_bots.arena.league.figures import LeagueStandings, pairs, rows
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
    one, other = rows(told, ["a", "b"])
    assert (one.games, one.wins, one.rate, one.total, one.points) == (8, 5, 0.625, 150, 18.75)
    assert (other.games, other.wins, other.rate) == (8, 3, 0.375)
    assert one.interval == pytest.approx(tuple(1 - end for end in reversed(other.interval)))
    (pair,) = pairs(told, ["a", "b"])
    assert (pair.games, pair.deals, pair.wins, pair.difference) == (8, 4, (5, 3), 0.25)
    assert pair.interval == pytest.approx(tuple(2 * end - 1 for end in one.interval))
    assert pair.points == 7.5
    assert pair.better is None
    assert pair.verdict.startswith("not yet distinguishable: about ")


def test_mirrored_games_are_worth_less_than_as_many_independent_ones() -> None:
    """Sixty of a hundred either way; what one deal decides twice is decided once."""
    sure = standing(2, 2, [[0, 1]] * 40 + [[0, 0]] * 10)
    blurred = standing(2, 2, [[0, 0]] * 30 + [[1, 1]] * 20)
    one, other = (rows(each, ["a", "b"])[0] for each in (sure, blurred))
    assert one.rate == other.rate == 0.6
    assert one.interval[1] - one.interval[0] < 0.5 * (other.interval[1] - other.interval[0])
    assert pairs(sure, ["a", "b"])[0].verdict == "a is better"
    assert pairs(blurred, ["a", "b"])[0].better is None


def test_rates_are_those_of_a_seat() -> None:
    """One against three of a name: the first wins one game of four, the three of the others three."""
    told = standing(2, 4, [[0, 1, 1, 1]] * 5)
    one, others = rows(told, ["a", "b"])
    assert (one.games, one.seats, one.wins, one.rate) == (20, 20, 5, 0.25)
    assert (others.games, others.seats, others.wins, others.rate) == (20, 60, 15, 0.25)
    assert pairs(told, ["a", "b"])[0].difference == 0


def test_only_complete_deals_count() -> None:
    told = standing(2, 2, [[0, 1], [0]])
    assert told.deals == 1
    assert rows(told, ["a", "b"])[0].games == 2


def test_every_pair_is_told_by_its_own_games() -> None:
    """The games of a deal: a-b, b-a, a-c, c-a, b-c, c-b."""
    told = standing(3, 2, [[0, 0, 0, 2, 1, 2]] * 3)
    meetings = {pair.names: pair.wins for pair in pairs(told, "abc")}
    assert meetings == {("a", "b"): (6, 0), ("a", "c"): (3, 3), ("b", "c"): (3, 3)}
    assert [row.wins for row in rows(told, "abc")] == [9, 3, 6]
    assert [row.games for row in rows(told, "abc")] == [12, 12, 12]


def test_others_that_never_sit_without_the_first_have_met() -> None:
    told = standing(3, 3, [[0, 1, 2]] * 2)
    assert [pair.names for pair in pairs(told, "abc")] == [("a", "b"), ("a", "c"), ("b", "c")]


def test_stopped_games_are_shared() -> None:
    told = standing(2, 2, [[None, 0]] * 4)
    assert (told.stopped, [row.wins for row in rows(told, "ab")]) == (4, [6, 2])


def test_times_and_faults_add_up() -> None:
    told = LeagueStandings(Schedule(2, 2))
    for number, seats in enumerate([(0, 1), (1, 0)]):
        told.add(outcome(seats, 0, game=number, faults=({"late": 2, "illegal": 1}, {})))
    one, other = rows(told, ["a", "b"])
    assert (one.faults, other.faults) == ({"illegal": 1, "late": 2}, {"illegal": 1, "late": 2})
    assert one.plain()["faults"] == 3
    assert one.mean == pytest.approx(2.0)
    assert one.p99 == pytest.approx(3, rel=0.03)


def test_order_of_bots_does_not_matter() -> None:
    deals = [[0, 0, 0, 2, 1, 2], [0, 1, 0, 0, 1, 1], [1, 1, 2, 0, 2, 2]]
    back = [[{0: 2, 1: 1, 2: 0}[winner] for winner in _mirrored(deal)] for deal in deals]
    first, second = rows(standing(3, 2, deals), "abc"), rows(standing(3, 2, [*back]), "cba")
    for one, other in zip(first, reversed(second), strict=True):
        assert one.rating.value == pytest.approx(other.rating.value)
        assert one.rating.interval == pytest.approx(other.rating.interval)
        assert one.wins == other.wins
        assert one.interval == pytest.approx(other.interval)
        assert attrs.evolve(one, rating=other.rating, interval=other.interval) == other


def _mirrored(deal: list[int]) -> list[int]:
    """Return the winners with the line-ups in the order that the mirrored names give them."""
    return [*deal[4:6], *deal[2:4], *deal[0:2]]
