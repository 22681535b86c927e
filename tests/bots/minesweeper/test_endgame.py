from functools import cache
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.minesweeper.boards import position

from parlour_bots.minesweeper.endgame import solve
from parlour_bots.minesweeper.playout import DIGITS, Playouts, outcomes
from parlour_bots.minesweeper.worlds import WorkBudget, worlds
from parlour_games.minesweeper.board import CLOSED, neighbours
from parlour_games.minesweeper.inference import Engine, Odds

Open = frozenset[tuple[int, int]]
"""Open cells and their numbers."""


class Minimax:
    """Perfect play by trying every cell in every position, without any of the search's short cuts."""

    def __init__(self, width: int, height: int, mines: int) -> None:
        self.around = neighbours(width, height)
        self.boards = [frozenset(placed) for placed in combinations(range(width * height), mines)]
        self.safe = width * height - mines
        self.wins = cache(self._wins)

    def fits(self, shown: Open) -> list[frozenset[int]]:
        return [
            mines
            for mines in self.boards
            if all(cell not in mines and len(mines.intersection(self.around[cell])) == v for cell, v in shown)
        ]

    def after(self, shown: Open, cell: int) -> set[Open]:
        return {
            shown | {(cell, len(mines.intersection(self.around[cell])))}
            for mines in self.fits(shown)
            if cell not in mines
        }

    def closed(self, shown: Open) -> list[int]:
        return [cell for cell in range(len(self.around)) if cell not in dict(shown)]

    def _wins(self, shown: Open) -> int:
        if len(shown) == self.safe:
            return 1
        return max(sum(map(self.wins, self.after(shown, cell))) for cell in self.closed(shown))


def odds_of(width: int, height: int, mines: int, shown: Open) -> Odds:
    cells = [dict(shown).get(cell, CLOSED) for cell in range(width * height)]
    return Engine(width, height, mines).read(cells)


def solved(width: int, height: int, odds: Odds) -> tuple[int, float]:
    found = solve(width, height, odds)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("width", "height", "mines"), [(2, 2, 1), (2, 2, 2), (3, 2, 2), (4, 2, 2), (4, 2, 3), (3, 3, 2), (7, 1, 3)]
)
def test_as_good_as_trying_everything(width: int, height: int, mines: int) -> None:
    full = Minimax(width, height, mines)
    waiting: list[Open] = [frozenset()]
    seen = set(waiting)
    judged = 0
    while waiting:
        shown = waiting.pop()
        odds = odds_of(width, height, mines, shown)
        if not odds.safe and len(shown) < full.safe:
            judged += 1
            cell, wins = solved(width, height, odds)
            assert round(wins * odds.solutions) == full.wins(shown)
            assert sum(map(full.wins, full.after(shown, cell))) == full.wins(shown)
        for cell in full.closed(shown):
            new = full.after(shown, cell) - seen
            seen |= new
            waiting += new
    assert judged > 3


def in_the_middle() -> Odds:
    """Return the odds of a position with more worlds than are searched."""
    return odds_of(5, 5, 5, frozenset({(6, 2), (18, 3)}))


def test_few_worlds_or_cells_are_searched_and_too_many_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert solve(2, 2, odds_of(2, 2, 1, frozenset({(0, 1), (1, 1)}))) == (2, 0.5)
    assert solve(140, 1, odds_of(140, 1, 1, frozenset())) == (0, round(139 / 140, DIGITS))
    assert solve(9, 9, odds_of(9, 9, 10, frozenset())) is None, "worlds"
    odds = odds_of(20, 15, 2, frozenset({(0, 1)}))
    assert odds.solutions < 1_000
    assert solve(20, 15, odds) is None, "cells"
    monkeypatch.setattr("parlour_bots.minesweeper.worlds.ALLOCATIONS", 1)
    assert solve(6, 1, odds_of(6, 1, 2, frozenset({(1, 1), (3, 1)}))) is None, "a component"


def test_a_sample_leads_to_the_same_cell_and_counts_fewer_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    odds = in_the_middle()
    every = solved(5, 5, odds)
    monkeypatch.setattr("parlour_bots.minesweeper.endgame.LISTED", 1_000)
    some = solved(5, 5, odds)
    monkeypatch.setattr("parlour_bots.minesweeper.endgame.REAL", 1.0)
    monkeypatch.setattr("parlour_bots.minesweeper.endgame.REAL_FALL", 0.0)
    counted = solved(5, 5, odds)
    assert odds.solutions > 1_500
    assert some[0] == every[0] == counted[0]
    assert some[1] < every[1] < counted[1] < 1 - odds.risks[some[0]]


@given(st.randoms(use_true_random=False), st.sampled_from([0, 10, 100, 1_000]))
def test_a_search_cut_short_is_worth_the_count(rng: Random, work: int) -> None:
    cells = position(rng, 5, 4, 6)
    odds = Engine(5, 4, 6).read(cells)
    to_open = [cell for cell in odds.undecided if odds.risks[cell] < 1]
    if odds.safe or not to_open or odds.solutions > 200:
        return
    full = solved(5, 4, odds)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("parlour_bots.minesweeper.endgame.SEARCHING", work)
        short = solved(5, 4, odds)
    found = worlds(odds, 200)
    risky = sorted((round(odds.risks[cell], 9), cell) for cell in to_open)
    live = outcomes([cell for _, cell in risky], neighbours(5, 4), found)
    greedy = Playouts(live, [1 - risk for risk, _ in risky], WorkBudget(1_000_000)).wins((1 << len(found)) - 1, live)
    assert greedy / len(found) <= short[1] + 1e-8
    assert short[1] <= full[1] + 1e-8


def test_what_each_part_adds(monkeypatch: pytest.MonkeyPatch) -> None:
    odds = odds_of(6, 4, 6, frozenset({(7, 2), (10, 2), (15, 1), (19, 2), (22, 2)}))
    assert odds.solutions == 134
    assert solve(6, 4, odds) == (8, 94 / 134)
    monkeypatch.setattr("parlour_bots.minesweeper.endgame.SEARCHED", 100)
    assert solve(6, 4, odds) == (8, round(92 / 134, DIGITS))
    monkeypatch.setattr("parlour_bots.minesweeper.playout.RECOUNTED", 0)
    assert solve(6, 4, odds) == (0, round(90 / 134, DIGITS))


def test_without_work_there_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_bots.minesweeper.endgame.COUNTING", 0)
    assert solve(5, 5, in_the_middle()) is None
