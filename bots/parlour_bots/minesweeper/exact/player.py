"""The bot ``exact``: a seat's view in, an action out. It plays all modes and board sizes."""

from collections.abc import Sequence

from parlour_bots.minesweeper.exact.duel import Duellist
from parlour_bots.minesweeper.exact.solver import Solver
from parlour_bots.minesweeper.position import Position, position
from parlour_bots.sdk import Action, Turn
from parlour_games.minesweeper.actions import MAX_MOVES

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

    def _duel(self, turn: Turn, here: Position) -> tuple[Action, str]:
        if self._duellist is None:
            self._duellist = Duellist(here.width, here.height, here.mines)
        players = turn.view["players"]
        bomb = players[turn.seat]["bomb"] == "ready"
        found = players[turn.seat]["found"], players[1 - turn.seat]["found"]
        strike = self._duellist.move(here.cells, found, bomb=bomb)
        cells = [here.at(cell) for cell in strike.cells[:MOST_CELLS]]
        action: Action = {"do": "bomb", "at": cells[0]} if strike.bomb else {"do": "open", "cells": cells}
        return action, strike.why


def _opening(here: Position, cells: Sequence[int]) -> Action:
    """Return the action that opens cells; flags of other players, which would block it, are removed first."""
    wrong = [cell for cell in cells if cell in here.flags][: MAX_MOVES // 2]
    if not wrong:
        return {"do": "open", "cells": [here.at(cell) for cell in cells[:MOST_CELLS]]}
    return {"do": "seq", "moves": [[verb, *here.at(cell)] for cell in wrong for verb in ("unflag", "open")]}
