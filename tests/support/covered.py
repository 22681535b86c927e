"""Print coverage by package: ``coverage json -o - | python -m tests.support.covered``.

It counts statements and branches together, and branches alone, in all processes that the tests started. The exit code
is 1 if a package in REQUIRED is below ``LEAST`` in either.
"""

import json
import sys
from collections.abc import Iterable
from typing import Any

import attrs

LEAST = 95.0
"""The minimum percentage of statements and branches, and of branches alone."""
REQUIRED = ("parlour_protocol", "parlour_games", "parlour_server")


@attrs.define
class Sum:
    """Statements and branches of a group of files: the totals, and those executed or taken."""

    statements: int = 0
    executed: int = 0
    branches: int = 0
    taken: int = 0

    @property
    def share(self) -> float:
        """Return the coverage of statements and branches in percent."""
        return _percent(self.executed + self.taken, self.statements + self.branches)

    @property
    def share_of_branches(self) -> float:
        """Return the coverage of branches in percent."""
        return _percent(self.taken, self.branches)

    def add(self, summary: dict[str, Any]) -> None:
        """Add the coverage summary of a file."""
        self.statements += summary["num_statements"]
        self.executed += summary["covered_lines"]
        self.branches += summary["num_branches"]
        self.taken += summary["covered_branches"]


def _percent(some: int, all_: int) -> float:
    return 100 * some / all_ if all_ else 100.0


def sums(report: dict[str, Any]) -> tuple[dict[str, Sum], dict[str, Sum]]:
    """Return the sums by package and by file."""
    packages: dict[str, Sum] = {}
    files: dict[str, Sum] = {}
    for path, found in sorted(report["files"].items()):
        name = next((part for part in path.split("/") if part.startswith("parlour_")), path)
        for group, key in ((packages, name), (files, path)):
            group.setdefault(key, Sum()).add(found["summary"])
    return packages, files


def table(packages: dict[str, Sum], files: dict[str, Sum]) -> Iterable[str]:
    """Yield the table of packages, then the files below LEAST."""
    yield f"{'package':<20} {'statements':>10} {'branches':>9} {'covered':>8} {'branches':>9}"
    for name, each in packages.items():
        shares = f"{each.share:>7.1f}% {each.share_of_branches:>8.1f}%"
        yield f"{name:<20} {each.statements:>10,} {each.branches:>9,} {shares}"
    for path, each in sorted(files.items(), key=lambda item: item[1].share):
        if each.share < LEAST:
            yield f"  {each.share:.0f}%  {path}"


def lacking(packages: dict[str, Sum]) -> list[str]:
    """Return the required packages that are missing or below LEAST."""
    found = {name: packages.get(name) for name in REQUIRED}
    return [name for name, each in found.items() if each is None or min(each.share, each.share_of_branches) < LEAST]


def main() -> int:
    """Read the JSON report from stdin, print the table, and return the exit code."""
    packages, files = sums(json.load(sys.stdin))
    sys.stdout.writelines(f"{line}\n" for line in table(packages, files))
    missed = lacking(packages)
    sys.stdout.writelines(f"{name} is covered below {LEAST:g}%\n" for name in missed)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
