"""A second implementation of parlour-fair/1 and of the deals: the code of SPEC.md, and the rest in simple words."""

from itertools import combinations
from typing import Any

from tests.protocol import spec

_code: dict[str, Any] = {}
for _part in ("Fairness", "Fairness/Making a board"):
    exec(compile(spec.code(_part, "python"), "SPEC.md", "exec"), _code)
commitment, deal_key, words, below, shuffled = (
    _code[name] for name in ("commitment", "deal_key", "words", "below", "shuffled")
)


def deal(key: bytes, seats: int, numbers_only: bool) -> tuple[list[list[int]], int, list[int]]:
    """Return the hands, the first card, and the draw pile from bottom to top."""
    pile = shuffled(words(key, "deck"), list(range(108)))
    hands = [sorted(pile.pop() for _ in range(7)) for _ in range(seats)]
    times = 0
    while True:
        first = pile.pop()
        is_number = first < 100 and first % 25 <= 18
        if is_number if numbers_only else first < 104:
            return hands, first, pile
        times += 1
        pile = shuffled(words(key, f"reshuffle/{times}"), [first, *pile])


def mines(key: bytes, size: tuple[int, int, int], promise: str, first: int, attempt: int) -> list[int]:
    width, height, count = size
    reach = {"any": -1, "safe": 0, "opening": 1, "radius": width // 8}[promise]
    at = first % width, first // width
    return sorted(_code["mines"](key, width, height, count, at, reach, attempt))


def needs_no_guess(layout: list[int], size: tuple[int, int, int], first: int) -> bool:
    """Whether deduction alone clears a small board, by trying every placement that fits the open cells."""
    width, height, count = size
    cells = range(width * height)
    near = [
        {n for n in cells if n != c and max(abs(n % width - c % width), abs(n // width - c // width)) == 1}
        for c in cells
    ]
    placements = [frozenset(placed) for placed in combinations(cells, count)]
    mined, open_cells, todo = frozenset(layout), set[int](), {first}
    while todo:
        for cell in todo:
            open_cells.add(cell)
            number = len(near[cell] & mined)
            placements = [p for p in placements if cell not in p and len(near[cell] & p) == number]
        possible = frozenset().union(*placements)
        todo = set(cells) - possible - open_cells
    return len(open_cells) == width * height - count
