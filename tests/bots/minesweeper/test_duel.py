from random import Random

import pytest
from tests.games.minesweeper.boards import Hidden, seen

from parlour_bots.minesweeper.exact import Duellist, Strike
from parlour_games.minesweeper.board import CLOSED, MINE


def strike(width: int, height: int, mines: int, cells: list[int], found: tuple[int, int], bomb: bool = False) -> Strike:
    return Duellist(width, height, mines).move(cells, found, bomb=bomb)


def test_all_certain_mines_at_once() -> None:
    found = strike(4, 1, 2, [CLOSED, 2, CLOSED, CLOSED], (0, 0))
    assert found == Strike((0, 2), False, "certain mines")


def test_the_likelier_cell() -> None:
    cells = [CLOSED] * 256
    cells[119] = 6
    found = strike(16, 16, 51, cells, (0, 0))
    assert not found.bomb
    assert found.cells[0] in (102, 103, 104, 118, 120, 134, 135, 136)


def test_a_bomb_where_it_finds_most() -> None:
    cells = [CLOSED] * 256
    cells[119] = 8 - 1
    found = strike(16, 16, 51, cells, (3, 5), bomb=True)
    assert found.bomb
    assert abs(found.cells[0] % 16 - 7) <= 1
    assert abs(found.cells[0] // 16 - 7) <= 1


def test_no_bomb_before_certain_mines() -> None:
    cells = [CLOSED] * 256
    cells[0] = 3
    assert strike(16, 16, 51, cells, (0, 2), bomb=True).cells == (1, 16, 17)


def test_a_bomb_for_little_only_when_the_other_is_about_to_win() -> None:
    cells = [CLOSED] * 64
    for cell in range(32, 64):
        cells[cell] = MINE if cell % 3 == 0 and cell > 40 else CLOSED
    assert not strike(8, 8, 13, cells, (0, 1), bomb=True).bomb
    assert strike(8, 8, 13, cells, (2, 5), bomb=True).bomb


@pytest.mark.parametrize("density", [3, 5])
def test_plays_to_the_end_and_finds_all_it_calls_certain(seed: int, density: int) -> None:
    hidden = Hidden.random(Random(seed), 10, 10, 100 // density)
    duellist = Duellist(10, 10, len(hidden.mines))
    opened: set[int] = set()
    found: frozenset[int] = frozenset()
    for _ in range(200):
        if found == hidden.mines:
            break
        move = duellist.move(seen(10, 10, hidden.mines, opened, found), (0, 0), bomb=False)
        mines = hidden.mines.intersection(move.cells)
        assert move.why != "certain mines" or len(mines) == len(move.cells)
        found |= mines
        opened |= set(move.cells) - mines
    assert found == hidden.mines
