"""A second, simple implementation of parlour-fair/1 and of the deals. It shares no code with ours."""

import hashlib
import hmac
from collections.abc import Iterator
from itertools import combinations


def pack(*fields: bytes) -> bytes:
    packed = b""
    for field in fields:
        packed += len(field).to_bytes(4, "big")
        packed += field
    return packed


def commitment(secret: bytes) -> str:
    return hashlib.sha256(pack(b"parlour-fair/1", b"server", secret)).hexdigest()


def key(secret: bytes, context: str, nonces: list[bytes], deal: int) -> bytes:
    message = pack(b"parlour-fair/1", context.encode(), deal.to_bytes(4, "big"), *nonces)
    return hmac.new(secret, message, hashlib.sha256).digest()


def words(key: bytes, label: str) -> Iterator[int]:
    block = 0
    while True:
        text = b"parlour-fair/1" + b"\x00" + label.encode() + b"\x00" + block.to_bytes(8, "big")
        digest = hmac.new(key, text, hashlib.sha256).digest()
        yield from (int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4))
        block += 1


def below(words: Iterator[int], n: int) -> int:
    for word in words:
        if word < 2**32 - 2**32 % n:
            return word % n
    raise AssertionError("words never end")


def shuffle(words: Iterator[int], items: list[int]) -> None:
    for i in reversed(range(1, len(items))):
        j = below(words, i + 1)
        items[i], items[j] = items[j], items[i]


def deal(key: bytes, seats: int, numbers_only: bool) -> tuple[list[list[int]], int, list[int]]:
    """Return the hands, the first card, and the draw pile from bottom to top."""
    pile = list(range(108))
    shuffle(words(key, "deck"), pile)
    hands = [sorted(pile.pop() for _ in range(7)) for _ in range(seats)]
    times = 0
    while True:
        first = pile.pop()
        is_number = first < 100 and first % 25 <= 18
        if is_number if numbers_only else first < 104:
            return hands, first, pile
        pile = [first, *pile]
        times += 1
        shuffle(words(key, f"reshuffle/{times}"), pile)


def mines(key: bytes, size: tuple[int, int, int], promise: str, first: int, attempt: int) -> list[int]:
    width, height, count = size
    reach = {"any": -1, "safe": 0, "opening": 1, "radius": width // 8}[promise]
    items = []
    for cell in range(width * height):
        far = max(abs(cell % width - first % width), abs(cell // width - first // width))
        if far > reach:
            items.append(cell)
    stream, found = words(key, f"mines/{attempt}"), []
    for _ in range(count):
        j = below(stream, len(items))
        items[j], items[-1] = items[-1], items[j]
        found.append(items.pop())
    return sorted(found)


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
