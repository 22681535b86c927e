"""``article``: the player of a well-known article on solving Minesweeper with C# and LINQ, with four strategies.

1. Obvious mines: if a number equals its closed neighbours, flag them.
2. Obvious numbers: if a number equals its flags, open its other closed neighbours.
3. Endgame: if there are as many flags as mines on the board, open every other closed cell.
4. Random: open a random closed cell without a flag. The first click is one of these.

The first two are combined in one answer, up to its size limit. The article does not cover two cases: if every closed
cell has a flag, some flags (of other players) are wrong, and all are removed; in a duel, where the aim is to find
mines and there are no flags, obvious mines are opened.
"""

from collections.abc import Iterable, Set

from parlour_bots.boards import BoardPosition, position
from parlour_bots.sdk import Action, Turn
from parlour_games.minesweeper.actions import MAX_MOVES
from parlour_games.minesweeper.board import CLOSED, MINE


def play(turn: Turn) -> tuple[Action, str]:
    """Plays the first of an article's four strategies that finds a move; the last one is a random move."""
    here = position(turn.view)
    if turn.view["mode"] == "duel":
        return duel(here, turn)
    flags = obvious_mines(here, here.flags)
    if cells := flags | obvious_numbers(here, here.flags | flags):
        return moves(here, flags, cells - flags), "obvious mines" if flags else "obvious numbers"
    if cells := endgame(here):
        return moves(here, (), cells), "endgame"
    return at_random(here, turn)


def obvious_mines(here: BoardPosition, flags: Set[int]) -> set[int]:
    """Return the unflagged cells that are mines because a number equals its closed neighbours."""
    found: set[int] = set()
    for cell in here.numbers():
        closed = here.closed(cell)
        if len(closed) == here.hidden(cell):
            found |= closed
    return found - flags


def obvious_numbers(here: BoardPosition, flags: Set[int]) -> set[int]:
    """Return the closed cells next to a number whose mines are all in ``flags`` or exploded."""
    found: set[int] = set()
    for cell in here.numbers():
        closed = here.closed(cell)
        if len(closed & flags) == here.hidden(cell):
            found |= closed
    return found - flags


def endgame(here: BoardPosition) -> set[int]:
    """Return all unflagged closed cells if there are as many flags and exploded mines as mines."""
    if len(here.flags) + here.cells.count(MINE) != here.mines:
        return set()
    return set(unmarked(here))


def at_random(here: BoardPosition, turn: Turn) -> tuple[Action, str]:
    """Open a random unflagged closed cell; if there is none, remove all flags."""
    if cells := unmarked(here):
        return {"do": "open", "cells": [here.at(turn.rng.choice(cells))]}, "random"
    return {"do": "unflag", "cells": [here.at(cell) for cell in sorted(here.flags)]}, "wrong flags"


def duel(here: BoardPosition, turn: Turn) -> tuple[Action, str]:
    """Open the obvious mines, else a random closed cell."""
    if mines := obvious_mines(here, set()):
        return {"do": "open", "cells": [here.at(cell) for cell in sorted(mines)]}, "obvious mines"
    return at_random(here, turn)


def moves(here: BoardPosition, flags: Iterable[int], cells: Iterable[int]) -> Action:
    """Return one action that flags ``flags``, then opens ``cells``, up to its size limit."""
    steps = [("flag", cell) for cell in sorted(flags)] + [("open", cell) for cell in sorted(cells)]
    return {"do": "seq", "moves": [[verb, *here.at(cell)] for verb, cell in steps[:MAX_MOVES]]}


def unmarked(here: BoardPosition) -> list[int]:
    """Return the unflagged closed cells in ascending order."""
    return [cell for cell, known in enumerate(here.cells) if known == CLOSED and cell not in here.flags]
