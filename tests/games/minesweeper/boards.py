"""Small boards, their positions, and all completions, found by trying each."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

import attrs

from parlour_games.minesweeper.board import CLOSED, MINE, neighbours
from parlour_games.minesweeper.inference import Engine


def seen(width: int, height: int, mines: frozenset[int], opened: set[int], known: frozenset[int]) -> list[int]:
    """Return the position with these safe cells open, zeros flooding, and these mines known."""
    around = neighbours(width, height)
    cells = [CLOSED] * (width * height)
    for cell in known:
        cells[cell] = MINE
    waiting = sorted(opened)
    while waiting:
        cell = waiting.pop()
        if cells[cell] == CLOSED:
            cells[cell] = sum(near in mines for near in around[cell])
            if cells[cell] == 0:
                waiting.extend(around[cell])
    return cells


def completions(width: int, height: int, mines: int, cells: list[int]) -> list[frozenset[int]]:
    """Return all placements that fit, by trying each."""
    around = neighbours(width, height)
    known = frozenset(cell for cell, value in enumerate(cells) if value == MINE)
    closed = [cell for cell, value in enumerate(cells) if value == CLOSED]
    numbers = [(around[cell], value) for cell, value in enumerate(cells) if value >= 0]
    if not 0 <= mines - len(known) <= len(closed):
        return []
    placements = (known.union(chosen) for chosen in combinations(closed, mines - len(known)))
    return [placed for placed in placements if all(sum(near in placed for near in nears) == v for nears, v in numbers)]


def position(rng: Random, width: int, height: int, mines: int) -> list[int]:
    """Return some position of some board: random safe cells open, random mines known."""
    placed = rng.sample(range(width * height), mines)
    safe = [cell for cell in range(width * height) if cell not in placed]
    opened = set(rng.sample(safe, rng.randint(0, len(safe))))
    known = frozenset(rng.sample(placed, rng.randint(0, len(placed)))) if rng.random() < 0.5 else frozenset()
    return seen(width, height, frozenset(placed), opened, known)


@attrs.frozen
class Hidden:
    """A board with its mines."""

    width: int
    height: int
    mines: frozenset[int]

    @classmethod
    def random(cls, rng: Random, width: int, height: int, mines: int) -> "Hidden":
        """Return a random board with this number of mines."""
        return cls(width, height, frozenset(rng.sample(range(width * height), mines)))

    @property
    def safe(self) -> frozenset[int]:
        """Its cells without a mine."""
        return frozenset(range(self.width * self.height)) - self.mines

    def game(self, rng: Random, engine: Engine) -> Iterator[list[int]]:
        """Yield the positions of a match in which ``engine`` opens certainly safe cells, or else any safe cell."""
        opened: set[int] = set()
        cells = [CLOSED] * (self.width * self.height)
        while CLOSED in (cells[cell] for cell in self.safe):
            yield list(cells)
            lucky = [cell for cell in sorted(self.safe) if cells[cell] == CLOSED]
            opened.update(engine.read(cells).safe or [rng.choice(lucky)])
            cells = seen(self.width, self.height, self.mines, opened, frozenset())
