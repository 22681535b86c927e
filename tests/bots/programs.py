"""Programs that play, well and badly: what tests of foreign bots have in common."""

import sys
from textwrap import dedent
from typing import Any

import pytest

from parlour_bots.play.child import check_confinement
from parlour_bots.play.limits import NotConfined
from parlour_bots.sdk import Turn, seeded
from parlour_protocol.messages import Plain


def _confines() -> bool:
    try:
        check_confinement()
    except NotConfined:
        return False
    return True


IS_CONFINED = _confines()
CONFINES = pytest.mark.skipif(not IS_CONFINED, reason="this system cannot confine programs")
LEGAL: list[Plain] = [{"do": "play", "card": 7}, {"do": "draw"}]
SHOWN: Plain = {"phase": "play", "round": 1, "colour": "red", "top": 18, "counts": [4, 1], "called": [], "out": [],
                "scores": [0, 0], "hand": [7]}  # fmt: skip
"""A view of UNO that can be told in words."""


def turn(rid: int = 1, **changes: Any) -> Turn:
    fields: dict[str, Any] = {"legal": LEGAL, "left": None, "view": {"hand": [7]}, **changes}
    return Turn("uno", "K7QD", 1, rid, events=[], rng=seeded(rid), **fields)


def shell(script: str) -> list[str]:
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


def daemons(name: str, count: int = 50) -> str:
    """Return Python that starts processes called ``name`` in sessions of their own, which ignore polite signals."""
    return f"""
import signal
for _ in range({count}):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            os.execlp("sleep", {name!r}, "1000")
        os._exit(0)
"""


EACH_FIRST = "read -r greeting; while read -r turn; do echo 0; done"
"""A script that answers every turn with the first action."""
