"""What a check has found, and how it is told: one line each."""

import sys
from collections.abc import Iterable
from typing import Literal, TypeAlias

import attrs

from parlour_client.core.sanitize import clean

Status: TypeAlias = Literal["ok", "warn", "fail"]
_LONGEST = 600
_COLOURS: dict[Status, str] = {"ok": "32", "warn": "33", "fail": "1;31"}
_WIDEST = 10


@attrs.frozen
class Finding:
    """What one check has found. ``next``: what to do now; empty if there is nothing."""

    check: str
    status: Status
    says: str
    next: str = ""

    def line(self, *, colour: bool = False) -> str:
        """Return it as a line, neutralised: much of it may come from strangers."""
        status = f"{self.status:<4}"
        if colour:
            status = f"\x1b[{_COLOURS[self.status]}m{status}\x1b[0m"
        text = clean(f"{self.says}. {self.next}" if self.next else self.says, _LONGEST)
        return f"{status}  {self.check:<{_WIDEST}}  {text}"


def tell(findings: Iterable[Finding], *, quiet: bool = False) -> list[Finding]:
    """Print findings as they come, unless ``quiet``; return them all."""
    told = []
    colour = sys.stdout.isatty()
    for finding in findings:
        told.append(finding)
        if not quiet:
            sys.stdout.write(finding.line(colour=colour) + "\n")
            sys.stdout.flush()
    return told


def summary(findings: Iterable[Finding]) -> str:
    """Return the last line."""
    bad = [finding.status for finding in findings if finding.status != "ok"]
    if not bad:
        return "All is well."
    failed, warned = bad.count("fail"), bad.count("warn")
    counts = [f"{count} {word}" for count, word in ((failed, "failed"), (warned, "to look at")) if count]
    return f"{', '.join(counts)}; all else is well."
