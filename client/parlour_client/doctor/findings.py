"""Findings: the result of a check, and how it is printed."""

import sys
from collections.abc import Iterable
from typing import Literal, TypeAlias

import attrs

from parlour_client.core.folding import marked_for
from parlour_client.core.sanitize import clean
from parlour_games.plural import counted

Status: TypeAlias = Literal["ok", "warn", "fail"]
_LONGEST = 600
_COLOURS: dict[Status, str] = {"ok": "32", "warn": "33", "fail": "1;31"}
_WIDEST = 10


@attrs.frozen
class Finding:
    """The result of one check. ``next`` is what to do about it, empty if nothing."""

    check: str
    status: Status
    says: str
    next: str = ""

    def line(self) -> str:
        """Return it as one line. The text is cleaned, because servers supply parts of it."""
        text = clean(f"{self.says}. {self.next}" if self.next else self.says, _LONGEST)
        return f"{self.status:<4}  {self.check:<{_WIDEST}}  {text}"


def report(findings: Iterable[Finding], *, quiet: bool = False) -> list[Finding]:
    """Print each finding when it arrives, unless ``quiet``, and return all of them."""
    reported = []
    for finding in findings:
        reported.append(finding)
        if not quiet:
            line = marked_for(sys.stdout, finding.line(), finding.status, _COLOURS[finding.status], _WIDEST + 8)
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    return reported


def summary(findings: Iterable[Finding]) -> str:
    """Return the closing line."""
    bad = [finding.status for finding in findings if finding.status != "ok"]
    if not bad:
        return "All checks passed."
    failed, warned = bad.count("fail"), bad.count("warn")
    counts = [*([f"{failed} failed"] if failed else []), *([counted(warned, "warning")] if warned else [])]
    return f"{', '.join(counts)}; all other checks passed."
