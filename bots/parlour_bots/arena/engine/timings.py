"""A compact histogram of answer times, exact to three per cent."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil

import attrs

_STEPS = 16
"""Buckets from one power of two to the next."""
_BITS = _STEPS.bit_length()
_MS = 1_000_000
"""Nanoseconds."""


@attrs.define
class Times:
    """The times of many answers: a count per bucket, and the sum in nanoseconds."""

    total: int = 0
    buckets: Counter[int] = attrs.field(factory=Counter)

    @classmethod
    def of(cls, thinking: Iterable[int]) -> "Times":
        """Return the histogram of these times in nanoseconds."""
        times = list(thinking)
        return cls(sum(times), Counter(map(_bucket, times)))

    @classmethod
    def read(cls, numbers: Sequence[int]) -> "Times":
        """Return the histogram that ``numbers`` describe."""
        total, *pairs = numbers
        return cls(total, Counter(dict(zip(pairs[::2], pairs[1::2], strict=True))))

    def numbers(self) -> list[int]:
        """Return the sum, then each bucket and its count."""
        return [self.total, *(number for pair in sorted(self.buckets.items()) for number in pair)]

    def add(self, other: "Times") -> None:
        """Add another histogram."""
        self.total += other.total
        self.buckets.update(other.buckets)

    @property
    def mean(self) -> float | None:
        """Return the average in milliseconds, None without answers."""
        count = self.buckets.total()
        return self.total / count / _MS if count else None

    def percentile(self, share: int) -> float | None:
        """Return this percentile in milliseconds, None without answers."""
        left = max(1, ceil(self.buckets.total() * share / 100))
        for bucket, count in sorted(self.buckets.items()):
            left -= count
            if left <= 0:
                return _middle(bucket) / _MS
        return None


def _bucket(ns: int) -> int:
    """Return the bucket of a time: its power of two, and the sixteenth within."""
    power = max(0, ns.bit_length() - _BITS)
    return power * _STEPS + (ns >> power)


def _middle(bucket: int) -> float:
    power = max(0, bucket // _STEPS - 1)
    return float((bucket - power * _STEPS << power) + (1 << power) / 2)
