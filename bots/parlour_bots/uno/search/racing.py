"""Which of several answers is best on average over worlds that they share, without wasting worlds on the worse."""

from collections.abc import Callable
from math import sqrt

import attrs

BATCH = 24
"""Worlds between two looks at the differences."""
CLEARLY = 3.0
"""Standard errors by which an answer must be behind to be given up."""
NEGLIGIBLE = 0.002
"""A lead that is not worth more worlds, once it cannot be much larger."""


@attrs.frozen
class Race:
    """How it ended: the best answer, the mean of each in the worlds it was tried in, the number of worlds dealt."""

    best: int
    means: tuple[float, ...]
    worlds: int
    capped: bool
    """Whether it was broken off before its end."""


def race(
    answers: int, tried: Callable[[list[int]], list[float]], worlds: int, expired: Callable[[], bool] = bool
) -> Race:
    """Try ``answers`` in up to ``worlds`` worlds. ``tried`` deals a world and returns the values of those asked for.

    ``expired`` is asked after each batch whether to break off.
    """
    values: list[list[float]] = [[] for _ in range(answers)]
    alive = list(range(answers))
    dealt, capped = 0, False
    while dealt < worlds and len(alive) > 1 and not capped:
        for _ in range(min(BATCH, worlds - dealt)):
            for answer, value in zip(alive, tried(alive), strict=True):
                values[answer].append(value)
            dealt += 1
        alive = _still_in(alive, values)
        capped = len(alive) > 1 and dealt < worlds and expired()
    means = tuple(sum(each) / len(each) if each else 0.0 for each in values)
    return Race(max(alive, key=means.__getitem__), means, dealt, capped)


def _still_in(alive: list[int], values: list[list[float]]) -> list[int]:
    """Return those that may yet be the best: not clearly behind, nor surely as good as the best."""
    best = max(alive, key=lambda answer: sum(values[answer]))
    return [answer for answer in alive if answer == best or not _settled(values[best], values[answer])]


def _settled(best: list[float], other: list[float]) -> bool:
    n = len(best)
    differences = [one - two for one, two in zip(best, other, strict=True)]
    lead = sum(differences) / n
    error = sqrt(max(0.0, sum([each * each for each in differences]) / n - lead * lead) / n)
    return lead > CLEARLY * error or lead + CLEARLY * error < NEGLIGIBLE
