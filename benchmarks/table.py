"""The shape of results: a row says what was measured, the number, its unit; a target also what it has to be."""

from collections.abc import Iterable
from typing import TypeAlias

import attrs

Row = tuple[str, float, str]


@attrs.frozen
class Target:
    """A number that has to be at most ``must`` and should be at most ``aim``; with ``more`` at least that."""

    label: str
    value: float
    unit: str
    must: float
    aim: float
    more: bool = False

    @property
    def verdict(self) -> str:
        """Return how far it gets: to what it has to be, to what it should be, or to neither."""
        sign = -1 if self.more else 1
        if sign * self.value > sign * self.must:
            return "MISSED"
        return "met" if sign * self.value > sign * self.aim else "aim met"


Result: TypeAlias = Row | Target
_WIDTH = 72


def show(results: Iterable[Result]) -> list[Target]:
    """Print rows as they come; return the targets among them."""
    targets = []
    for each in results:
        if isinstance(each, Target):
            targets.append(each)
        label, value, unit = (each.label, each.value, each.unit) if isinstance(each, Target) else each
        print(f"{label:<{_WIDTH}} {number(value):>12} {unit}", flush=True)
    return targets


def summary(targets: Iterable[Target]) -> Iterable[str]:
    """Yield the table of targets."""
    yield f"{'targets':<{_WIDTH}} {'measured':>12} {'must':>8} {'aim':>8}"
    for each in targets:
        bounds = (("≥ " if each.more else "≤ ") + number(bound) for bound in (each.must, each.aim))
        must, aim = bounds
        label = f"{each.label}, {each.unit}" if each.unit else each.label
        yield f"{label:<{_WIDTH}} {number(each.value):>12} {must:>8} {aim:>8}  {each.verdict}"


def number(value: float) -> str:
    """Return a number with as many digits as say something."""
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f}"
