"""Bots that take their time, so that a person has a chance where everybody plays at once."""

import time
from collections.abc import Callable
from functools import wraps

import attrs

from parlour_bots.sdk import Bot, Choice, Entrant, Function, Turn


def unhurried(entrant: Entrant, seconds: float, wait: Callable[[float], None] = time.sleep) -> Entrant:
    """Return ``entrant`` waiting ``seconds`` for each cell of its answer before it gives it, as a person types.

    For games without offers: such a bot is asked for its turns only. ``wait`` holds up the bot's own thread.
    """
    return attrs.evolve(entrant, make=lambda: _slowed(entrant.make(), seconds, wait))


def _slowed(bot: Bot, seconds: float, wait: Callable[[float], None]) -> Bot:
    @wraps(bot.play)
    def play(turn: Turn) -> Choice:
        choice = bot.play(turn)
        wait(seconds * _size(choice))
        return choice

    return Function(play)


def _size(choice: Choice) -> int:
    """Return of how many cells an answer speaks."""
    answer = choice[0] if isinstance(choice, tuple) else choice
    if not isinstance(answer, dict):
        return 1
    return max(1, len(answer.get("cells") or answer.get("moves") or ()))
