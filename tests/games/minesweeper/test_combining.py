from itertools import product
from math import comb, exp, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_games.minesweeper.component import NONE, UNLIMITED, Count, Passes
from parlour_games.minesweeper.frontier import ComponentShape
from parlour_games.minesweeper.layouts import allowed, reach, rest_weights, spare_odds, spare_ways, weights

WAYS = st.lists(st.integers(0, 5), min_size=1, max_size=4).map(lambda ways: [1, *ways[1:-1], 2] if ways[1:] else [3])


def counts(ways: list[list[int]], least: int) -> list[Count]:
    passes = Passes(ComponentShape((1,), (1,), ((0,),)), NONE, UNLIMITED, UNLIMITED)
    return [Count(least, row, passes) for row in ways]


@given(st.lists(WAYS, max_size=4), st.integers(0, 8), st.integers(0, 12))
def test_weights_and_possible_numbers(ways: list[list[int]], cells: int, mines: int) -> None:
    parts = counts(ways, 1)
    spare = spare_ways(parts, cells, mines)
    expected = [[0] * len(row) for row in ways]
    outside = set()
    for indices in product(*(range(len(row)) for row in ways)):
        left = mines - sum(indices) - len(ways)
        chosen = [row[index] for row, index in zip(ways, indices, strict=True)]
        placings = comb(cells, left) if left >= 0 else 0
        if placings and prod(chosen):
            outside.add(left)
        for part, index in enumerate(indices):
            expected[part][index] += placings * prod(chosen[:part] + chosen[part + 1 :])
    assert weights(ways, rest_weights(ways, spare)) == expected
    found = allowed(parts, cells, mines)
    if not outside:
        assert found is None
        return
    assert found is not None
    assert found[0] == outside
    assert found[1] == [
        [index for index, weight in enumerate(row) if weight and way[index]]
        for row, way in zip(expected, ways, strict=True)
    ]


@given(st.lists(WAYS, max_size=4), st.integers(0, 30), st.integers(0, 40), st.floats(0.05, 20))
def test_floats_in_proportion(ways: list[list[int]], cells: int, mines: int, tilt: float) -> None:
    parts = counts(ways, 1)
    exact = spare_ways(parts, cells, mines)
    if any(exact):
        found, scale = spare_odds(parts, cells, mines, tilt)
        odds = [number * tilt**more * exp(scale) for more, number in enumerate(found)]
        assert odds == pytest.approx([float(number) for number in exact], rel=1e-9)
        assert len(odds) == reach(parts)
