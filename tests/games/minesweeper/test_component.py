from itertools import product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.examples import examples

from parlour_games.minesweeper.board import CLOSED
from parlour_games.minesweeper.component import count_placements
from parlour_games.minesweeper.constraints import Constraints, TooLarge
from parlour_games.minesweeper.frontier import Component, ComponentShape, components

ENOUGH = 10_000


@st.composite
def shapes(draw: st.DrawFn) -> ComponentShape:
    """Draw a chain of groups in which neighbours share a number, with some long links; needs that some placing has."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=6))
    numbers = draw(st.integers(1, 4))
    touching = [
        tuple(sorted({min(group, numbers - 1)} | draw(st.sets(st.integers(0, numbers - 1), max_size=2))))
        for group in range(len(sizes))
    ]
    touching[-1] = tuple(range(numbers))
    placed = [draw(st.integers(0, size)) for size in sizes]
    needs = [sum(mines for mines, at in zip(placed, touching, strict=True) if n in at) for n in range(numbers)]
    return ComponentShape(tuple(min(need, 15) for need in needs), tuple(sizes), tuple(touching))


@examples(300)
@given(shapes())
def test_agrees_with_trying_everything(shape: ComponentShape) -> None:
    ways: dict[int, int] = {}
    mines: dict[tuple[int, int], int] = {}
    for placed in product(*(range(size + 1) for size in shape.sizes)):
        served = [0] * len(shape.needs)
        for number, touching in zip(placed, shape.touching, strict=True):
            for at in touching:
                served[at] += number
        if tuple(served) == shape.needs:
            weight = prod(comb(size, number) for size, number in zip(shape.sizes, placed, strict=True))
            total = sum(placed)
            ways[total] = ways.get(total, 0) + weight
            for group, number in enumerate(placed):
                mines[group, total] = mines.get((group, total), 0) + weight * number
    found = count_placements(shape, ENOUGH)
    assert {found.least + index: way for index, way in enumerate(found.ways) if way} == ways
    for group, row in enumerate(found.mines):
        assert row == [mines.get((group, found.least + index), 0) for index in range(len(found.ways))]


def test_proportions() -> None:
    found = count_placements(ComponentShape((1, 1), (2, 1, 1), ((0,), (0, 1), (1,))), ENOUGH)
    assert (found.least, found.ways) == (1, [1, 2])
    assert found.shares == pytest.approx([1 / 3, 2 / 3])
    assert found.risks[0] == pytest.approx([0, 1 / 3])


def test_too_much_work_and_too_many_states() -> None:
    shape = ComponentShape((4,), (1,) * 8, ((0,),) * 8)
    assert sum(count_placements(shape, 60).ways) == 70
    assert count_placements(shape, ENOUGH, 24).states == 24
    for limits in ((5,), (ENOUGH, 23)):
        with pytest.raises(TooLarge):
            count_placements(shape, *limits)


@pytest.mark.parametrize("groups", [4, 12, 16])
def test_counts_are_exact_however_wide_they_are(groups: int) -> None:
    # Each number touches two groups of four cells: the mines of the groups are by turns some number and four less it.
    touching = ((0,), *((index - 1, index) for index in range(1, groups - 1)), (groups - 2,))
    found = count_placements(ComponentShape((4,) * (groups - 1), (4,) * groups, touching), 10_000)
    ways = {inside: comb(4, inside) ** groups for inside in range(5)}
    assert (found.least, found.ways) == (2 * groups, [sum(ways.values())])
    assert found.mines == [[sum(inside * number for inside, number in ways.items())]] * groups


# --- the components of a position ---


def frontier(width: int, height: int, cells: list[int]) -> list[Component]:
    constraints = Constraints(width, height)
    constraints.read(cells)
    return components(constraints)


def test_cells_at_the_same_numbers_are_one_group() -> None:
    (part,) = frontier(3, 3, [CLOSED] * 3 + [1, 2, 1] + [CLOSED] * 3)
    assert part.groups == ((0, 6), (1, 7), (2, 8))
    assert part.shape == ComponentShape((1, 2, 1), (2, 2, 2), ((0, 1), (0, 1, 2), (1, 2)))


def test_far_numbers_do_not_meet_and_equal_shapes_are_equal() -> None:
    cells = [CLOSED] * 36
    cells[0] = cells[35] = 1
    first, second = frontier(6, 6, cells)
    assert first.groups == ((1, 6, 7),)
    assert second.groups == ((28, 29, 34),)
    assert first.shape == second.shape
