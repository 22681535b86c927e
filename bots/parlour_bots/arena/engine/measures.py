"""The measures of a contest beside its results: answer times, and the use of language models."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from math import ceil

import attrs
from rich.console import Console
from rich.table import Table

from parlour_protocol.messages import Plain

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


_MILLION = 1_000_000


def shares(usage: Mapping[str, int]) -> Plain:
    """Return the figures of a language model: ``illegal`` is the share of decisions whose first answer was refused."""
    decisions = usage.get("decisions", 0)
    return {
        "decisions": decisions,
        "illegal": usage.get("illegal", 0) / max(1, decisions),
        "fallbacks": usage.get("fallbacks", 0),
        "tokens_in": usage.get("tokens_in", 0),
        "tokens_out": usage.get("tokens_out", 0),
        "cost": usage.get("cost", 0) / _MILLION,
    }


def table(bots: Iterable[tuple[str, Mapping[str, int], float | None]]) -> Table:
    """Return a table of language models: name, what it has used, and the mean milliseconds of a decision."""
    shown = Table(box=None, pad_edge=False)
    shown.add_column("model", no_wrap=True)
    for title in ("decisions", "illegal", "fallbacks", "tokens in", "out", "cost", "s a decision"):
        shown.add_column(title, justify="right", no_wrap=True)
    for name, usage, mean in bots:
        each = shares(usage)
        shown.add_row(
            name,
            f"{each['decisions']:,}",
            f"{each['illegal']:.1%}",
            f"{each['fallbacks']:,}",
            f"{each['tokens_in']:,}",
            f"{each['tokens_out']:,}",
            f"${each['cost']:.4f}" if each["cost"] else "–",
            "–" if mean is None else f"{mean / 1000:.2f}",
        )
    return shown


def drawn(table: Table) -> str:
    """Return a table as text."""
    out = StringIO()
    Console(file=out, width=400).print(table)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())
