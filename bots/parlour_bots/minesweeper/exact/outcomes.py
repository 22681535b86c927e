"""Outcomes: what each cell shows in which worlds.

A set of worlds is an int with one bit per world, so that one operation covers all worlds.
"""

from collections.abc import Iterable, Sequence

Cell = tuple[int, int, list[int]]
"""A cell's index, the worlds in which it is a mine, and for each number the worlds in which it shows the number."""
Risky = tuple[int, Cell]
"""The number of worlds in which a cell is a mine, and the cell."""


def outcomes(cells: Sequence[int], around: Sequence[Sequence[int]], found: Sequence[int]) -> list[Cell]:
    """Return what these cells show in these worlds, which come from ``worlds`` and leave out certain mines."""
    size = max(max(cells, default=0) + 1, max(found, default=0).bit_length())
    text = "".join([format(world, f"0{size}b") for world in reversed(found)])
    union = 0
    for world in found:
        union |= world
    mines = [int(text[size - 1 - cell :: size], 2) if union >> cell & 1 else 0 for cell in range(size)]
    every = (1 << len(found)) - 1
    return [
        (place, mines[cell], _numbers(every & ~mines[cell], [mines[near] for near in around[cell] if near < size]))
        for place, cell in enumerate(cells)
    ]


def _numbers(free: int, near: Iterable[int]) -> list[int]:
    """Split the worlds ``free`` by the number of sets ``near`` that contain them; leave out empty parts."""
    digits: list[int] = []
    for carry in near:
        for index, digit in enumerate(digits):
            digits[index], carry = digit ^ carry, digit & carry
            if not carry:
                break
        if carry:
            digits.append(carry)
    parts = [free] if free else []
    for digit in digits:
        parts = [part for each in parts for part in (each & ~digit, each & digit) if part]
    return parts


def split(worlds: int, cell: Cell) -> list[int]:
    """Split the worlds in which the cell is safe by the number it shows."""
    return [part for shown in cell[2] if (part := worlds & shown)]


def opened(worlds: int, live: Sequence[Cell]) -> tuple[list[int], list[Risky]]:
    """Split the worlds by what all safe cells show, and return the parts and the unsure cells, the safest first.

    With a single part no safe cell reveals anything.
    """
    count = worlds.bit_count()
    risks = [(worlds & cell[1]).bit_count() for cell in live]
    unsure = sorted([(risk, cell) for risk, cell in zip(risks, live, strict=True) if 0 < risk < count])
    parts = [worlds]
    for risk, cell in zip(risks, live, strict=True) if 0 in risks else ():
        if risk:
            continue
        parts = [part for each in parts for shown in cell[2] if (part := each & shown)]
        if len(parts) == count:
            break
    return parts, unsure


def distinguishable(pair: int, live: Iterable[Cell]) -> bool:
    """Return whether a cell is safe in both worlds and shows different numbers."""
    for _, mines, sets in live:
        if not pair & mines:
            for shown in sets:
                if both := pair & shown:
                    if both != pair:
                        return True
                    break
    return False
