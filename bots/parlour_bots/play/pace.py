"""Slow bots down, so that people can follow a match and win a race."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

import attrs

from parlour_bots.sdk import BotSpec, Turn, wrapped


def paced(spec: BotSpec, seconds: float, wait: Callable[[float], None] = time.sleep) -> BotSpec:
    """Return ``spec`` with a delay of ``seconds`` per card or cell before each answer, also of optional decisions.

    ``wait`` blocks the bot's own thread.
    """

    def slowed(answer: Callable[[Turn], Any]) -> Callable[[Turn], Any]:
        @wraps(answer)
        def slowly(turn: Turn) -> Any:
            choice = answer(turn)
            if choice is not None:
                wait(seconds * _size(choice))
            return choice

        return slowly

    return attrs.evolve(spec, make=lambda: wrapped(spec.make(), slowed))


def _size(choice: Any) -> int:
    """Return the number of cells in an answer, at least 1."""
    answer = choice[0] if isinstance(choice, tuple) else choice
    if not isinstance(answer, dict):
        return 1
    return max(1, len(answer.get("cells") or answer.get("moves") or ()))
