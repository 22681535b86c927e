"""The results of benchmarks: a row is a label, a value and a unit; a target also has bounds."""

from collections.abc import Iterable
from typing import TypeAlias

import attrs

Row = tuple[str, float, str]


@attrs.frozen
class Target:
    """A value that must be at most ``must`` and should be at most ``aim``; with ``more``, at least."""

    label: str
    value: float
    unit: str
    must: float
    aim: float
    more: bool = False

    @property
    def verdict(self) -> str:
        """Return whether the value misses ``must``, meets it, or meets ``aim``, too."""
        sign = -1 if self.more else 1
        if sign * self.value > sign * self.must:
            return "MISSED"
        return "met" if sign * self.value > sign * self.aim else "aim met"


Result: TypeAlias = Row | Target
_WIDTH = 72


def show(results: Iterable[Result]) -> list[Target]:
    """Print each result when it arrives; return the targets."""
    targets = []
    for each in results:
        if isinstance(each, Target):
            targets.append(each)
        label, value, unit = (each.label, each.value, each.unit) if isinstance(each, Target) else each
        print(f"{label:<{_WIDTH}} {number(value):>12} {unit}", flush=True)
    return targets


def summary(targets: Iterable[Target]) -> Iterable[str]:
    """Yield the lines of the table of targets."""
    yield f"{'targets':<{_WIDTH}} {'measured':>12} {'must':>8} {'aim':>8}"
    for each in targets:
        bounds = (("≥ " if each.more else "≤ ") + number(bound) for bound in (each.must, each.aim))
        must, aim = bounds
        label = f"{each.label}, {each.unit}" if each.unit else each.label
        yield f"{label:<{_WIDTH}} {number(each.value):>12} {must:>8} {aim:>8}  {each.verdict}"


def number(value: float) -> str:
    """Format a number with about three significant digits."""
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f}"
