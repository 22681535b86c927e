"""What the players of an outsider do: legal acts of every kind, sensible enough that matches end."""

from collections.abc import Iterator
from random import Random
from typing import Any

Map = dict[str, Any]
Cell = tuple[int, int]


def answer(turn: Map, rng: Random) -> int | Map:
    """Choose an act for a ``turn``."""
    if turn["game"] == "minesweeper":
        return _mines(turn["view"], rng)
    legal = turn["legal"]
    plays = [number for number, act in enumerate(legal) if act["do"] == "play"]
    number = rng.choice(plays if plays and rng.random() < 0.9 else range(len(legal)))
    act: Map = legal[number]
    return number if rng.random() < 0.5 else act


def react(may: list[Map], rng: Random) -> Iterator[tuple[int, Map]]:
    """Choose among optional decisions."""
    for offer in may:
        if rng.random() < 0.4:
            yield offer["rid"], rng.choice(offer["legal"])


def recorded(act: int | Map, turn: Map) -> Map:
    """Return the action in full that an ``act`` stands for."""
    if not isinstance(act, int):
        return act
    if "legal" in turn:
        chosen: Map = turn["legal"][act]
        return chosen
    return {"do": "open", "cells": [[act % turn["view"]["width"], act // turn["view"]["width"]]]}


def _mines(view: Map, rng: Random) -> int | Map:
    rows, width, height = view["rows"], view["width"], view["height"]
    closed = [(x, y) for y in range(height) for x in range(width) if rows[y][x] == "."]
    duel = view["mode"] == "duel"
    if duel:
        me = view["players"][view["turn"]]
        if me.get("bomb") == "ready" and rng.random() < 0.5:
            return {"do": "bomb", "at": list(rng.choice(closed))}
    safe, mines = _certain(rows, width, height)
    if duel:
        cells = sorted(mines) or [rng.choice(closed)]
        return {"do": "open", "cells": [list(cell) for cell in cells[: rng.randint(1, 3)]]}
    if mines and rng.random() < 0.5:
        return _flags_and_chords(rows, width, height, sorted(mines), rng)
    if safe and rng.random() < 0.95:
        cells = sorted(safe)
        return {"do": "open", "cells": [list(cell) for cell in cells[: rng.randint(1, 8)]]}
    x, y = rng.choice(closed or [(0, 0)])
    return int(y * width + x)


def _flags_and_chords(rows: list[str], width: int, height: int, mines: list[Cell], rng: Random) -> Map:
    """Flag mines; sometimes with a chord and an ``unflag`` in the same act."""
    if rng.random() < 0.5:
        return {"do": "flag", "cells": [list(cell) for cell in mines[: rng.randint(1, 4)]]}
    x, y = rng.choice(mines)
    numbers = [cell for cell in _around(x, y, width, height) if rows[cell[1]][cell[0]].isdigit()]
    moves: list[list[object]] = [["flag", x, y], *(["chord", *cell] for cell in numbers[:2])]
    if rng.random() < 0.2:
        moves += [["unflag", x, y]]
    return {"do": "seq", "moves": moves}


def _certain(rows: list[str], width: int, height: int) -> tuple[set[Cell], set[Cell]]:
    """Return closed cells that one number proves safe, and those that one number proves mines."""
    safe: set[Cell] = set()
    mines: set[Cell] = set()
    for y, row in enumerate(rows):
        for x, char in enumerate(row):
            if not char.isdigit() or char == "0":
                continue
            around = [(cell, rows[cell[1]][cell[0]]) for cell in _around(x, y, width, height)]
            closed = [cell for cell, char in around if char == "."]
            known = sum(char in "F*AB" for _, char in around)
            if int(char) == known:
                safe.update(closed)
            elif int(char) == known + len(closed):
                mines.update(closed)
    return safe, mines


def _around(x: int, y: int, width: int, height: int) -> list[Cell]:
    return [
        (i, j)
        for j in range(max(0, y - 1), min(height, y + 2))
        for i in range(max(0, x - 1), min(width, x + 2))
        if (i, j) != (x, y)
    ]
