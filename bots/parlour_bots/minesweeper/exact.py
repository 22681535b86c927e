"""The bot ``exact``, the strongest bundled Minesweeper player: a seat's view in, an action out, in all modes and sizes.

``Solver`` takes a position and returns the cells to open and the reason, by the modules beside it:

    guessing      the best cell when none is safe, by survival, what follows, and shapes that no number can resolve
    endgame       the best cell when few worlds are left, by optimal play or by playouts
    worlds        the possible mine layouts of a position; limits on work
    playout       what each cell shows in which worlds, and the worlds that a simple player wins

It uses no randomness and limits its work by counting nodes, not seconds: the same position always gets the same answer.

In a duel two players take turns to find mines, and both see what a miss reveals. All certain mines are opened first.
Without any, a cell is valued by its expected gain: a find counts one, plus the mines that it makes certain; a miss
counts minus the mines that its number makes certain, which the opponent takes. A safe cell that reveals little is
therefore sometimes the best way to pass the turn.
"""

from collections.abc import Sequence
from contextlib import suppress
from math import exp
from typing import NamedTuple

from parlour_bots.boards import BoardPosition, position
from parlour_bots.minesweeper import endgame
from parlour_bots.minesweeper.guessing import Guess
from parlour_bots.sdk import Action, Turn
from parlour_games.minesweeper.actions import MAX_MOVES
from parlour_games.minesweeper.board import CLOSED, MINE, around, neighbours
from parlour_games.minesweeper.constraints import MINED, SAFE, UNDECIDED, Constraints, TooLarge
from parlour_games.minesweeper.inference import Engine, Odds

INSET = 3
"""The column and row of the first click, but at most the middle: an opening is larger away from the corner."""


