from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from tests.games.minesweeper.boards import Hidden, seen

from parlour_bots.minesweeper.endgame import EndgameSearch
from parlour_bots.minesweeper.guessing import Guess, burdens, fifty_fifties, free_cells
from parlour_bots.minesweeper.playout import outcomes
from parlour_bots.minesweeper.worlds import WorkBudget, worlds
from parlour_games.minesweeper.board import CLOSED, MINE, neighbours
from parlour_games.minesweeper.inference import Engine, Odds

LONELY = [1 if x % 5 == 2 and y % 5 == 2 else CLOSED for y in range(16) for x in range(30)]
"""An expert board on which eighteen numbers share no cells."""


def chosen(width: int, height: int, mines: int, shown: dict[int, int]) -> tuple[int, float]:
    engine = Engine(width, height, mines)
    odds = engine.read([shown.get(cell, CLOSED) for cell in range(width * height)])
    return Guess(width, height, engine, odds).best()


def test_prefers_the_safer_cell_and_of_equally_safe_ones_that_which_leads_on() -> None:
    cell, worth = chosen(9, 9, 10, {40: 6})
    assert cell not in (30, 31, 32, 39, 41, 48, 49, 50)
    assert 0.5 < worth < 1.1
    # Far from the number all cells are equally safe; a corner is likeliest to show a 0.
    assert chosen(16, 16, 40, {119: 5})[0] in (0, 15, 240, 255)


@pytest.mark.parametrize(("width", "height", "mines"), [(3, 3, 1), (4, 3, 8), (2, 1, 1)])
def test_answers_on_small_boards(width: int, height: int, mines: int) -> None:
    cell, worth = chosen(width, height, mines, {})
    assert 0 <= cell < width * height
    assert 0 < worth <= 1.1 * 1.9


def readings(cells: list[int], patch: pytest.MonkeyPatch) -> list[int]:
    """Return the cell of each reading for a guess on an expert board."""
    engine, found = Engine(30, 16, 99), list[int]()
    odds, numbers = engine.read(cells), engine.numbers

    def noted(cell: int, *more: Any) -> Iterator[tuple[int, Odds]]:
        for each in numbers(cell, *more):
            found.append(cell)
            yield each

    patch.setattr(engine, "numbers", noted)
    Guess(30, 16, engine, odds).best()
    return found


def test_stops_reading_when_it_has_read_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_bots.minesweeper.guessing.READINGS", 0)
    assert 50 <= len(readings(LONELY, monkeypatch)) < 100


def test_reads_one_of_the_cells_that_come_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    supposed = set(readings([3] + [CLOSED] * 479, monkeypatch))
    far = [cell for cell in supposed if cell // 30 > 2 or cell % 30 > 2]
    assert sorted(len(neighbours(30, 16)[cell]) for cell in far) == [3, 5, 8]


FEW = 150
"""The most worlds of a position that is enumerated."""
ENOUGH = 1_000_000


@pytest.mark.parametrize(
    ("width", "height", "mines", "cells", "burdened"),
    [
        (4, 2, 1, [CLOSED, CLOSED, 1, 0, CLOSED, CLOSED, 1, 0], {1: 0.5, 5: 0.5}),
        (5, 2, 3, [CLOSED, CLOSED, MINE, 2, 0, 1, 3, MINE, 2, 0], {0: 0.5, 1: 0.5}),
        (4, 1, 2, [CLOSED, CLOSED, 1, CLOSED], {}),
        # Cells 0 and 1 with a wall at 2, cells 2 and 3 with a wall at 1: one board of six each. The pair in the middle
        # would need two walls that are uncertain.
        (4, 1, 2, [CLOSED] * 4, {0: 1 / 6, 1: 2 / 6, 2: 2 / 6, 3: 1 / 6}),
        (2, 2, 2, [CLOSED] * 4, dict.fromkeys(range(4), 1 / 3 + 1 / 3 + 1 / 6)),
    ],
    ids=[
        "a column at the edge, beside two numbers that cannot say which",
        "a pair in the corner behind known mines",
        "an open cell at the end tells the two apart",
        "a wall that may be missing weighs by its probability",
        "a square counts beside its rows and columns",
    ],
)
def test_burden_of_a_cell(width: int, height: int, mines: int, cells: list[int], burdened: dict[int, float]) -> None:
    engine = Engine(width, height, mines)
    odds = engine.read(cells)
    assert burdens(fifty_fifties(width, height, engine, odds, 100), odds) == pytest.approx(burdened)


def test_looks_at_no_more_than_it_may() -> None:
    engine = Engine(2, 2, 2)
    assert fifty_fifties(2, 2, engine, engine.read([CLOSED] * 4), 0) == []


def test_a_cell_that_is_a_mine_only_in_a_pair_is_free() -> None:
    # The mine is in one of the five closed cells. In a corner it has a twin in the other row; in the middle not.
    engine = Engine(3, 2, 1)
    odds = engine.read([CLOSED, 1, CLOSED, CLOSED, CLOSED, CLOSED])
    assert free_cells(fifty_fifties(3, 2, engine, odds, 100), odds) == [0, 2, 3, 5]


def test_opening_a_free_cell_costs_no_win(seed: int) -> None:
    tested, positions = 0, _positions(Random(seed))
    while tested < 10:
        width, height, engine, odds = next(positions)
        free = free_cells(fifty_fifties(width, height, engine, odds, ENOUGH), odds)
        if not free:
            continue
        unsure = [cell for cell in odds.undecided if odds.risks[cell] < 1]
        every = worlds(odds, FEW)
        live = outcomes(unsure, neighbours(width, height), every)
        most = EndgameSearch(live, WorkBudget(ENOUGH)).value((1 << len(every)) - 1, live, 0)
        for cell in free:
            opened = live[unsure.index(cell)]
            left = [other for other in live if other is not opened]
            search = EndgameSearch(left, WorkBudget(ENOUGH))
            assert sum(search.value(part, left, 0) for part in opened[2]) == most
            tested += 1


def _positions(rng: Random) -> Iterator[tuple[int, int, Engine, Odds]]:
    """Yield positions of small boards that have no safe cell and few worlds."""
    while True:
        width, height = rng.choice([(4, 4), (5, 4), (5, 5), (6, 5)])
        hidden = Hidden.random(rng, width, height, rng.randint(3, width * height // 3))
        engine, opened = Engine(width, height, len(hidden.mines)), set[int]()
        for cell in rng.sample(sorted(hidden.safe), len(hidden.safe)):
            opened.add(cell)
            odds = engine.read(seen(width, height, hidden.mines, opened, frozenset()))
            while odds.safe and opened < hidden.safe:
                opened.update(odds.safe)
                odds = engine.read(seen(width, height, hidden.mines, opened, frozenset()))
            if opened >= hidden.safe:
                break
            if odds.solutions <= FEW:
                yield width, height, engine, odds
