"""Audit of parlour-fair/1: χ² tests that it deals uniformly, over a million shuffles and a million boards.

Each statistic is compared with the χ² distribution: p is the probability that a uniform source deviates as much or
more. Counts within one shuffle or board are not independent and vary less than independent counts. The corrections for
this are exact for the mean and the covariance of the counts.

- card by position: of m cards each takes each position 1/m of the time. Counts in a square whose rows and columns are
  fixed have (m - 1)² degrees of freedom and m/(m - 1) of the usual variance.
- orders of five, layouts of a small board: outcomes of equal probability, without correction.
- mines by cell: k of c cells; c - 1 degrees of freedom, and a share of (1 - k/c) · c/(c - 1) of the usual variance.
- first player: label ``start`` below 2 … 10 in turn.
- words: their bytes; and runs, that is, whether a word and its predecessor lie in the same half of the range.
"""

import math
import os
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from itertools import pairwise
from time import perf_counter
from typing import TypeAlias

import attrs
from rich.console import Console
from rich.progress import track

from benchmarks.results import Row, show
from parlour_games.fair import Fair, Stream, Words
from parlour_games.minesweeper.board import Dealt
from parlour_games.minesweeper.options import Shape

COUNT = 1_000_000
PIECES = 20
"""Jobs per part, for the process pool."""
ALARM = 1e-4
"""The audit fails if any p is below this."""
CARDS = 108
FEW = 5
SMALL = Shape(4, 4, 3)
SEATS = range(2, 11)
MIDDLE = 2**31
SECRET = sha256(b"parlour-fair/1 audit").digest()

Source: TypeAlias = Callable[[int], Stream]
"""Deal number → its random stream."""
Counts: TypeAlias = Counter[tuple[str, int, int]]
"""(part, group, value) → count."""


def published(number: int) -> Stream:
    """Return the random stream of a deal, as in every match."""
    return Fair(SECRET, "AUDT/1", (b"", b"")).deal(number)


# --- counting ---


def cards(source: Source, numbers: range) -> Counts:
    """Count the cards at each position of shuffled decks."""
    deck, decks = list(range(CARDS)), bytearray()
    for number in numbers:
        shuffled = deck.copy()
        source(number).label("deck").shuffle(shuffled)
        decks += bytes(shuffled)
    return _tally("cards", {position: Counter(decks[position::CARDS]) for position in range(CARDS)})


def orders(source: Source, numbers: range) -> Counts:
    """Count the orders of five shuffled items."""
    seen: Counter[int] = Counter()
    for number in numbers:
        items = list(range(FEW))
        source(number).label("reshuffle/1").shuffle(items)
        seen[sum(item * FEW**place for place, item in enumerate(items))] += 1
    return _tally("orders", {0: seen})


def boards(source: Source, numbers: range) -> Counts:
    """Count the layouts of small boards, each as the mask of its mines."""
    layouts = Counter(sum(1 << cell for cell in Dealt(source(number)).mines(SMALL, "any", 0, 1)) for number in numbers)
    return _tally("boards", {0: layouts})


def starts(source: Source, numbers: range) -> Counts:
    """Count the first players in rooms of 2 to 10 seats."""
    seen: Counts = Counter()
    for number in numbers:
        seats = SEATS[number % len(SEATS)]
        seen["starts", seats, source(number).label("start").below(seats)] += 1
    return seen


def words(source: Source, numbers: range) -> Counts:
    """Count the bytes of as many words as there are numbers, and how often they change sides of the middle."""
    stream: Words = source(numbers.start).label("deck")
    drawn = array("I", (stream.below(2**32) for _ in numbers))
    sides = [word >= MIDDLE for word in drawn]
    changed = Counter(int(one != other) for one, other in pairwise(sides))
    return _tally("bytes", {0: Counter(drawn.tobytes())}) + _tally("runs", {0: changed})


def _tally(part: str, groups: Mapping[int, Counter[int]]) -> Counts:
    return Counter({(part, group, value): n for group, seen in groups.items() for value, n in seen.items()})


# --- tests ---


@attrs.frozen
class Finding:
    """One χ² test."""

    label: str
    statistic: float
    degrees: int

    @property
    def p(self) -> float:
        """Return the probability that chance alone gives a statistic at least as large."""
        return upper_tail(self.statistic, self.degrees)


