"""The one shape of a result: what was measured, the number, its unit."""

from collections.abc import Iterable

Row = tuple[str, float, str]


def show(rows: Iterable[Row]) -> None:
    """Print rows as they come."""
    for label, value, unit in rows:
        print(f"{label:<64} {value:>12,.1f} {unit}", flush=True)
