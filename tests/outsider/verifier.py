"""A second verifier of match files: chain, commitment, deals, acts and result, from the documents alone."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from typing import Any

from tests.outsider import sight
from tests.outsider.decisions import Decisions
from tests.outsider.fair import Deal, commitment
from tests.outsider.minesweeper import Minesweeper
from tests.outsider.rules import Game, Illegal
from tests.outsider.sight import Sight, canonical
from tests.outsider.uno import Uno

Map = dict[str, Any]
KNOWN = {"uno": (1,), "minesweeper": (1, 2)}
"""Versions of the rules."""
IDLE = frozenset({"ready", "host", "ruled", "absent", "owned", "control", "handed"})
"""Records that change nothing in a game."""


class Wrong(Exception):
    """A file that is not the record of a match."""


@dataclass
class Verdict:
    """What a file that is right shows."""

    begun: Map
    over: Map
    acts: list[Map] = field(default_factory=list)
    """What the owners of seats did, without their stand-ins."""
    uncovered: list[str] = field(default_factory=list)
    """What was not checked, and why."""
    sights: list[list[Sight]] = field(default_factory=list)
    """By seat, what its owner was to see after each record: the view, and the open decisions."""


def verify(text: str, digest: str | None = None) -> Verdict:
    """Check a file; with a digest also that it is the file of that match."""
    records = list(_chain(text, digest))
    try:
        return _replay(records)
    except (Illegal, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as problem:
        raise Wrong(f"{type(problem).__name__}: {problem}") from problem


def _replay(records: list[Map]) -> Verdict:
    begun, *middle, over = records
    _check_frame(begun, middle, over)
    game = _game(begun)
    decisions = Decisions(begun)
    verdict = Verdict(begun, over, sights=[[] for _ in begun["players"]], uncovered=game.uncovered)
    if begun["room"] == 1:
        verdict.uncovered.append("the numbers of decisions, in a room of version 1")
    decisions.ask(game)
    _look(game, decisions, verdict)
    for record in middle:
        try:
            if begun["room"] > 1:
                decisions.answer(record)
            _apply(game, record, begun)
        except Illegal as problem:
            raise Wrong(f"record {record['n']}: {problem}") from problem
        decisions.ask(game)
        if record["r"] == "act" and record["seat"] not in decisions.stood_in:
            verdict.acts.append(record)
        _look(game, decisions, verdict)
    if sha256(canonical(game.state()).encode()).hexdigest() != over["state"]:
        raise Wrong("the final state is another one")
    if game.outcome is None:
        if over["why"] not in ("aborted", "expired"):
            raise Wrong("the match is not over")
    elif any(over[name] != game.outcome[name] for name in game.outcome):
        raise Wrong(f"the result is {over}, and should be {game.outcome}")
    return verdict


def _chain(text: str, digest: str | None) -> Iterator[Map]:
    if not text.endswith("\n"):
        raise Wrong("the last line has no end")
    last = b""
    before: Map | None = None
    for number, line in enumerate(text[:-1].split("\n"), 1):
        try:
            record = json.loads(line)
            hash_ = record.pop("h")
        except (ValueError, KeyError, AttributeError, TypeError) as problem:
            raise Wrong(f"line {number}: no record") from problem
        body = canonical(record)
        if canonical({**record, "h": hash_}) != line:
            raise Wrong(f"line {number}: not canonical")
        last = sha256(last + body.encode()).digest()
        if last.hex() != hash_:
            raise Wrong(f"line {number}: the chain is broken")
        if before is not None and (record["n"] != before["n"] + 1 or record["at"] < before["at"]):
            raise Wrong(f"line {number}: n or at does not follow")
        before = record
        yield record
    if digest is not None and last.hex() != digest:
        raise Wrong("this is not the file of that digest")


def _check_frame(begun: Map, middle: list[Map], over: Map) -> None:
    if begun["r"] != "begun" or over["r"] != "over" or any(record["r"] in ("begun", "over") for record in middle):
        raise Wrong("a file begins with `begun` and ends with `over`")
    if commitment(bytes.fromhex(begun["secret"])) != begun["commit"]:
        raise Wrong("C does not follow from S")
    if begun["rules"] not in KNOWN.get(begun["game"], ()) or begun["room"] not in (1, 2, 3):
        raise Wrong(f"not covered: rules {begun['rules']} of {begun['game']}, room {begun['room']}")
    seats = len(begun["players"])
    if begun.get("clock") and begun["banks"] != [begun["clock"]["bank"]] * seats:
        raise Wrong("the banks are not those of the clock")
    if any(len(begun[name]) != seats for name in ("nonces", "rids", "banks")):
        raise Wrong("not one nonce, rid and bank for each seat")
    if not begun["context"].endswith(f"/{begun['match']}"):
        raise Wrong("the context names another match")


def _game(begun: Map) -> Game:
    if begun["game"] == "uno":
        return Uno(begun["options"], len(begun["players"]), _deals(begun))
    return Minesweeper(begun, _deals(begun))


def _deals(begun: Map) -> Iterator[Deal]:
    nonces = [bytes.fromhex(nonce) for nonce in begun["nonces"]]
    return (Deal(bytes.fromhex(begun["secret"]), begun["context"], number, nonces) for number in count(1))


def _apply(game: Game, record: Map, begun: Map) -> None:
    match record["r"]:
        case "act":
            game.act(record["seat"], record["act"], record["at"])
        case "timeout":
            game.timeout(record["seat"], record["at"])
        case "timer":
            game.timer(record["name"])
        case "job":
            game.job(record["name"], record["result"], record["at"])
        case "vacated":
            if not begun.get("standin"):
                game.leave(record["seat"])
        case kind if kind not in IDLE:
            raise Wrong(f"record {record['n']}: there is no {kind}")


def _look(game: Game, decisions: Decisions, verdict: Verdict) -> None:
    for seat, sights in enumerate(verdict.sights):
        asked = decisions.asked(seat)
        sights.append(sight.there(game.view(seat), *asked))
