from contextlib import suppress
from fractions import Fraction
from math import comb, log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.minesweeper.boards import Hidden, completions, position, seen
from tests.support.examples import examples

from parlour_games.minesweeper.board import CLOSED, MINE
from parlour_games.minesweeper.constraints import Impossible, TooLarge
from parlour_games.minesweeper.inference import Engine, Odds

EXPERT = (30, 16, 99)
SMALL_WORK = 4_000
"""The maximum number of placements to try."""


def small(rng: Random) -> tuple[int, int, int, list[int]]:
    """Return (width, height, mines, cells) of a position that can be enumerated."""
    while True:
        width, height = rng.randint(1, 6), rng.randint(1, 5)
        mines = rng.randint(0, min(width * height, 9))
        cells = position(rng, width, height, mines)
        if comb(cells.count(CLOSED), mines - cells.count(MINE)) <= SMALL_WORK:
            return width, height, mines, cells


@examples(150)
@given(st.randoms(use_true_random=False))
def test_agrees_with_trying_everything(rng: Random) -> None:
    width, height, mines, cells = small(rng)
    odds = Engine(width, height, mines).read(cells)
    found = completions(width, height, mines, cells)
    share = [Fraction(sum(cell in placed for placed in found), len(found)) for cell in range(width * height)]
    assert odds.solutions == len(found)
    assert odds.log_solutions == pytest.approx(log(len(found)), abs=1e-9)
    assert [odds.mine(cell) for cell in range(width * height)] == share
    assert odds.risks == pytest.approx([float(risk) for risk in share], abs=1e-12)
    closed = [cell for cell, value in enumerate(cells) if value == CLOSED]
    assert odds.safe == tuple(cell for cell in closed if share[cell] == 0)
    assert odds.mines == tuple(cell for cell in closed if share[cell] == 1)


@examples(120)
@given(st.randoms(use_true_random=False))
def test_exactly_positions_without_completion_are_refused(rng: Random) -> None:
    width, height, mines, cells = small(rng)
    shown = [cell for cell, value in enumerate(cells) if value >= 0]
    for cell in rng.sample(shown, min(len(shown), 2)):
        cells[cell] = min(8, max(0, cells[cell] + rng.choice((-1, 0, 1))))
    mines = max(0, mines + rng.choice((-2, -1, 0, 1, 2)))
    try:
        assert Engine(width, height, mines).read(cells).solutions == len(completions(width, height, mines, cells))
    except Impossible:
        assert completions(width, height, mines, cells) == []


def test_remembering_changes_nothing_in_whatever_order_positions_come(seed: int) -> None:
    rng = Random(seed)
    for _ in range(3):
        played, any_order = Engine(*EXPERT), Engine(*EXPERT)
        positions = list(Hidden.random(rng, *EXPERT).game(rng, played))
        for engine, order in ((played, positions), (any_order, rng.sample(positions, len(positions)))):
            for cells in order:
                fresh, again = Engine(*EXPERT).read(cells), engine.read(cells)
                assert (again.safe, again.mines, again.risks) == (fresh.safe, fresh.mines, fresh.risks)
                assert (again.solutions, again.work) == (fresh.solutions, fresh.work)


@examples(150)
@given(st.randoms(use_true_random=False))
def test_suppose_agrees_with_read(rng: Random) -> None:
    width, height, mines, cells = small(rng)
    engine = Engine(width, height, mines)
    before = engine.read(cells)
    closed = [cell for cell, value in enumerate(cells) if value == CLOSED]
    shown = [(cell, rng.choice([MINE, 0, 1, 2, 3])) for cell in rng.sample(closed, min(len(closed), rng.randint(0, 2)))]
    supposed = list(cells)
    for cell, value in shown:
        supposed[cell] = value
    found = completions(width, height, mines, supposed)
    try:
        assert engine.suppose(*shown).solutions == len(found)
    except Impossible:
        assert found == []
    assert engine.suppose().risks == before.risks


@examples(150)
@given(st.randoms(use_true_random=False))
def test_numbers_agree_with_suppose(rng: Random) -> None:
    width, height, mines, cells = small(rng)
    engine = Engine(width, height, mines)
    odds = engine.read(cells)
    unsure = [cell for cell in odds.undecided if odds.risks[cell] < 1]
    for cell in unsure:
        expected = _supposed(engine, [(cell, number) for number in range(9)])
        assert {number: _known(after) for number, after in engine.numbers(cell)} == expected
    if len(unsure) > 1:
        first, second = rng.sample(unsure, 2)
        for number in _supposed(engine, [(first, number) for number in range(9)]):
            shown = (first, number)
            after = engine.suppose(shown)
            if second not in after.mines:
                expected = _supposed(engine, [(second, more) for more in range(9)], shown)
                assert {more: _known(later) for more, later in engine.numbers(second, (shown,))} == expected


def _supposed(engine: Engine, cases: list[tuple[int, int]], *shown: tuple[int, int]) -> dict[int, tuple[object, ...]]:
    """Return by number what is known after each of these cells and numbers that is possible."""
    found = {}
    for cell, number in cases:
        with suppress(Impossible):
            found[number] = _known(engine.suppose(*shown, (cell, number)))
    return found


def _known(odds: Odds) -> tuple[object, ...]:
    fractions = [odds.mine(cell) for cell in range(len(odds.cells))]
    layouts = {frozenset(odds.layout(rank)) for rank in range(odds.solutions)} if odds.solutions < 30 else set()
    return (
        odds.cells,
        odds.safe,
        odds.mines,
        odds.solutions,
        fractions,
        [round(risk, 9) for risk in odds.risks],
        layouts,
    )


