"""Bots that take their time, so that a person has a chance where everybody plays at once."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import attrs

from parlour_bots.sdk import Bot, Choice, Entrant, Function, Turn

ChoiceT = TypeVar("ChoiceT", bound="Choice | None")


def unhurried(entrant: Entrant, seconds: float, wait: Callable[[float], None] = time.sleep) -> Entrant:
    """Return ``entrant`` waiting ``seconds`` for each card or cell of its answer before it gives it, as a person does.

    It takes as long before what it may do but need not. ``wait`` holds up the bot's own thread.
    """
    return attrs.evolve(entrant, make=lambda: _slowed(entrant.make(), seconds, wait))


@attrs.frozen
class _Slowed:
    """A bot of which both answers are slowed."""

    play: Callable[[Turn], Choice]
    may: Callable[[Turn], Choice | None]


def _slowed(bot: Bot, seconds: float, wait: Callable[[float], None]) -> Bot:
    play = _after(bot.play, seconds, wait)
    may = getattr(bot, "may", None)
    return Function(play) if may is None else _Slowed(play, _after(may, seconds, wait))


def _after(
    answer: Callable[[Turn], ChoiceT], seconds: float, wait: Callable[[float], None]
) -> Callable[[Turn], ChoiceT]:
    @wraps(answer)
    def slowly(turn: Turn) -> ChoiceT:
        choice = answer(turn)
        if choice is not None:
            wait(seconds * _size(choice))
        return choice

    return slowly


def _size(choice: Any) -> int:
    """Return of how many cells an answer speaks."""
    answer = choice[0] if isinstance(choice, tuple) else choice
    if not isinstance(answer, dict):
        return 1
    return max(1, len(answer.get("cells") or answer.get("moves") or ()))
