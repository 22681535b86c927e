"""The player of another article: flag and reveal as long as that goes, then look at two numbers side by side.

1. The first click is the top left cell.
2. Flag and reveal: the obvious mines and the obvious numbers, as the player ``article`` finds them.
3. The adjacency test. Take two open numbers that touch, and what each still lacks once its flags are counted. If all
   closed neighbours of the one are neighbours of the other too, and both lack the same, the mines are among those:
   what else is closed beside the other is safe. (The wider test that compares any two such sets of neighbours would
   win three times as many expert boards; it is not that player's.)
4. Random: any closed cell without a flag.
"""

from collections.abc import Iterator

import attrs

from parlour_bots.minesweeper.article import at_random, duel, moves, obvious_mines, obvious_numbers
from parlour_bots.minesweeper.position import Position, position
from parlour_bots.sdk import Action, Turn
from parlour_games.minesweeper.grid import neighbours

TOP_LEFT = 0


def play(turn: Turn) -> tuple[Action, str]:
    """Flags and opens around single numbers, compares neighbouring ones, and guesses: a second article's player."""
    here = position(turn.view)
    if turn.view["mode"] == "duel":
        return duel(here, turn)
    if turn.view["phase"] == "new" and TOP_LEFT not in here.flags:
        return {"do": "open", "cells": [here.at(TOP_LEFT)]}, "first click"
    flags = obvious_mines(here, here.flags)
    if cells := flags | obvious_numbers(here, here.flags | flags):
        return moves(here, flags, cells - flags), "flag and reveal"
    if safe := adjacent(here):
        return moves(here, (), safe), "adjacency"
    return at_random(here, turn)


@attrs.frozen
class Border:
    """An open number's closed neighbours without a flag, and how many mines it lacks among them."""

    lacks: int
    closed: frozenset[int]


def adjacent(here: Position) -> set[int]:
    """Return the safe cells that the adjacency test finds."""
    safe: set[int] = set()
    for one, other in _pairs(here):
        if one.lacks == other.lacks and one.closed < other.closed:
            safe |= other.closed - one.closed
    return safe


def _pairs(here: Position) -> Iterator[tuple[Border, Border]]:
    """Yield every two numbers side by side that have closed neighbours, each way round."""
    borders = {cell: border for cell in here.numbers() if (border := _border(here, cell)).closed}
    around = neighbours(here.width, here.height)
    for cell, border in borders.items():
        for near in around[cell]:
            if near in borders:
                yield border, borders[near]


def _border(here: Position, cell: int) -> Border:
    closed = here.closed(cell)
    return Border(here.hidden(cell) - len(closed & here.flags), closed - here.flags)
