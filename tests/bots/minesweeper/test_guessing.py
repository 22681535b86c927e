from collections.abc import Iterator
from typing import Any

import pytest

from parlour_bots.minesweeper.guessing import Guess
from parlour_games.minesweeper.board import CLOSED, neighbours
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


def test_stops_reading_when_it_has_read_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(30, 16, 99)
    odds = engine.read(LONELY)
    numbers, readings = engine.numbers, 0

    def counted(*supposed: Any) -> Iterator[tuple[int, Odds]]:
        nonlocal readings
        for found in numbers(*supposed):
            readings += 1
            yield found

    monkeypatch.setattr("parlour_bots.minesweeper.guessing.READINGS", 0)
    monkeypatch.setattr(engine, "numbers", counted)
    Guess(30, 16, engine, odds).best()
    assert 50 <= readings < 100


def test_reads_one_of_the_cells_that_come_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(30, 16, 99)
    odds = engine.read([3] + [CLOSED] * 479)
    numbers, supposed = engine.numbers, set[int]()

    def noted(cell: int, *more: Any) -> Iterator[tuple[int, Odds]]:
        supposed.add(cell)
        return numbers(cell, *more)

    monkeypatch.setattr(engine, "numbers", noted)
    Guess(30, 16, engine, odds).best()
    far = [cell for cell in supposed if cell // 30 > 2 or cell % 30 > 2]
    assert sorted(len(neighbours(30, 16)[cell]) for cell in far) == [3, 5, 8]
