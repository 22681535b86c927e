"""parlour-fair/1: derive all randomness of a match from one committed secret.

The server draws a secret S of 32 bytes per match and publishes ``commitment(S)`` before anyone can act. Seats may add
nonces. Both are fixed when the match starts, and S is revealed when it is over. With S, the context and the nonces
anyone can derive every deal again. In full::

    pack(a, b, …) = for each field: u32be(length) ‖ field
    C     = SHA-256(pack("parlour-fair/1", "server", S))
    K_d   = HMAC-SHA-256(S, pack("parlour-fair/1", context, u32be(d), nonce of seat 0, nonce of seat 1, …))
    block = HMAC-SHA-256(K_d, "parlour-fair/1" ‖ 00 ‖ label ‖ 00 ‖ u64be(j)),   j = 0, 1, 2 …

Each block gives eight u32 big-endian words. ``context`` is "ROOM/MATCH", for example ``K7QD/1``.
"""

import struct
from collections.abc import Sequence
from hashlib import sha256
from hmac import digest as hmac
from typing import Any, TypeVar

TAG = b"parlour-fair/1"
SECRET_BYTES = 32

_NEVER_REJECTED = 2**32 - 256
_INNER_PAD = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD = bytes(byte ^ 0x5C for byte in range(256))

Item = TypeVar("Item")


def pack(*fields: bytes) -> bytes:
    """Join fields, each after its length as a big-endian u32, so that no two lists of fields collide."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def commitment(secret: bytes) -> str:
    """Return C, the hex SHA-256 that commits the server to ``secret`` before the match starts."""
    return sha256(pack(TAG, b"server", secret)).hexdigest()


class Words:
    """An endless stream of u32 words for one label of one deal, computed in blocks of eight."""

    __slots__ = ("_block", "_inner", "_outer", "_words")

    def __init__(self, key: bytes, label: str) -> None:
        # HMAC spelled out (RFC 2104): copying the two hash states that all blocks share halves the time of a shuffle.
        padded = key.ljust(64, b"\0")
        self._inner = sha256(padded.translate(_INNER_PAD) + TAG + b"\0" + label.encode() + b"\0")
        self._outer = sha256(padded.translate(_OUTER_PAD))
        self._block = 0
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """Return a uniform integer in [0, n), 1 ≤ n ≤ 2³². Words that would bias the result are skipped."""
        limit = 2**32 - 2**32 % n
        while True:
            self._fill(1)
            word = self._words.pop(0)
            if word < limit:
                return word % n

    def large(self, n: int) -> int:
        """Return a uniform integer in [0, n) for any n ≥ 1: ``below`` with several words joined, as few as will do."""
        count = max(1, -(-(n - 1).bit_length() // 32))
        limit = 2 ** (32 * count) - 2 ** (32 * count) % n
        while True:
            self._fill(count)
            word = int.from_bytes(struct.pack(f">{count}I", *self._words[:count]), "big")
            del self._words[:count]
            if word < limit:
                return word % n

    def shuffle(self, items: list[Any]) -> None:
        """Shuffle in place: Fisher-Yates with one ``below(i + 1)`` for each i from the last index down to 1."""
        last = len(items) - 1
        self._fill(last)
        if last >= 256 or max(self._words, default=0) >= _NEVER_REJECTED:
            for i in range(last, 0, -1):
                j = self.below(i + 1)
                items[i], items[j] = items[j], items[i]
            return
        for i, word in zip(range(last, 0, -1), self._words, strict=False):
            j = word % (i + 1)
            items[i], items[j] = items[j], items[i]
        del self._words[: max(last, 0)]

    def draw(self, items: list[Item], count: int) -> list[Item]:
        """Return ``count`` of ``items``: do the first ``count`` steps of ``shuffle``, and return the last ``count``."""
        self._fill(count)
        for i in range(len(items) - 1, len(items) - 1 - count, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items[len(items) - count :]

    def _fill(self, count: int) -> None:
        """Compute blocks until at least ``count`` words are ready."""
        blocks = -(-(count - len(self._words)) // 8)
        if blocks <= 0:
            return
        digests = b""
        for number in range(self._block, self._block + blocks):
            inner = self._inner.copy()
            inner.update(number.to_bytes(8, "big"))
            outer = self._outer.copy()
            outer.update(inner.digest())
            digests += outer.digest()
        self._words += struct.unpack(f">{8 * blocks}I", digests)
        self._block += blocks


class Stream:
    """The randomness of one deal, split by label. The same label always gives the same words."""

    __slots__ = ("key",)

    def __init__(self, key: bytes) -> None:
        self.key = key
        """K of the deal. All its randomness can be derived from it."""

    def label(self, label: str) -> Words:
        """Return the words of ``label`` (``deck``, ``start``, ``reshuffle/1``, ``mines/1`` …) from the start."""
        return Words(self.key, label)


class Fair:
    """The randomness of one match. Keep it as secret as a hand: it determines every card to come."""

    __slots__ = ("_context", "_nonces", "_secret")

    def __init__(self, secret: bytes, context: str, nonces: Sequence[bytes]) -> None:
        self._secret = secret
        self._context = context.encode()
        self._nonces = tuple(nonces)

    def deal(self, number: int) -> Stream:
        """Return the stream of deal ``number``, counted from 1. UNO deals once per round."""
        message = pack(TAG, self._context, number.to_bytes(4, "big"), *self._nonces)
        return Stream(hmac(self._secret, message, "sha256"))
