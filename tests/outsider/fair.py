"""``parlour-fair/1``: commitments, and the random numbers that a match is dealt with."""

import hmac
from collections.abc import Iterator, MutableSequence, Sequence
from hashlib import sha256
from itertools import count
from typing import TypeVar

TAG = b"parlour-fair/1"
Item = TypeVar("Item")


def fields(*contents: bytes) -> bytes:
    """Join byte strings, each after its length."""
    return b"".join(len(content).to_bytes(4, "big") + content for content in contents)


def commitment(secret: bytes) -> str:
    """Return C for the secret S."""
    return sha256(fields(TAG, b"server", secret)).hexdigest()


class Deal:
    """The streams of one deal, each selected by its label."""

    def __init__(self, secret: bytes, context: str, number: int, nonces: Sequence[bytes]) -> None:
        message = fields(TAG, context.encode(), number.to_bytes(4, "big"), *nonces)
        self._key = hmac.digest(secret, message, "sha256")

    def below(self, label: str, limit: int) -> int:
        """Return the first number of a label that is below ``limit``."""
        return _below(self._words(label), limit)

    def large(self, label: str, limit: int) -> int:
        """Return the first number below ``limit`` that several words of a label make together."""
        words = self._words(label)
        size = 1
        while 2 ** (32 * size) < limit:
            size += 1
        space = 2 ** (32 * size)
        while True:
            number = 0
            for _ in range(size):
                number = number * 2**32 + next(words)
            if number < space - space % limit:
                return number % limit

    def shuffle(self, label: str, items: MutableSequence[Item]) -> None:
        """Shuffle in place."""
        self.draw(label, items, len(items))

    def draw(self, label: str, items: MutableSequence[Item], number: int) -> MutableSequence[Item]:
        """Shuffle the last ``number`` places, and return what is there."""
        words = self._words(label)
        first = len(items) - number
        for place in range(len(items) - 1, max(first, 1) - 1, -1):
            other = _below(words, place + 1)
            items[place], items[other] = items[other], items[place]
        return items[first:]

    def _words(self, label: str) -> Iterator[int]:
        for number in count():
            message = TAG + b"\0" + label.encode() + b"\0" + number.to_bytes(8, "big")
            block = hmac.digest(self._key, message, "sha256")
            yield from (int.from_bytes(block[place : place + 4], "big") for place in range(0, 32, 4))


def _below(words: Iterator[int], limit: int) -> int:
    for word in words:
        if word < 2**32 - 2**32 % limit:
            return word % limit
    raise AssertionError("words never end")