def first_click(width: int, height: int) -> int:
    """Return the first cell to open if it is guaranteed to show a 0."""
    return min(INSET, (height - 1) // 2) * width + min(INSET, (width - 1) // 2)


def risks(constraints: Constraints, mines: int) -> dict[int, float]:
    """Return the risk of each undecided cell: the highest by a single number, else the density of mines."""
    density = min(1.0, (mines - constraints.mined) / max(1, constraints.undecided))
    found = {cell: density for cell, known in enumerate(constraints.known) if known == UNDECIDED}
    worst: dict[int, float] = {}
    for number in constraints.active:
        risk = constraints.need[number] / constraints.free[number]
        for cell in constraints.around[number]:
            if cell in found:
                worst[cell] = max(worst.get(cell, 0.0), risk)
    return found | worst


def safest(constraints: Constraints, mines: int) -> tuple[int, float]:
    """Return the safest cell and its probability to be safe."""
    found = risks(constraints, mines)
    cell = min(found, key=lambda cell: (found[cell], cell))
    return cell, 1 - found[cell]


BUDGET = 60_000
"""The work limit for counting one component, which only huge, dense boards exceed; the odds are then approximate."""


class Move(NamedTuple):
    """The cells to open and the reason."""

    cells: tuple[int, ...]
    """Safe cells, or a single guess."""
    why: str
    """``forced``, ``first click``, or the kind of guess with its odds, such as ``guess 0.83, free``."""


class Solver:
    """Plays one board. Any positions work in any order; consecutive positions of a game are fastest."""

    def __init__(self, width: int, height: int, mines: int) -> None:
        self.width, self.height, self.mines = width, height, mines
        self.engine = Engine(width, height, mines, budget=BUDGET)

    def move(self, cells: Sequence[int]) -> Move:
        """Return the next move; ``cells`` has for each cell 0–8, CLOSED, or MINE for a known mine.

        At least one closed cell must be possibly safe. Raises Impossible and ValueError like ``Engine.read``.
        """
        if all(value == CLOSED for value in cells):
            return Move((first_click(self.width, self.height),), "first click")
        constraints = self.engine.deduce(cells)
        if constraints.safe:
            return Move(tuple(sorted(constraints.safe)), "forced")
        try:
            odds = self.engine.read(cells)
        except TooLarge:
            cell, safe = safest(constraints, self.mines)
            return Move((cell,), f"guess {safe:.2f}, roughly")
        return Move(odds.safe, "forced") if odds.safe else self._guess(odds)

    def _guess(self, odds: Odds) -> Move:
        guess = Guess(self.width, self.height, self.engine, odds)
        if (free := guess.free()) is not None:
            return Move((free,), f"guess {1 - odds.risks[free]:.2f}, free")
        if found := endgame.solve(self.width, self.height, odds):
            cell, wins = found
            return Move((cell,), f"guess {1 - odds.risks[cell]:.2f}, endgame won {wins:.2f}")
        cell, score = guess.best()
        return Move((cell,), f"guess {1 - odds.risks[cell]:.2f}, ahead {score:.2f}")


REACH = 2
"""The reach of a bomb in each direction."""
BOMB_WORTH = 4.5
"""The expected mines for which a bomb is used."""
LAST_FINDS = 4
"""The bomb is used for any gain when the opponent needs at most this many finds."""
DIGITS = 9
"""Values are rounded, so that floating point errors do not break ties."""
CANDIDATES = 16
QUIET_CANDIDATES = 8
"""The number of cells compared, and of safe cells among them."""


class Strike(NamedTuple):
    """A move in a duel."""

    cells: tuple[int, ...]
    """The cells to open in order, or the centre of the bomb."""
    bomb: bool
    why: str


class Duellist:
    """Plays one duel."""

    def __init__(self, width: int, height: int, mines: int) -> None:
        self.width, self.height, self.mines = width, height, mines
        self.around = neighbours(width, height)
        self.engine = Engine(width, height, mines, budget=BUDGET)

    def move(self, cells: Sequence[int], found: tuple[int, int], *, bomb: bool) -> Strike:
        """Return the next move.

        ``cells``: 0–8, CLOSED, or MINE if found. ``found``: the mines that this player and the opponent have found.
        ``bomb``: whether the bomb is available.
        """
        try:
            odds = self.engine.read(cells)
        except TooLarge:
            return self._roughly(cells)
        if odds.mines:
            return Strike(odds.mines, False, "certain mines")
        if bomb and (thrown := self._bomb(odds, self.mines // 2 + 1 - found[1])):
            return thrown
        cell, worth = self._likeliest(odds)
        return Strike((cell,), False, f"guess {odds.risks[cell]:.2f}, worth {worth:+.2f}")

    def _roughly(self, cells: Sequence[int]) -> Strike:
        constraints = self.engine.deduce(cells)
        if certain := [c for c, known in enumerate(constraints.known) if known == MINED and cells[c] == CLOSED]:
            return Strike(tuple(certain), False, "certain mines")
        odds = risks(constraints, self.mines)
        cell = min(odds, key=lambda cell: (-odds[cell], cell))
        return Strike((cell,), False, f"guess {odds[cell]:.2f}, roughly")

    def _bomb(self, odds: Odds, needed: int) -> Strike | None:
        """Return the best bomb if it finds enough mines, or if the opponent, who needs ``needed``, is about to win."""
        risks = [risk if value == CLOSED else 0.0 for risk, value in zip(odds.risks, odds.cells, strict=True)]
        worth = [sum(risks[c] for c in around(self.width, self.height, at, REACH)) for at in range(len(risks))]
        at = max(range(len(worth)), key=lambda at: (round(worth[at], DIGITS), -at))
        if worth[at] < (BOMB_WORTH if needed > LAST_FINDS else 1):
            return None
        return Strike((at,), True, f"bomb, finds {worth[at]:.1f}")

    def _likeliest(self, odds: Odds) -> tuple[int, float]:
        """Return the cell with the highest expected gain, and the gain in mines."""
        risks = odds.risks
        unsure = sorted(odds.undecided, key=lambda cell: (-round(risks[cell], DIGITS), cell))[:CANDIDATES]
        quiet = sorted(odds.safe, key=lambda cell: (self._undecided_near(odds, cell), cell))[:QUIET_CANDIDATES]
        worth = {cell: self._worth(odds, cell) for cell in [*unsure, *quiet]}
        return max(worth.items(), key=lambda item: (round(item[1], DIGITS), round(risks[item[0]], DIGITS), -item[0]))

    def _worth(self, odds: Odds, cell: int) -> float:
        risk = odds.risks[cell]
        worth = 0.0
        if risk > 0:
            worth += risk * (1 + len(self.engine.suppose((cell, MINE)).mines))
        with suppress(TooLarge):
            for _, after in self.engine.numbers(cell):
                worth -= exp(after.log_solutions - odds.log_solutions) * len(after.mines)
        return worth

    def _undecided_near(self, odds: Odds, cell: int) -> int:
        return sum(odds.known[near] in (UNDECIDED, SAFE) and odds.risks[near] > 0 for near in self.around[cell])


MOST_CELLS = 200
"""The most cells that one answer opens."""


class Exact:
    """Computes exact odds, guesses with lookahead, and searches the endgame."""

    def __init__(self) -> None:
        self._solver: Solver | None = None
        self._duellist: Duellist | None = None

    def play(self, turn: Turn) -> tuple[Action, str]:
        """Return the action and its reason."""
        here = position(turn.view)
        if turn.view["mode"] == "duel":
            return self._duel(turn, here)
        if self._solver is None:
            self._solver = Solver(here.width, here.height, here.mines)
        move = self._solver.move(here.cells)
        return _opening(here, move.cells), move.why

    def _duel(self, turn: Turn, here: BoardPosition) -> tuple[Action, str]:
        if self._duellist is None:
            self._duellist = Duellist(here.width, here.height, here.mines)
        players = turn.view["players"]
        bomb = players[turn.seat]["bomb"] == "ready"
        found = players[turn.seat]["found"], players[1 - turn.seat]["found"]
        strike = self._duellist.move(here.cells, found, bomb=bomb)
        cells = [here.at(cell) for cell in strike.cells[:MOST_CELLS]]
        action: Action = {"do": "bomb", "at": cells[0]} if strike.bomb else {"do": "open", "cells": cells}
        return action, strike.why


def _opening(here: BoardPosition, cells: Sequence[int]) -> Action:
    """Return the action that opens cells; flags of other players, which would block it, are removed first."""
    wrong = [cell for cell in cells if cell in here.flags][: MAX_MOVES // 2]
    if not wrong:
        return {"do": "open", "cells": [here.at(cell) for cell in cells[:MOST_CELLS]]}
    return {"do": "seq", "moves": [[verb, *here.at(cell)] for cell in wrong for verb in ("unflag", "open")]}
