"""The player of a well-known article that solves Minesweeper with C# and LINQ: the first of four strategies that moves.

1. Obvious mines: a number with as many closed neighbours as it has mines around it; they are flagged.
2. Obvious numbers: a number with as many flags around it as it has mines; its other closed neighbours are opened.
3. Endgame: there are as many flags as mines on the board; every other closed cell is opened.
4. Random: any closed cell without a flag, each as likely as the next. The first click is one of these.

The first two go together in one answer, as far as one answer holds. Where the article is silent: when every
closed cell has a flag, some flags (of other players) are wrong, and all are taken away; in a duel obvious mines are
opened, since there one looks for mines, and there are no flags.
"""

from collections.abc import Iterable, Set

from parlour_bots.minesweeper.position import Position, position
from parlour_bots.sdk import Action, Turn
from parlour_games.minesweeper.actions import MAX_MOVES
from parlour_games.minesweeper.grid import CLOSED, MINE


def play(turn: Turn) -> tuple[Action, str]:
    """Plays the first of an article's four strategies that finds a move; the last of them is chance."""
    here = position(turn.view)
    if turn.view["mode"] == "duel":
        return duel(here, turn)
    flags = obvious_mines(here, here.flags)
    if cells := flags | obvious_numbers(here, here.flags | flags):
        return moves(here, flags, cells - flags), "obvious mines" if flags else "obvious numbers"
    if cells := endgame(here):
        return moves(here, (), cells), "endgame"
    return at_random(here, turn)


def obvious_mines(here: Position, flags: Set[int]) -> set[int]:
    """Return the cells without one of ``flags`` that are mines because a number has no other closed neighbours."""
    found: set[int] = set()
    for cell in here.numbers():
        closed = here.closed(cell)
        if len(closed) == here.hidden(cell):
            found |= closed
    return found - flags


def obvious_numbers(here: Position, flags: Set[int]) -> set[int]:
    """Return the closed cells beside a number that has all its mines among ``flags`` and those set off."""
    found: set[int] = set()
    for cell in here.numbers():
        closed = here.closed(cell)
        if len(closed & flags) == here.hidden(cell):
            found |= closed
    return found - flags


def endgame(here: Position) -> set[int]:
    """Return all closed cells without a flag if there are as many flags as mines; mines that were set off count."""
    if len(here.flags) + here.cells.count(MINE) != here.mines:
        return set()
    return set(unmarked(here))


def at_random(here: Position, turn: Turn) -> tuple[Action, str]:
    """Return the opening of any closed cell without a flag; if there is none, what takes all flags away."""
    if cells := unmarked(here):
        return {"do": "open", "cells": [here.at(turn.rng.choice(cells))]}, "random"
    return {"do": "unflag", "cells": [here.at(cell) for cell in sorted(here.flags)]}, "wrong flags"


def duel(here: Position, turn: Turn) -> tuple[Action, str]:
    """Return the finding of the obvious mines, else a look at any closed cell."""
    if mines := obvious_mines(here, set()):
        return {"do": "open", "cells": [here.at(cell) for cell in sorted(mines)]}, "obvious mines"
    return at_random(here, turn)


def moves(here: Position, flags: Iterable[int], cells: Iterable[int]) -> Action:
    """Return one action that flags ``flags``, then opens ``cells``, as many of them as it holds."""
    steps = [("flag", cell) for cell in sorted(flags)] + [("open", cell) for cell in sorted(cells)]
    return {"do": "seq", "moves": [[verb, *here.at(cell)] for verb, cell in steps[:MAX_MOVES]]}


def unmarked(here: Position) -> list[int]:
    """Return the closed cells without a flag, ascending."""
    return [cell for cell, known in enumerate(here.cells) if known == CLOSED and cell not in here.flags]
