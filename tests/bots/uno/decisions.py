"""The published decisions of painfirst: made from real games, one JSON object a line.

``python -m tests.bots.uno.decisions`` makes the file anew. A line says in short faces what a person needs to
check it (``hand``, ``table``, ``best``), why it is in the file (``situations``), and for machines the ``view``, the
``legal`` actions, and the positions in ``legal`` of those between which chance decides (``answers``).
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parlour_bots.sdk import seeded
from parlour_bots.uno.painfirst import best
from parlour_games.fair import Fair
from parlour_games.uno.cards import COLOUR, COLOURS, NAMES, SHORTS, SYMBOL
from parlour_games.uno.options import Options
from parlour_games.uno.plugin import Uno

FILE = Path(__file__).with_name("painfirst_decisions.jsonl")
PER_SITUATION = 14
ROUNDS = 600

Line = dict[str, Any]


def words(action: dict[str, Any]) -> str:
    """Return an action in short: ``r5``, ``w blue``, ``g7 uno``, ``draw``."""
    if action["do"] != "play":
        return " ".join(filter(None, (action["do"], action.get("colour"))))
    return " ".join(filter(None, (SHORTS[action["card"]], action.get("colour"), action.get("uno") and "uno")))


def table(view: dict[str, Any]) -> str:
    """Return what lies on the table: the top card, and the colour in force where it does not say it."""
    top = view["top"]
    return SHORTS[top] if COLOUR[top] is not None else f"{SHORTS[top]} {view['colour'] or '(no colour yet)'}"


def situations(view: dict[str, Any], legal: list[dict[str, Any]], chosen: list[dict[str, Any]]) -> list[str]:
    first = chosen[0]
    if first["do"] != "play":
        return [f"{view['phase']}: {first['do']}"]
    card = first["card"]
    kind = NAMES[card].removeprefix(f"{NAMES[card].split()[0]} ") if COLOUR[card] is not None else NAMES[card]
    found = [f"{view['phase']}: {'number' if SYMBOL[card] < 10 else kind}"]
    if SYMBOL[card] < 10 and view["phase"] == "play":
        by_colour = COLOUR[card] is not None and COLOURS[COLOUR[card]] == view["colour"]
        found.append(f"number by {'colour' if by_colour else 'number'}")
    if first.get("uno"):
        found.append("uno")
    if len(view["hand"]) == 1:
        found.append("last card")
    if len({words(action) for action in chosen}) > 1:
        found.append("chance")
    if len({action["card"] for action in legal if action["do"] == "play"}) > 4:
        found.append("much to choose from")
    return found


def line_of(view: dict[str, Any], legal: list[dict[str, Any]]) -> Line:
    chosen = best(view, legal)
    return {
        "situations": situations(view, legal, chosen),
        "hand": " ".join(SHORTS[card] for card in view["hand"]),
        "table": table(view),
        "best": sorted({words(action) for action in chosen}),
        "view": view,
        "legal": legal,
        "answers": [legal.index(action) for action in chosen],
    }


def decisions() -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Yield (view, legal) of every obligation in single rounds of 2 to 4 seats: painfirst, the others at random."""
    uno = Uno()
    for number in range(ROUNDS):
        rng, seats = seeded("decisions", number), 2 + number % 3
        state, _ = uno.start(Options(scoring="single"), seats, Fair(rng.randbytes(32), f"TEST/{number}", []))
        while uno.outcome(state) is None:
            asked = next(decision for decision in uno.decisions(state) if decision.must)
            actions = uno.legal(state, asked.seat, asked.key)
            legal = [uno.wire(action) for action in actions]
            view = uno.view(state, asked.seat)
            yield view, legal
            pick = best(view, legal) if asked.seat % 2 else [action for action in legal if action.get("uno")] or legal
            uno.apply(state, asked.seat, asked.key, actions[legal.index(rng.choice(pick))])


def collect() -> list[Line]:
    seen: Counter[str] = Counter()
    lines: list[Line] = []
    for view, legal in decisions():
        line = line_of(view, legal)
        if any(seen[situation] < PER_SITUATION for situation in line["situations"]):
            seen.update(line["situations"])
            lines.append(line)
    return lines


if __name__ == "__main__":
    FILE.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in collect()), encoding="utf-8")
