from parlour_games.minesweeper.board import CLOSED
from parlour_games.minesweeper.constraints import Constraints
from parlour_games.minesweeper.frontier import Component, ComponentShape, components


def frontier(width: int, height: int, cells: list[int]) -> list[Component]:
    constraints = Constraints(width, height)
    constraints.read(cells)
    return components(constraints)


def test_cells_at_the_same_numbers_are_one_group() -> None:
    (part,) = frontier(3, 3, [CLOSED] * 3 + [1, 2, 1] + [CLOSED] * 3)
    assert part.groups == ((0, 6), (1, 7), (2, 8))
    assert part.shape == ComponentShape((1, 2, 1), (2, 2, 2), ((0, 1), (0, 1, 2), (1, 2)))


def test_shape_of_a_lonely_number() -> None:
    (part,) = frontier(3, 3, [CLOSED] * 4 + [3] + [CLOSED] * 4)
    assert part == Component(ComponentShape((3,), (8,), ((0,),)), ((0, 1, 2, 3, 5, 6, 7, 8),), (4,))


def test_far_numbers_do_not_meet_and_equal_shapes_are_equal() -> None:
    cells = [CLOSED] * 36
    cells[0] = cells[35] = 1
    first, second = frontier(6, 6, cells)
    assert first.groups == ((1, 6, 7),)
    assert second.groups == ((28, 29, 34),)
    assert first.shape == second.shape


def test_no_numbers_no_frontier() -> None:
    assert frontier(3, 3, [CLOSED] * 9) == []
