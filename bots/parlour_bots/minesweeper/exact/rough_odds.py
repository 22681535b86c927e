"""Approximate odds for positions that are too large to count."""

from parlour_games.minesweeper.inference.constraints import UNDECIDED, Constraints


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
