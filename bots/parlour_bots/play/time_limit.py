"""A limit to what a bot may think about one answer."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

import attrs

from parlour_bots.errors import Late
from parlour_bots.sdk import Bot, Choice, Entrant, Turn

Clock = Callable[[], int]
"""Nanoseconds since whenever."""
_MS = 1_000_000


def within(
    entrant: Entrant, budget: int, watch: Callable[[int], None] = lambda _: None, clock: Clock = time.perf_counter_ns
) -> Entrant:
    """Return ``entrant`` under a limit of ``budget`` milliseconds for each answer, less if its clock has less left.

    Its turns say so, and a later answer is a mistake: Late. A program is cut off there; what runs in this process
    cannot be, and is told afterwards. ``watch`` is called with the nanoseconds of each answer and offer.
    """
    return attrs.evolve(entrant, make=lambda: _Limited(entrant.make(), not entrant.apart, budget, watch, clock))


class _Limited:
    """A bot that is held to a limit. It is asked about offers if the bot is."""

    def __init__(self, bot: Bot, judged: bool, budget: int, watch: Callable[[int], None], clock: Clock) -> None:
        self._judged, self._budget, self._watch, self._clock = judged, budget, watch, clock
        self.play: Callable[[Turn], Choice] = self._held(bot.play)
        if may := getattr(bot, "may", None):
            self.may: Callable[[Turn], Choice | None] = self._held(may)

    def _held(self, method: Callable[[Turn], Any]) -> Callable[[Turn], Any]:
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
                raise Late(f"the answer took {took / _MS:.0f} ms, and the turn gave {budget}")
            return choice

        return answer
