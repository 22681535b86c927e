"""Print coverage by package: ``coverage json -o - | python -m tests.support.covered``.

It counts statements and branches together, and branches alone, in all processes that the tests started. The exit code
is 1 if a package in REQUIRED is below ``LEAST`` in either.
"""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

LEAST = 95.0
"""The minimum percentage of statements and branches, and of branches alone."""
REQUIRED = ("parlour_protocol", "parlour_games", "parlour_server")


Sums: TypeAlias = Mapping[str, Counter[str]]
"""The totals of coverage's summaries, by package or by file."""


def shares(total: Counter[str]) -> tuple[float, float]:
    """Return the coverage in percent: of statements and branches together, and of branches alone."""
    there, covered = total["num_statements"] + total["num_branches"], total["covered_lines"] + total["covered_branches"]
    return _percent(covered, there), _percent(total["covered_branches"], total["num_branches"])


def _percent(some: int, all_: int) -> float:
    return 100 * some / all_ if all_ else 100.0


def sums(report: dict[str, Any]) -> tuple[Sums, Sums]:
    """Return the sums by package and by file."""
    packages, files = defaultdict[str, Counter[str]](Counter), defaultdict[str, Counter[str]](Counter)
    for path, found in sorted(report["files"].items()):
        name = next((part for part in path.split("/") if part.startswith("parlour_")), path)
        counts = {what: number for what, number in found["summary"].items() if isinstance(number, int)}
        packages[name].update(counts)
        files[path].update(counts)
    return packages, files


def table(packages: Sums, files: Sums) -> Iterable[str]:
    """Yield the table of packages, then the files below LEAST."""
    yield f"{'package':<20} {'statements':>10} {'branches':>9} {'covered':>8} {'branches':>9}"
    for name, each in packages.items():
        share, of_branches = shares(each)
        counts = f"{each['num_statements']:>10,} {each['num_branches']:>9,}"
        yield f"{name:<20} {counts} {share:>7.1f}% {of_branches:>8.1f}%"
    for share, path in sorted((shares(each)[0], path) for path, each in files.items()):
        if share < LEAST:
            yield f"  {share:.0f}%  {path}"


def lacking(packages: Sums) -> list[str]:
    """Return the required packages that are missing or below LEAST."""
    return [name for name in REQUIRED if name not in packages or min(shares(packages[name])) < LEAST]


def main() -> int:
    """Read the JSON report from stdin, print the table, and return the exit code."""
    packages, files = sums(json.load(sys.stdin))
    sys.stdout.writelines(f"{line}\n" for line in table(packages, files))
    missed = lacking(packages)
    sys.stdout.writelines(f"{name} is covered below {LEAST:g}%\n" for name in missed)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
