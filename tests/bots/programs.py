"""Programs that play, well and badly: what tests of foreign bots have in common."""

import sys
from textwrap import dedent
from typing import Any

from parlour_bots.sdk import Turn, seeded
from parlour_protocol.messages import Plain

LEGAL: list[Plain] = [{"do": "play", "card": 7}, {"do": "draw"}]


def turn(rid: int = 1, **changes: Any) -> Turn:
    """Return a turn with two legal actions."""
    fields: dict[str, Any] = {"legal": LEGAL, "left": None, "view": {"hand": [7]}, **changes}
    return Turn("uno", "K7QD", 1, rid, events=[], rng=seeded(rid), **fields)


def shell(script: str) -> list[str]:
    """Return the command that runs a script of sh."""
    return ["sh", "-c", script]


def python(script: str) -> list[str]:
    """Return the command of a Python program that has ``greeting``, ``turns()`` and ``say(answer)``."""
    head = """
        import json, os, sys, time
        greeting = json.loads(sys.stdin.readline())
        def turns():
            for line in sys.stdin:
                yield json.loads(line)
        def say(answer):
            print(json.dumps(answer), flush=True)
    """
    return [sys.executable, "-I", "-S", "-c", dedent(head) + dedent(script)]


EACH_FIRST = "read -r greeting; while read -r turn; do echo 0; done"
"""A script that answers every turn with the first action."""