def findings(counts: Counts) -> Iterator[Finding]:
    """Yield the tests of all counts."""
    by_group: dict[tuple[str, int], list[int]] = {}
    for (part, group, _), n in counts.items():
        by_group.setdefault((part, group), []).append(n)
    decks = [_chi_squared(by_group["cards", position], CARDS) for position in range(CARDS)]
    yield Finding("card by position", sum(decks) * (CARDS - 1) / CARDS, (CARDS - 1) ** 2)
    five = math.factorial(FEW)
    yield Finding("orders of five cards", _chi_squared(by_group["orders", 0], five), five - 1)
    layouts = math.comb(SMALL.cells, SMALL.mines)
    yield Finding("layouts of 4×4 with 3 mines", _chi_squared(by_group["boards", 0], layouts), layouts - 1)
    yield _mines_by_cell(counts)
    first = [_chi_squared(by_group["starts", seats], seats) for seats in SEATS]
    yield Finding("first player, 2 to 10 seats", sum(first), sum(seats - 1 for seats in SEATS))
    yield Finding("bytes of the words", _chi_squared(by_group["bytes", 0], 256), 255)
    yield Finding("runs of the words", _chi_squared(by_group["runs", 0], 2), 1)


def _chi_squared(seen: list[int], kinds: int) -> float:
    """Return Σ (seen - expected)² / expected over ``kinds`` outcomes of equal probability; ``seen`` omits zeros."""
    expected = sum(seen) / kinds
    return sum(n * n for n in seen) / expected - sum(seen)


def _mines_by_cell(counts: Counts) -> Finding:
    mines = Counter[int]()
    for (part, _, layout), n in counts.items():
        if part == "boards":
            for cell in range(SMALL.cells):
                mines[cell] += n * (layout >> cell & 1)
    share = (1 - SMALL.mines / SMALL.cells) * SMALL.cells / (SMALL.cells - 1)
    return Finding("mines by cell", _chi_squared([*mines.values()], SMALL.cells) / share, SMALL.cells - 1)


def upper_tail(statistic: float, degrees: int) -> float:
    """Return P(χ² ≥ statistic): the upper regularised incomplete gamma function Q(degrees/2, statistic/2).

    Below the mean it uses the power series of the complement, above it Legendre's continued fraction
    (DLMF 8.7.1, 8.9.2).
    """
    a, x = degrees / 2, statistic / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = 0
        while term > total * 1e-16:
            n += 1
            term *= x / (a + n)
            total += term
        return 1 - scale * total
    depth = int(200 + 20 * math.sqrt(a))
    tail = 0.0
    for n in range(depth, 0, -1):
        tail = n * (n - a) / (x + 2 * n + 1 - a - tail)
    return scale / (x + 1 - a - tail)


# --- the audit ---


def audit(count: int, source: Source = published) -> Counts:
    """Count ``count`` samples of each part, in this process."""
    numbers = range(1, count + 1)
    return sum((part(source, numbers) for part in PARTS), Counts())


def measure(count: int = COUNT) -> Iterator[Row]:
    """Yield the result of each test, then the total time. Raises AssertionError if a p is below ALARM."""
    began = perf_counter()
    size = count // PIECES
    pieces = [(part, range(at, at + size)) for part in PARTS for at in range(1, size * PIECES, size)]
    counts: Counts = Counter()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        done = pool.map(_piece, pieces)
        console = Console(stderr=True)
        for found in track(
            done, "auditing", len(pieces), console=console, transient=True, disable=not console.is_terminal
        ):
            counts.update(found)
    for finding in findings(counts):
        assert finding.p > ALARM, finding
        unit = f"χ², {finding.degrees:,} degrees of freedom, p = {finding.p:.3f}"
        yield f"parlour-fair/1, {count:,}: {finding.label}", finding.statistic, unit
    yield f"parlour-fair/1, {count:,} of each: the whole audit", perf_counter() - began, "s"


def _piece(piece: tuple[Callable[[Source, range], Counts], range]) -> Counts:
    part, numbers = piece
    return part(published, numbers)


PARTS = (cards, orders, boards, starts, words)


if __name__ == "__main__":
    show(measure())
