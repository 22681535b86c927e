"""Review of a seat that clears a board alone: what ``exact`` would have opened, and what the difference cost.

Values are probabilities to clear the board, from what the seat could see. Mine layouts that fit are drawn at random,
all equally likely, and ``exact`` plays each on: after the answer that was given, and after its own. The cost of a
decision is the mean difference.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from math import sqrt
from random import Random  # noqa: TID251  a type; the caller passes turn.rng
from statistics import fmean, stdev

import attrs

from parlour_bots.boards import position
from parlour_bots.judgement import Judgement, Reviewer
from parlour_bots.minesweeper import endgame
from parlour_bots.minesweeper.exact import Exact, Solver
from parlour_bots.sdk import Action, Turn
from parlour_games.minesweeper.actions import Step
from parlour_games.minesweeper.board import Board, VisibleBoard, known
from parlour_games.minesweeper.constraints import TooLarge
from parlour_games.minesweeper.inference import Odds
from parlour_games.minesweeper.options import Shape

WORLDS = 60
"""Layouts per decision by default."""
JUDGED = ("open", "chord", "seq")
"""The actions that open cells."""


class PlayOns:
    """Plays games on from positions of a board; remembers the guesses."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self._ahead: dict[bytes, float | Sequence[int]] = {}
        """By what is shown: the value of a listed endgame, else the cells to open."""

    def value(self, visible: VisibleBoard, board: Board, todo: Iterable[Step]) -> float:
        """Return the probability that ``exact`` wins after these moves, as far as the layout of ``board`` tells."""
        visible = visible.copy()
        for verb, x, y in todo:
            if None in [visible.open_cell(board, cell) for cell in _opened(visible, verb, y * visible.width + x)]:
                return 0.0
        visible.shown = visible.shown.replace(b"F", b".")
        opened: Sequence[int] = ()
        while None not in [visible.open_cell(board, cell) for cell in opened]:
            if visible.open == board.shape.safe:
                return 1.0
            shown = bytes(visible.shown)
            ahead = self._ahead.get(shown)
            if ahead is None:
                ahead = self._ahead[shown] = self._next(known(visible.rows()))
            if isinstance(ahead, float):
                return ahead
            opened = ahead
        return 0.0

    def _next(self, cells: list[int]) -> float | Sequence[int]:
        solver = self.solver
        if not solver.engine.deduce(cells).safe:
            with suppress(TooLarge):
                odds = solver.engine.read(cells)
                listed = not odds.safe and odds.solutions <= endgame.LISTED
                if listed and (found := endgame.solve(solver.width, solver.height, odds)):
                    return found[1]
        return solver.move(cells).cells


def _opened(visible: VisibleBoard, verb: str, cell: int) -> list[int]:
    """Return the cells that a move opens, after setting or removing its mark."""
    if verb in ("flag", "unflag"):
        visible.flag(cell, verb == "flag")
        return []
    return [cell] if verb == "open" else visible.chord_cells(cell)


def layouts(shape: Shape, odds: Odds, rng: Random) -> Iterator[Board]:
    """Yield boards drawn from all that are possible."""
    while True:
        yield Board(shape, odds.layout(rng.randrange(odds.solutions)))


@attrs.define
class MinesweeperReviewer(Reviewer):
    """Compares decisions with those of ``exact``."""

    _exact: Exact = attrs.field(factory=Exact, init=False)
    _play_ons: PlayOns | None = attrs.field(default=None, init=False)

    def best(self, turn: Turn) -> Action:
        """Return the answer of ``exact``."""
        return self._exact.play(turn)[0]

    def judge(self, turn: Turn, number: int, action: Action, best: Action) -> Judgement:
        """Return what ``action`` cost."""
        values = [*self._values(turn, action, best)]
        if not values:
            return Judgement(number, 1, action, best, None, 0.0, 0.0)
        differences = [one - other for one, other in values]
        chance, cost = fmean(one for one, _ in values), fmean(differences)
        return Judgement(number, 1, action, best, chance, cost, stdev(differences) / sqrt(len(differences)))

    def _values(self, turn: Turn, action: Action, best: Action) -> Iterator[tuple[float, float]]:
        """Yield in each layout the value after ``best`` and after ``action``; nothing if there is no difference.

        Certainly safe cells cost nothing. Before a number is open there is nothing to judge.
        """
        here = position(turn.view)
        given, own = _moves(action), _moves(best)
        shape, visible = Shape(here.width, here.height, here.mines), _visible(turn.view["rows"])
        if self._play_ons is None:
            self._play_ons = PlayOns(Solver(here.width, here.height, here.mines))
        cells = _targets(visible, given)
        if not visible.open or cells == _targets(visible, own):
            return
        try:
            odds = self._play_ons.solver.engine.read(here.cells)
        except TooLarge:
            return
        if not any(odds.risks[cell] for cell in cells):
            return
        for _, board in zip(range(self.worlds), layouts(shape, odds, turn.rng), strict=False):
            yield self._play_ons.value(visible, board, own), self._play_ons.value(visible, board, given)


def _visible(rows: Sequence[str]) -> VisibleBoard:
    visible = VisibleBoard(len(rows[0]), len(rows))
    visible.shown = bytearray("".join(rows).encode())
    visible.open = sum(visible.is_number(cell) for cell in range(len(visible.shown)))
    return visible


def _moves(action: Action) -> list[Step]:
    """Return the single moves of an action."""
    if action["do"] == "seq":
        return [(verb, x, y) for verb, x, y in action["moves"]]
    return [(action["do"], x, y) for x, y in action["cells"]]


def _targets(visible: VisibleBoard, todo: Iterable[Step]) -> set[int]:
    """Return the closed cells that moves open on the board as it is."""
    visible = visible.copy()
    cells = {cell for verb, x, y in todo for cell in _opened(visible, verb, y * visible.width + x)}
    return {cell for cell in cells if visible.shown[cell : cell + 1] == b"."}
