"""Rough odds for a position that is too large to count."""

from parlour_games.minesweeper.inference.constraints import UNDECIDED, Counting


def risks(counting: Counting, mines: int) -> dict[int, float]:
    """Return for each undecided cell the worst that a single number says of it, else the density of mines."""
    density = min(1.0, (mines - counting.mined) / max(1, counting.undecided))
    found = {cell: density for cell, known in enumerate(counting.known) if known == UNDECIDED}
    worst: dict[int, float] = {}
    for number in counting.active:
        risk = counting.need[number] / counting.free[number]
        for cell in counting.around[number]:
            if cell in found:
                worst[cell] = max(worst.get(cell, 0.0), risk)
    return found | worst


def safest(counting: Counting, mines: int) -> tuple[int, float]:
    """Return the cell that seems safest, and how safe."""
    found = risks(counting, mines)
    cell = min(found, key=lambda cell: (found[cell], cell))
    return cell, 1 - found[cell]
