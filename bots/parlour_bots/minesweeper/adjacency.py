"""``adjacency``: the player of another article, which flags and reveals, then compares adjacent numbers.

1. The first click is the top left cell.
2. Flag and reveal: the obvious mines and the obvious numbers, like the player ``article``.
3. The adjacency test: take two adjacent open numbers and the mines that each lacks beyond its flags. If the closed
   neighbours of one are a proper subset of those of the other, and both lack the same, the other's additional closed
   neighbours are safe. (Comparing any two such sets would win three times as many expert boards, but is not what the
   article does.)
4. Random: any closed cell without a flag.
"""

from collections.abc import Iterator

import attrs

from parlour_bots.boards import BoardPosition, position
from parlour_bots.minesweeper.article import at_random, duel, moves, obvious_mines, obvious_numbers
from parlour_bots.sdk import Action, Turn
from parlour_games.minesweeper.board import neighbours

TOP_LEFT = 0


def play(turn: Turn) -> tuple[Action, str]:
    """Flags and opens around single numbers, compares adjacent numbers, and guesses: the player of a second article."""
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
    """The closed, unflagged neighbours of an open number, and the mines it lacks among them."""

    lacks: int
    closed: frozenset[int]


def adjacent(here: BoardPosition) -> set[int]:
    """Return the safe cells found by the adjacency test."""
    safe: set[int] = set()
    for one, other in _pairs(here):
        if one.lacks == other.lacks and one.closed < other.closed:
            safe |= other.closed - one.closed
    return safe


def _pairs(here: BoardPosition) -> Iterator[tuple[Border, Border]]:
    """Yield all pairs of adjacent numbers with closed neighbours, in both orders."""
    borders = {cell: border for cell in here.numbers() if (border := _border(here, cell)).closed}
    around = neighbours(here.width, here.height)
    for cell, border in borders.items():
        for near in around[cell]:
            if near in borders:
                yield border, borders[near]


def _border(here: BoardPosition, cell: int) -> Border:
    closed = here.closed(cell)
    return Border(here.hidden(cell) - len(closed & here.flags), closed - here.flags)
