"""A time limit for each answer of a bot."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

import attrs

from parlour_bots.errors import Late
from parlour_bots.sdk import Bot, BotSpec, Choice, Turn

Clock = Callable[[], int]
"""Returns nanoseconds since an arbitrary moment."""
_MS = 1_000_000


def with_time_limit(
    spec: BotSpec, budget: int, watch: Callable[[int], None] = lambda _: None, clock: Clock = time.perf_counter_ns
) -> BotSpec:
    """Return ``spec`` with a limit of ``budget`` milliseconds per answer, or less if its clock has less left.

    Its turns carry the limit, and a later answer raises Late. A program is cut off at the limit; a bot in this
    process cannot be interrupted, so its late answer is discarded when it arrives. ``watch`` receives the
    nanoseconds that each answer took.
    """
    return attrs.evolve(spec, make=lambda: _Limited(spec.make(), not spec.external, budget, watch, clock))


class _Limited:
    """A bot with a time limit. It has a method ``may`` if the bot has."""

    def __init__(self, bot: Bot, judged: bool, budget: int, watch: Callable[[int], None], clock: Clock) -> None:
        self._judged, self._budget, self._watch, self._clock = judged, budget, watch, clock
        self.play: Callable[[Turn], Choice] = self._limited(bot.play)
        if may := getattr(bot, "may", None):
            self.may: Callable[[Turn], Choice | None] = self._limited(may)

    def _limited(self, method: Callable[[Turn], Any]) -> Callable[[Turn], Any]:
        @wraps(method)
        def answer(turn: Turn) -> Any:
            budget = self._budget if turn.left is None else min(self._budget, turn.left)
            begun = self._clock()
            try:
                choice = method(attrs.evolve(turn, budget=budget))
            finally:
                took = self._clock() - begun
                self._watch(took)
            if self._judged and took > budget * _MS:
                raise Late(f"the answer took {took / _MS:.0f} ms of {budget} allowed")
            return choice

        return answer
