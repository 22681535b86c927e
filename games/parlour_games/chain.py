"""parlour-chain/1: a public hash chain of the matches of a server, so that none can be dropped or changed unseen.

A link is added when a match begins, and another one when it is over. Both name the match by a hash that only those
can compute who have seen its commitment and nonces; the second one holds a hash of the digest of its file. In full::

    match = SHA-256(pack("parlour-chain/1", "match", C, context, nonce of seat 0, nonce of seat 1, …))
    over  = SHA-256(pack("parlour-chain/1", "over", digest))
    hash  = SHA-256(pack("parlour-chain/1", "link", hash of the link before, u64be(n), u64be(at), match, over))

``pack`` is that of parlour-fair/1. Links are numbered from 1. Before the first one the hash is 32 zero bytes. ``at``
is in seconds since 1970. ``over`` is empty while the match is under way.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Literal

import attrs

from parlour_games.fair import pack

_TAG = b"parlour-chain/1"
START = "0" * 64
"""The hash before the first link."""


class BrokenChain(Exception):
    """Link ``n`` is wrong. ``why``: it does not follow from the ones before (hash), or its match is known (match)."""

    def __init__(self, n: int, why: Literal["hash", "match"]) -> None:
        super().__init__(f"link {n} is wrong: {why}")
        self.n, self.why = n, why


@attrs.frozen
class Link:
    """A link of the chain. All hashes are in hex; ``over`` is None where the match begins."""

    n: int
    at: int
    match: str
    over: str | None
    hash: str


def match_id(commit: str, context: str, nonces: Iterable[str]) -> str:
    """Return the hash that names a match. A nonce that was not sent is empty."""
    sent = (bytes.fromhex(nonce) for nonce in nonces)
    return sha256(pack(_TAG, b"match", bytes.fromhex(commit), context.encode(), *sent)).hexdigest()


def over(digest: str) -> str:
    """Return the hash of the digest of a finished match."""
    return sha256(pack(_TAG, b"over", bytes.fromhex(digest))).hexdigest()


def link(before: Link | None, at: int, match: str, over: str | None) -> Link:
    """Return the link that follows ``before``."""
    n = before.n + 1 if before else 1
    number, time = n.to_bytes(8, "big"), at.to_bytes(8, "big")
    was, named, ended = (bytes.fromhex(each) for each in (before.hash if before else START, match, over or ""))
    return Link(n, at, match, over, sha256(pack(_TAG, b"link", was, number, time, named, ended)).hexdigest())


@attrs.define
class CheckedChain:
    """Links that have been checked, from the first one on, and their matches."""

    head: Link | None = None
    begun: dict[str, Link] = attrs.field(factory=dict)
    """By match."""
    over: dict[str, Link] = attrs.field(factory=dict)

    def add(self, found: Link) -> None:
        """Check the next link. Raises BrokenChain."""
        n = self.head.n + 1 if self.head else 1
        try:
            expected = link(self.head, found.at, found.match, found.over)
        except (ValueError, OverflowError):  # a hash is not in hex, or the time is negative
            raise BrokenChain(n, "hash") from None
        if found != expected:
            raise BrokenChain(n, "hash")
        known = self.begun if found.over is None else self.over
        if found.match in known:
            raise BrokenChain(n, "match")
        known[found.match] = self.head = found

    @property
    def under_way(self) -> list[Link]:
        """Return the links of the matches that are not over."""
        return [begun for match, begun in self.begun.items() if match not in self.over]
