"""Allocations: the ways to distribute a component's mines over its groups of cells."""

from collections.abc import Iterator

from parlour_games.minesweeper.inference.frontier import Shape


def allocations(shape: Shape) -> Iterator[list[int]]:
    """Yield the number of mines per group for each allocation that satisfies the numbers."""
    needs = list(shape.needs)
    room = [0] * len(needs)
    for size, touching in zip(shape.sizes, shape.touching, strict=True):
        for number in touching:
            room[number] += size
    placed = [0] * len(shape.sizes)

    def place(group: int) -> Iterator[list[int]]:
        if group == len(placed):
            yield placed
            return
        size, touching = shape.sizes[group], shape.touching[group]
        for number in touching:
            room[number] -= size
        low = max(0, max(needs[number] - room[number] for number in touching))
        high = min(size, min(needs[number] for number in touching))
        for mines in range(low, high + 1):
            for number in touching:
                needs[number] -= mines
            placed[group] = mines
            yield from place(group + 1)
            for number in touching:
                needs[number] += mines
        for number in touching:
            room[number] += size

    return place(0)
