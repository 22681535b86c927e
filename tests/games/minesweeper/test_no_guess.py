"""Boards that need no guess, compared with trying every completion."""

from random import Random

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.minesweeper.boards import completions
from tests.games.minesweeper.tables import CORNERS, board
from tests.support.examples import examples

from parlour_games.fair import Stream
from parlour_games.minesweeper import fair_boards
from parlour_games.minesweeper.board import Board, Dealt, VisibleBoard, known
from parlour_games.minesweeper.fair_boards import ATTEMPTS, LARGEST_WITHOUT_GUESSES, make, needs_no_guess
from parlour_games.minesweeper.options import Shape

SMALL = [Shape(4, 4, 3), Shape(5, 4, 4), Shape(6, 3, 4), Shape(3, 5, 5), Shape(4, 3, 2)]


def clears_by_certainty(made: Board, first: int, rng: Random | None = None) -> bool:
    """Return whether certainty clears the board; with ``rng`` one cell is opened at a time, in random order."""
    shape = made.shape
    field, safe = VisibleBoard(shape.width, shape.height), [first]
    while safe:
        for cell in [rng.choice(safe)] if rng else safe:
            assert field.open_cell(made, cell)
        fits = completions(shape.width, shape.height, shape.mines, known(field.rows()))
        mined = frozenset().union(*fits)
        safe = [cell for cell in range(shape.cells) if field.is_closed(cell) and cell not in mined]
        safe = safe if rng else safe[:1]
    return field.open == shape.safe


@given(st.integers(0, 2**32), st.sampled_from(SMALL))
@examples(80)
def test_agrees_with_trying_every_completion_in_whatever_order(seed: int, shape: Shape) -> None:
    rng = Random(seed)
    first = rng.randrange(shape.cells)
    mines = rng.sample([cell for cell in range(shape.cells) if cell != first], shape.mines)
    made = Board(shape, mines)
    assert needs_no_guess(made, first) == clears_by_certainty(made, first) == clears_by_certainty(made, first, rng)


@given(st.integers(0, 2**32), st.sampled_from(SMALL), st.sampled_from(["safe", "opening"]))
@examples(25)
def test_the_attempt_is_the_first_that_needs_no_guess(seed: int, shape: Shape, promise: str) -> None:
    source, first = Dealt(Stream(seed.to_bytes(8, "big"))), seed % shape.cells
    verdicts = {}
    found = make(source, shape, promise, first)
    for attempt in range(1, min(found or 12, 12) + 1):
        verdicts[attempt] = clears_by_certainty(Board(shape, source.mines(shape, promise, first, attempt)), first)
    assert [attempt for attempt, verdict in verdicts.items() if verdict] == ([found] if found in verdicts else [])


@attrs.define
class Tried:
    """Layouts of which only the attempt ``good`` needs no guess when cell 1 is opened first."""

    good: int
    asked: list[tuple[str, int, int]] = attrs.field(factory=list)

    def start(self, shape: Shape) -> int:
        return 1

    def mines(self, shape: Shape, promise: str, first: int, attempt: int) -> list[int]:
        self.asked.append((promise, first, attempt))
        return board(".... .... *..*" if attempt == self.good else CORNERS).mines


@pytest.mark.parametrize("good", [1, 3, 500])
def test_attempts_are_numbered_from_1_and_tried_in_order(good: int) -> None:
    source = Tried(good)
    assert make(source, Shape(4, 3, 2), "safe", 1) == good
    assert source.asked == [("safe", 1, attempt) for attempt in range(1, good + 1)]


def test_after_500_attempts_there_is_no_board() -> None:
    source = Tried(501)
    assert make(source, Shape(4, 3, 2), "safe", 1) is None
    assert len(source.asked) == ATTEMPTS == 500


def ladder(width: int) -> str:
    """Draw a board whose last row is one component as wide as the board: all the numbers above it are 1."""
    last = "".join("*" if x % 3 == 1 else "." for x in range(width))
    return " ".join(["." * width, "." * width, last])


@pytest.mark.parametrize(("width", "accepted"), [(45, True), (48, True), (51, False), (54, False)])
def test_a_larger_component_rejects_a_layout(width: int, accepted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert LARGEST_WITHOUT_GUESSES == 48
    assert needs_no_guess(board(ladder(width)), 0) is accepted
    monkeypatch.setattr(fair_boards, "LARGEST_WITHOUT_GUESSES", 60)
    assert needs_no_guess(board(ladder(width)), 0)
