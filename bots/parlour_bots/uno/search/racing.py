"""Find the best of several answers on average over common worlds, dropping the worse ones early."""

from collections.abc import Callable
from math import sqrt

import attrs

BATCH = 24
"""Worlds between two comparisons."""
CLEARLY = 3.0
"""Standard errors by which an answer must be behind to be dropped."""
NEGLIGIBLE = 0.002
"""A lead that is not worth further worlds."""


@attrs.frozen
class Race:
    """The result: the best answer, the mean of each in its worlds, and the number of worlds."""

    best: int
    means: tuple[float, ...]
    worlds: int
    capped: bool
    """Whether time ran out."""


def race(
    answers: int, tried: Callable[[list[int]], list[float]], worlds: int, expired: Callable[[], bool] = bool
) -> Race:
    """Compare ``answers`` in up to ``worlds`` worlds.

    ``tried`` deals a world and returns the values of the requested answers. ``expired`` is called after each batch and
    returns whether to stop.
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
    """Return the answers still in the race: neither clearly worse nor practically equal to the best."""
    best = max(alive, key=lambda answer: sum(values[answer]))
    return [answer for answer in alive if answer == best or not _settled(values[best], values[answer])]


def _settled(best: list[float], other: list[float]) -> bool:
    n = len(best)
    differences = [one - two for one, two in zip(best, other, strict=True)]
    lead = sum(differences) / n
    error = sqrt(max(0.0, sum([each * each for each in differences]) / n - lead * lead) / n)
    return lead > CLEARLY * error or lead + CLEARLY * error < NEGLIGIBLE
