"""The audit in small, with a fixed secret: even for the real shuffles, alarmed by each way of getting them wrong."""

import math
from collections.abc import Callable
from typing import TypeAlias

import pytest
from benchmarks.fairness import ALARM, Finding, audit, findings, published, upper_tail
from hypothesis import given
from hypothesis import strategies as st

from parlour_games.fair import Stream, Words

COUNT = 3_000
CERTAIN = 1e-9
"""A p that no even source gives by chance."""


def found(source: Callable[[int], Stream], count: int = COUNT) -> dict[str, float]:
    """Return p by test."""
    return {finding.label: finding.p for finding in findings(audit(count, source))}


class Crooked(Words):
    """Words of eight bits, from which a test picks in its own way."""

    pick: "Pick"

    def below(self, n: int) -> int:
        return type(self).pick(self, n) if n < 2**32 else super().below(n)

    def byte(self) -> int:
        return super().below(2**32) & 255

    def shuffle(self, items: list[int]) -> None:
        self.draw(items, max(len(items) - 1, 0))


Pick: TypeAlias = Callable[[Crooked, int], int]


def rejecting(words: Crooked, n: int) -> int:
    while (byte := words.byte()) >= 256 - 256 % n:
        pass
    return byte % n


def modulo(words: Crooked, n: int) -> int:
    return words.byte() % n


def scaled(words: Crooked, n: int) -> int:
    return words.byte() * n >> 8


def source(words: type[Words]) -> Callable[[int], Stream]:
    """Return randomness like the real one, but for its words."""

    class Spoilt(Stream):
        def label(self, label: str) -> Words:
            return words(self.key, label)

    return lambda number: Spoilt(published(number).key)


def picking(pick: Pick) -> type[Words]:
    return type("Picking", (Crooked,), {"pick": staticmethod(pick)})


class OffByOne(Words):
    """Never leaves a card where it was."""

    def draw(self, items: list[int], count: int) -> list[int]:
        for i in range(len(items) - 1, max(len(items) - 1 - count, 0), -1):
            j = self.below(i)
            items[i], items[j] = items[j], items[i]
        return items[len(items) - count :]

    def shuffle(self, items: list[int]) -> None:
        self.draw(items, max(len(items) - 1, 0))


class FromAnywhere(OffByOne):
    """Swaps every card with any other."""

    def draw(self, items: list[int], count: int) -> list[int]:
        for i in range(len(items) - 1, len(items) - 1 - count, -1):
            j = self.below(len(items))
            items[i], items[j] = items[j], items[i]
        return items[len(items) - count :]


class StopsEarly(Words):
    """Leaves out the last step."""

    def shuffle(self, items: list[int]) -> None:
        self.draw(items, max(len(items) - 2, 0))


class WrongEnd(Words):
    """Takes the mines from the end that was not shuffled."""

    def draw(self, items: list[int], count: int) -> list[int]:
        super().draw(items, count)
        return items[:count]


class LowBits(Words):
    """Uses only the low half of a word, and each twice."""

    _last = -1

    def below(self, n: int) -> int:
        if n < 2**32:
            return super().below(n)
        drawn = self._last if self._last >= 0 else super().below(n) & 0xFFFF
        self._last = -1 if self._last >= 0 else drawn
        return drawn


def test_real_shuffles_are_even() -> None:
    assert all(p > ALARM for p in found(published).values()), found(published)


def test_words_of_eight_bits_are_even_if_those_too_many_are_rejected() -> None:
    ps = found(source(picking(rejecting)))
    assert all(p > ALARM for p in ps.values()), ps


CARDS, FIVE, LAYOUTS, CELLS, FIRST, BYTES, RUNS = (finding.label for finding in findings(audit(60)))


@pytest.mark.parametrize(
    ("words", "alarmed"),
    [
        (picking(modulo), {CARDS}),
        (picking(scaled), {CARDS}),
        (OffByOne, {CARDS, FIVE}),
        (FromAnywhere, {CARDS, FIVE}),
        (StopsEarly, {FIVE}),
        (WrongEnd, {LAYOUTS, CELLS}),
        (LowBits, {BYTES, RUNS}),
    ],
)
def test_crooked_shuffles_are_found(words: type[Words], alarmed: set[str]) -> None:
    ps = found(source(words))
    assert {label for label, p in ps.items() if p < CERTAIN} >= alarmed, ps


# --- the distribution ---


@pytest.mark.parametrize(("statistic", "degrees"), [(3.841459, 1), (18.30704, 10), (124.3421, 100)])
def test_five_per_cent_points(statistic: float, degrees: int) -> None:
    assert upper_tail(statistic, degrees) == pytest.approx(0.05, rel=1e-5)


@given(half=st.integers(1, 60), mean=st.floats(0, 5))
def test_even_degrees_have_a_closed_form(half: int, mean: float) -> None:
    x = mean * half
    exact = math.exp(-x) * math.fsum(x**i / math.factorial(i) for i in range(half))
    assert upper_tail(2 * x, 2 * half) == pytest.approx(exact, rel=1e-9, abs=1e-12)


@given(statistic=st.floats(0, 400))
def test_one_degree_is_a_normal_square(statistic: float) -> None:
    assert upper_tail(statistic, 1) == pytest.approx(math.erfc(math.sqrt(statistic / 2)), rel=1e-9, abs=1e-12)


def test_finding_says_how_rare_it_is() -> None:
    assert Finding("x", 18.30704, 10).p == pytest.approx(0.05, rel=1e-5)
