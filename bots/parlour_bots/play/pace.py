"""Slow bots down, so that people can follow a match and win a race."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import attrs

from parlour_bots.sdk import Bot, BotSpec, Choice, Function, Turn

ChoiceT = TypeVar("ChoiceT", bound="Choice | None")


def paced(spec: BotSpec, seconds: float, wait: Callable[[float], None] = time.sleep) -> BotSpec:
    """Return ``spec`` with a delay of ``seconds`` per card or cell before each answer, also of optional decisions.

    ``wait`` blocks the bot's own thread.
    """
    return attrs.evolve(spec, make=lambda: _slowed(spec.make(), seconds, wait))


@attrs.frozen
class _Slowed:
    """A bot whose two methods are both delayed."""

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
    """Return the number of cells in an answer, at least 1."""
    answer = choice[0] if isinstance(choice, tuple) else choice
    if not isinstance(answer, dict):
        return 1
    return max(1, len(answer.get("cells") or answer.get("moves") or ()))
