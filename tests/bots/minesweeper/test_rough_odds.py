from parlour_bots.minesweeper.exact import risks, safest
from parlour_games.minesweeper.board import CLOSED
from parlour_games.minesweeper.inference import Engine


def test_the_worst_number_counts_and_else_the_density() -> None:
    cells = [CLOSED] * 25
    cells[0], cells[2] = 1, 2
    constraints = Engine(5, 5, 5).deduce(cells)
    found = risks(constraints, 5)
    assert found[5] == 1 / 3
    assert found[1] == found[6] == found[7] == 2 / 5
    assert found[24] == 5 / 23
    assert safest(constraints, 5) == (4, 1 - 5 / 23)
