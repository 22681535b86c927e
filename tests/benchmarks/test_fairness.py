"""A small audit with a fixed secret: it passes for the real shuffles and fails for each wrong one."""

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from benchmarks.fairness import ALARM, Finding, audit, findings, published, upper_tail
from hypothesis import given
from hypothesis import strategies as st

from parlour_games.fair import Stream, Words

CERTAIN = 1e-9
"""A p that a uniform source practically never gives."""


def found(source: Callable[[int], Stream]) -> dict[str, float]:
    """Return the p of each test by its label."""
    return {finding.label: finding.p for finding in findings(audit(3_000, source))}


class Biased(Words):
    """A biased source: words of eight bits, mapped to a range by the function ``pick``."""

    pick: "Pick"

    def below(self, n: int) -> int:
        return type(self).pick(self, n) if n < 2**32 else super().below(n)

    def byte(self) -> int:
        return super().below(2**32) & 255

    def shuffle(self, items: list[int]) -> None:
        self.draw(items, max(len(items) - 1, 0))


Pick: TypeAlias = Callable[[Biased, int], int]


def rejecting(words: Biased, n: int) -> int:
    while (byte := words.byte()) >= 256 - 256 % n:
        pass
    return byte % n


def source(words: type[Words]) -> Callable[[int], Stream]:
    """Return a source like the real one, with other words."""

    class BiasedStream(Stream):
        def label(self, label: str) -> Words:
            return words(self.key, label)

    return lambda number: BiasedStream(published(number).key)


def picking(pick: Pick) -> type[Words]:
    return type("Picking", (Biased,), {"pick": staticmethod(pick)})


class OffByOne(Words):
    """Never leaves a card in its place (Sattolo's algorithm)."""

    def draw(self, items: list[Any], count: int) -> list[Any]:
        for i in range(len(items) - 1, max(len(items) - 1 - count, 0), -1):
            j = self.below(self.bound(i, len(items)))
            items[i], items[j] = items[j], items[i]
        return items[len(items) - count :]

    def shuffle(self, items: list[int]) -> None:
        self.draw(items, max(len(items) - 1, 0))

    def bound(self, i: int, size: int) -> int:
        return i


class FromAnywhere(OffByOne):
    """Swaps each card with any card: the classic wrong shuffle."""

    def bound(self, i: int, size: int) -> int:
        return size


class StopsEarly(Words):
    """Omits the last step of the shuffle."""

    def shuffle(self, items: list[int]) -> None:
        self.draw(items, max(len(items) - 2, 0))


class WrongEnd(Words):
    """Takes the mines from the end that is not shuffled."""

    def draw(self, items: list[Any], count: int) -> list[Any]:
        super().draw(items, count)
        return items[:count]


class LowBits(Words):
    """Uses only the low half of each word, and each word twice."""

    _last = -1

    def below(self, n: int) -> int:
        if n < 2**32:
            return super().below(n)
        drawn = self._last if self._last >= 0 else super().below(n) & 0xFFFF
        self._last = -1 if self._last >= 0 else drawn
        return drawn


@pytest.mark.parametrize("right", [published, source(picking(rejecting))], ids=["real", "eight bits with rejection"])
def test_right_shuffles_pass(right: Callable[[int], Stream]) -> None:
    ps = found(right)
    assert all(p > ALARM for p in ps.values()), ps


CARDS, FIVE, LAYOUTS, CELLS, FIRST, BYTES, RUNS = (finding.label for finding in findings(audit(60)))


@pytest.mark.parametrize(
    ("words", "failing"),
    [
        (picking(lambda words, n: words.byte() % n), {CARDS}),
        pytest.param(picking(lambda words, n: words.byte() * n >> 8), {CARDS}, marks=pytest.mark.long),
        pytest.param(OffByOne, {CARDS, FIVE}, marks=pytest.mark.long),
        (FromAnywhere, {CARDS, FIVE}),
        pytest.param(StopsEarly, {FIVE}, marks=pytest.mark.long),
        (WrongEnd, {LAYOUTS, CELLS}),
        (LowBits, {BYTES, RUNS}),
    ],
)
def test_biased_shuffles_fail(words: type[Words], failing: set[str]) -> None:
    ps = found(source(words))
    assert {label for label, p in ps.items() if p < CERTAIN} >= failing, ps


@pytest.mark.parametrize(("statistic", "degrees"), [(3.841459, 1), (18.30704, 10), (124.3421, 100)])
def test_p_is_the_upper_tail_at_the_95th_percentile(statistic: float, degrees: int) -> None:
    assert Finding("x", statistic, degrees).p == pytest.approx(0.05, rel=1e-5)


@given(half=st.integers(1, 60), mean=st.floats(0, 5))
def test_upper_tail_for_even_degrees_equals_the_closed_form(half: int, mean: float) -> None:
    x = mean * half
    exact = math.exp(-x) * math.fsum(x**i / math.factorial(i) for i in range(half))
    assert upper_tail(2 * x, 2 * half) == pytest.approx(exact, rel=1e-9, abs=1e-12)


@given(statistic=st.floats(0, 400))
def test_upper_tail_for_one_degree_equals_the_normal_distribution(statistic: float) -> None:
    assert upper_tail(statistic, 1) == pytest.approx(math.erfc(math.sqrt(statistic / 2)), rel=1e-9, abs=1e-12)
