import attrs
import pytest
from tests.bots.arena.layouts import result

from parlour_bots.arena.minesweeper.summary import difference, percentile, summary


def test_summary_of_a_few_games() -> None:
    times = [3.0, 1.0, 2.0, 10.0]
    results = [result(ms < 3, ms, longest=ms / 2, guesses=2, mistakes=1) for ms in times]
    told = summary("me", [*results, result(False, 4.0, stuck=True)])
    assert (told.bot, told.games, told.wins, told.rate) == ("me", 5, 2, 0.4)
    assert (told.typical, told.p95, told.longest, told.longest_move) == (3.0, 10.0, 10.0, 5.0)
    assert (told.guesses, told.mistakes, told.stuck) == (1.6, 4, 1)
    assert (told.low, told.high) == pytest.approx((0.1176, 0.7693), abs=5e-5)  # Wilson, by hand


@pytest.mark.parametrize(
    ("values", "share", "expected"), [(20, 95, 19), (100, 95, 95), (101, 95, 96), (1, 95, 1), (10, 50, 5), (3, 100, 3)]
)
def test_percentile_is_the_nearest_rank(values: int, share: int, expected: int) -> None:
    assert percentile(range(1, values + 1), share) == expected


def test_line_of_a_result() -> None:
    told = result(True, 1.23456, guesses=2, moves=9).line()
    assert told == {"id": "b", "won": True, "ms": 1.235, "guesses": 2, "moves": 9}


def test_difference_counts_boards_that_one_alone_won() -> None:
    first = [result(won) for won in (True, True, False, False, False)]
    other = [result(won) for won in (True, False, True, True, False)]
    told = difference(first, other)
    assert (told.games, told.gained, told.lost, told.rate) == (5, 2, 1, 0.2)
    assert told.z == pytest.approx(1 / 3**0.5)
    assert difference(other, first).rate == -0.2


def test_difference_of_equals_is_nothing_but_not_certain() -> None:
    told = difference([result(True)] * 10, [result(True)] * 10)
    assert (told.rate, told.z) == (0, 0)
    assert told.high == pytest.approx(-told.low)
    assert told.high > 0


def test_values_are_told_beside_wins() -> None:
    first = [attrs.evolve(result(), value=value) for value in (0.5, 1.0, 0.0, 0.5)]
    other = [attrs.evolve(result(), value=value) for value in (1.0, 1.0, 0.25, 0.75)]
    one = summary("me", other)
    assert one.value is not None
    assert one.value.mean == pytest.approx(0.75)
    assert one.value.low < 0.75 < one.value.high <= 1
    told = difference(first, other)
    assert told.value is not None
    assert told.value.mean == pytest.approx(0.25)
    assert told.plain()["value"].keys() == {"mean", "low", "high"}
    assert "value" not in difference([result()], [result()]).plain()