def test_likely_numbers_come_first() -> None:
    engine = Engine(3, 3, 4)
    engine.read([CLOSED] * 9)
    assert [number for number, _ in engine.numbers(4, (), 3.4)] == [4]
    assert [number for number, _ in engine.numbers(0, (), 2.1)] == [2, 3, 1, 0]


def test_the_components_of_a_supposition_are_those_of_that_position(seed: int) -> None:
    rng = Random(seed)
    engine = Engine(*EXPERT)
    for cells in Hidden.random(rng, *EXPERT).game(rng, engine):
        engine.read(cells)
        for _ in range(10):
            closed = [cell for cell, value in enumerate(cells) if value == CLOSED]
            shown = {cell: rng.choice((MINE, 1, 2, 3)) for cell in rng.sample(closed, min(len(closed), 2))}
            supposed = [shown.get(cell, value) for cell, value in enumerate(cells)]
            try:
                expected = Engine(*EXPERT).read(supposed).parts
            except Impossible:
                with pytest.raises(Impossible):
                    engine.suppose(*shown.items())
            else:
                assert engine.suppose(*shown.items()).parts == expected


def test_supposing_a_cell_safe_whatever_it_shows() -> None:
    engine = Engine(4, 1, 2)
    engine.read([CLOSED] * 4)
    odds = engine.suppose(safe=[0])
    assert odds.solutions == 3
    assert odds.mine(1) == Fraction(2, 3)
    with pytest.raises(Impossible):
        engine.suppose(safe=[0, 1, 2])


def test_nothing_can_be_supposed_of_no_position() -> None:
    with pytest.raises(ValueError, match="read a position first"):
        Engine(4, 1, 2).suppose((0, 1))


def certain_cells_are_certain(seed: int, positions: int) -> None:
    rng = Random(seed)
    while positions > 0:
        level = rng.choice(((9, 9, 10), (16, 16, 40), EXPERT, (12, 12, 40)))
        hidden, engine = Hidden.random(rng, *level), Engine(*level)
        for cells in hidden.game(rng, engine):
            odds = engine.read(cells)
            assert not hidden.mines.intersection(odds.safe), (level, cells)
            assert hidden.mines.issuperset(odds.mines), (level, cells)
            positions -= 1


def test_certain_cells_are_certain(seed: int) -> None:
    certain_cells_are_certain(seed, 1_000)


@pytest.mark.torture
def test_certain_cells_are_certain_over_a_hundred_thousand_positions(seed: int) -> None:
    certain_cells_are_certain(seed, 100_000)


def test_untouched_board() -> None:
    odds = Engine(*EXPERT).read([CLOSED] * 480)
    assert odds.solutions == comb(480, 99)
    assert odds.mine(7) == Fraction(99, 480)
    assert odds.parts == ()
    assert len(odds.spare) == 480


def test_component_above_the_cap() -> None:
    cells = [CLOSED] * 3 + [1, 1, 1] + [CLOSED] * 3
    size = max(part.size for part in Engine(3, 3, 1).read(cells).parts)
    assert size == 6
    assert Engine(3, 3, 1, largest=6).read(cells).solutions == 2
    with pytest.raises(TooLarge):
        Engine(3, 3, 1, largest=5).read(cells)


def test_decided_cells_belong_to_no_component() -> None:
    odds = Engine(5, 1, 2, largest=0).read([CLOSED, 1, CLOSED, 2, CLOSED])
    assert odds.parts == ()
    assert odds.mines == (2, 4)
    assert odds.safe == (0,)


def test_budget_is_of_a_component_not_of_a_life() -> None:
    cells = [CLOSED] * 3 + [1, 1, 1] + [CLOSED] * 3
    engine = Engine(3, 3, 1, budget=20)
    for _ in range(100):
        assert engine.read(cells).solutions == 2
    with pytest.raises(TooLarge):
        Engine(3, 3, 1, budget=1).read(cells)


def test_usable_after_a_refusal() -> None:
    engine = Engine(4, 1, 1)
    with pytest.raises(Impossible):
        engine.read([2, CLOSED, CLOSED, CLOSED])
    assert engine.read([1, CLOSED, CLOSED, CLOSED]).safe == (2, 3)


@pytest.mark.parametrize("value", [9, -3, 100])
def test_a_cell_has_a_cells_value(value: int) -> None:
    with pytest.raises(ValueError, match="cell 1 "):
        Engine(4, 1, 1).read([CLOSED, value, CLOSED, CLOSED])


def test_a_position_has_the_boards_size() -> None:
    with pytest.raises(ValueError, match="3 cells"):
        Engine(4, 1, 1).read([CLOSED] * 3)


def test_huge_board(seed: int) -> None:
    hidden = Hidden.random(Random(seed), 100, 100, 2_000)
    cells = seen(100, 100, hidden.mines, set(Random(seed).sample(sorted(hidden.safe), 600)), frozenset())
    odds = Engine(100, 100, 2_000).read(cells)
    assert not hidden.mines.intersection(odds.safe)
    assert hidden.mines.issuperset(odds.mines)
    assert sum(odds.risks) == pytest.approx(2_000)
    assert odds.log_solutions == pytest.approx(log(odds.solutions))
    assert len(odds.parts) > 20
