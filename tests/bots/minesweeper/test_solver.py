import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from tests.games.minesweeper.boards import Hidden, seen

from parlour_bots.minesweeper.exact import Duellist, Move, Solver, Strike, first_click, risks, safest
from parlour_games.minesweeper.board import CLOSED, MINE
from parlour_games.minesweeper.constraints import Impossible
from parlour_games.minesweeper.inference import Engine

GAMES = json.loads(Path(__file__).with_name("games.json").read_text())
"""Boards with what became of them: {"width", "height", "first", "mines": cells, "won", "guesses": cells in order}."""


def played(hidden: Hidden, first: int) -> tuple[bool, list[Move]]:
    """Play a board whose cell ``first`` is open; return whether it was won, and the moves."""
    solver = Solver(hidden.width, hidden.height, len(hidden.mines))
    opened, moves = {first}, []
    cells = seen(hidden.width, hidden.height, hidden.mines, opened, frozenset())
    while any(cells[cell] == CLOSED for cell in hidden.safe):
        moves.append(solver.move(cells))
        if hidden.mines.intersection(moves[-1].cells):
            return False, moves
        opened.update(moves[-1].cells)
        cells = seen(hidden.width, hidden.height, hidden.mines, opened, frozenset())
    return True, moves


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_games_stay_what_they_were(number: int) -> None:
    game = GAMES[number]
    hidden = Hidden(game["width"], game["height"], frozenset(game["mines"]))
    won, moves = played(hidden, game["first"])
    assert won == game["won"]
    assert [move.cells[0] for move in moves if move.why != "forced"] == game["guesses"]


def test_what_it_calls_forced_is_safe(seed: int) -> None:
    rng = Random(seed)
    for _ in range(10):
        hidden = Hidden.random(rng, 16, 16, 40)
        won, moves = played(hidden, min(hidden.safe))
        last = moves[-1]
        assert won or (last.why.startswith("guess") and len(last.cells) == 1)
        assert all(len(move.cells) == 1 or move.why == "forced" for move in moves)


def test_the_past_does_not_matter(seed: int) -> None:
    rng = Random(seed)
    hidden = Hidden.random(rng, 9, 9, 10)
    opened = set(rng.sample(sorted(hidden.safe), 5))
    cells = seen(9, 9, hidden.mines, opened, frozenset())
    other = Hidden.random(rng, 9, 9, 10)
    used = Solver(9, 9, 10)
    used.move(seen(9, 9, other.mines, {min(other.safe)}, frozenset()))
    assert used.move(cells) == Solver(9, 9, 10).move(cells)


@pytest.mark.parametrize(
    ("width", "height", "mines", "cells", "move"),
    [
        (9, 9, 10, [CLOSED] * 81, Move((30,), "first click")),
        (3, 1, 1, [MINE, 1, CLOSED], Move((2,), "forced")),
        (4, 1, 1, [1, CLOSED, CLOSED, CLOSED], Move((2, 3), "forced")),
        (2, 2, 1, [1, 1, CLOSED, CLOSED], Move((2,), "guess 0.50, endgame won 0.50")),
    ],
)
def test_why(width: int, height: int, mines: int, cells: Sequence[int], move: Move) -> None:
    assert Solver(width, height, mines).move(cells) == move


def test_a_guess_in_the_middle_of_a_game() -> None:
    cells = [CLOSED] * 480
    cells[0] = 1
    move = Solver(30, 16, 99).move(cells)
    assert move.why.startswith("guess 0.79, ahead 0.")
    assert move.cells[0] not in (1, 30, 31)


def test_too_large_to_count(seed: int) -> None:
    hidden = Hidden.random(Random(seed), 100, 100, 5_000)
    opened = set(Random(seed).sample(sorted(hidden.safe), 2_000))
    solver = Solver(100, 100, 5_000)
    cells = seen(100, 100, hidden.mines, opened, frozenset())
    while (move := solver.move(cells)).why == "forced":
        assert not hidden.mines.intersection(move.cells)
        opened.update(move.cells)
        cells = seen(100, 100, hidden.mines, opened, frozenset())
    assert move.why.startswith("guess ")
    assert cells[move.cells[0]] == CLOSED


def test_a_position_of_no_board() -> None:
    with pytest.raises(Impossible):
        Solver(3, 1, 1).move([CLOSED, 2, CLOSED])


@pytest.mark.parametrize(("width", "height", "cell"), [(30, 16, 93), (2, 2, 0), (5, 4, 7)])
def test_first_click(width: int, height: int, cell: int) -> None:
    assert first_click(width, height) == cell


def test_the_worst_number_counts_and_else_the_density() -> None:
    cells = [CLOSED] * 25
    cells[0], cells[2] = 1, 2
    constraints = Engine(5, 5, 5).deduce(cells)
    found = risks(constraints, 5)
    assert found[5] == 1 / 3
    assert found[1] == found[6] == found[7] == 2 / 5
    assert found[24] == 5 / 23
    assert safest(constraints, 5) == (4, 1 - 5 / 23)


def strike(size: int, mines: int, shown: dict[int, int], found: tuple[int, int], bomb: bool = True) -> Strike:
    """Return what a duellist does on a square board that shows these cells."""
    cells = [shown.get(cell, CLOSED) for cell in range(size * size)]
    return Duellist(size, size, mines).move(cells, found, bomb=bomb)


def test_a_duellist_takes_all_certain_mines_at_once_and_throws_no_bomb_before() -> None:
    assert strike(2, 2, {0: 2, 1: 2}, (0, 0), bomb=False) == Strike((2, 3), False, "certain mines")
    assert strike(16, 51, {0: 3}, (0, 2)).cells == (1, 16, 17)


def test_a_duellist_opens_the_likelier_cell() -> None:
    found = strike(16, 51, {119: 6}, (0, 0), bomb=False)
    assert not found.bomb
    assert found.cells[0] in (102, 103, 104, 118, 120, 134, 135, 136)


def test_a_bomb_is_thrown_where_it_finds_most() -> None:
    found = strike(16, 51, {119: 7}, (3, 5))
    assert found.bomb
    assert max(abs(found.cells[0] % 16 - 7), abs(found.cells[0] // 16 - 7)) <= 1


def test_a_bomb_for_little_is_thrown_only_when_the_other_is_about_to_win() -> None:
    mines = dict.fromkeys(range(42, 64, 3), MINE)
    assert [strike(8, 13, mines, found).bomb for found in ((0, 1), (2, 5))] == [False, True]


@pytest.mark.parametrize("density", [3, 5])
def test_a_duellist_plays_to_the_end_and_finds_all_it_calls_certain(seed: int, density: int) -> None:
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
