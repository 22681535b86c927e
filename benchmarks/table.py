"""The one shape of a result: what was measured, the number, its unit."""

from collections.abc import Iterable

Row = tuple[str, float, str]


def show(rows: Iterable[Row]) -> None:
    """Print rows as they come."""
    for label, value, unit in rows:
        digits = 0 if value >= 1000 else 1 if value >= 10 else 2
        print(f"{label:<64} {value:>12,.{digits}f} {unit}", flush=True)
