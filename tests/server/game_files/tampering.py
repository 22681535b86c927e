"""Match files that lie about a match, with correct hashes; ``outsider/tamper.py`` changes files in all other ways."""

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import Any

from tests.server.matches import rehashed

from parlour_games.fair import commitment
from parlour_server.rooms.records import canonical


def lying(lines: list[str], rng: Random) -> Iterator[tuple[str, list[str]]]:
    """Yield changes of what matters in a match, with the whole chain made anew."""
    for name, change in LIES.items():
        fields = [json.loads(line) for line in lines]
        change(fields, rng)
        forged = rehashed(canonical(each) for each in fields)
        if forged != lines:
            yield name, forged


def other(value: Any, rng: Random) -> Any:
    """Return another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + rng.choice([-1, 1, 7])
        case str() if value:
            at = rng.randrange(len(value))
            return value[:at] + ("0" if value[at] != "0" else "1") + value[at + 1 :]
        case str():
            return "ab" * 32
    return 1


def _secret(fields: list[Any], rng: Random) -> None:
    if _dealt(fields):
        secret = rng.randbytes(32)
        fields[0] |= {"secret": secret.hex(), "commit": commitment(secret)}


def _commit(fields: list[Any], rng: Random) -> None:
    fields[0]["commit"] = other(fields[0]["commit"], rng)


def _nonce(fields: list[Any], rng: Random) -> None:
    if _dealt(fields):
        seat = rng.randrange(len(fields[0]["nonces"]))
        fields[0]["nonces"][seat] = rng.randbytes(32).hex()


def _dealt(fields: list[Any]) -> bool:
    """Whether cards or mines were drawn from the secret: a board that was never opened has none."""
    return fields[0]["options"].get("mode") not in ("solo", "coop") or any(each["r"] == "job" for each in fields)


def _act(fields: list[Any], rng: Random) -> None:
    """Lay the card that has just been laid; make up a colour; open another first cell.

    Another twin of a card, or another cell of one flood, would be no lie that matters.
    """
    acts = [
        (before, each)
        for before, each in pairwise(fields)
        if each["r"] == "act" and (each["act"]["do"] == "colour" or ("card" in each["act"] and _card(before)))
    ]
    if fields[0]["options"].get("mode") in ("solo", "coop"):
        acts += [pair for pair in pairwise(fields) if pair[1].get("act", {}).get("do") == "open"][:1]
    if acts:
        before, each = rng.choice(acts)
        _change_act(before, each["act"], rng)


def _card(record: Any) -> int | None:
    card: int | None = record.get("act", {}).get("card")
    return card


def _change_act(before: Any, act: Any, rng: Random) -> None:
    if "card" in act:
        act["card"] = _card(before)
    elif "colour" in act:
        act["colour"] = other(act["colour"], rng)
    else:
        act["cells"][0][0] = 1 if act["cells"][0][0] == 0 else 0


def _whose_act(fields: list[Any], rng: Random) -> None:
    acts = [each for each in fields if each["r"] == "act"]
    if acts:
        rng.choice(acts)["seat"] += 1


def _result(name: str) -> Callable[[list[Any], Random], None]:
    def change(fields: list[Any], rng: Random) -> None:
        value = fields[-1][name]
        fields[-1][name] = [other(each, rng) for each in value] if isinstance(value, list) else other(value, rng)

    return change


def _job(fields: list[Any], rng: Random) -> None:
    for each in fields:
        if each["r"] == "job" and each["name"] == "board":
            each["result"]["attempt"] = other(each["result"]["attempt"], rng)


def _statistics(fields: list[Any], rng: Random) -> None:
    if "stats" in fields[-1]:
        fields[-1]["stats"]["bbbv"] = 999


LIES: dict[str, Callable[[list[Any], Random], None]] = {
    "secret": _secret,
    "commitment": _commit,
    "nonce": _nonce,
    "act": _act,
    "whose act": _whose_act,
    "ranks": _result("ranks"),
    "scores": _result("scores"),
    "why": _result("why"),
    "state": _result("state"),
    "board": _job,
    "statistics": _statistics,
}
