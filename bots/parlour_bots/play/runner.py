"""Run bots in this process under a time limit, and notice a bot that hangs.

A late answer is discarded when it arrives. If none arrives, the runner can show where the bot hangs, and interrupt it
unless it waits for the system. Programs are killed at the limit instead (see ``program``).
"""

import ctypes
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import attrs

from parlour_bots.errors import Late
from parlour_bots.sdk import BotSpec, Turn, wrapped

Clock = Callable[[], int]
"""Returns nanoseconds since an arbitrary moment."""
_MS = 1_000_000
HANGS = 6.0
"""Seconds without an answer after which a bot counts as hanging; longer with a long budget."""


class Hung(BaseException):
    """The bot was interrupted, because it did not return. Not an ``Exception``: bots catch those."""


class BotRunner:
    """Gives bots ``budget`` milliseconds per answer, or less if their clock has less left."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._answers = 0

    @property
    def patience(self) -> float:
        """Return the seconds without an answer after which a bot hangs."""
        return max(HANGS, 3 * self.budget / 1000)

    def limit(
        self, spec: BotSpec, on_answer: Callable[[int], None] = lambda _: None, clock: Clock = time.perf_counter_ns
    ) -> BotSpec:
        """Return ``spec`` with the limit: its turns carry it, and a later answer raises Late.

        ``on_answer`` receives the nanoseconds that each answer took.
        """

        def limited(method: Callable[[Turn], Any]) -> Callable[[Turn], Any]:
            @wraps(method)
            def answer(turn: Turn) -> Any:
                budget = self.budget if turn.left is None else min(self.budget, turn.left)
                begun = clock()
                try:
                    choice = method(attrs.evolve(turn, budget=budget))
                finally:
                    took = clock() - begun
                    self._answers += 1
                    on_answer(took)
                if took > budget * _MS and not spec.external:
                    raise Late(f"the answer took {took / _MS:.0f} ms of {budget} allowed")
                return choice

            return answer

        return attrs.evolve(spec, make=lambda: wrapped(spec.make(), limited))

    @contextmanager
    def interrupts(self) -> Iterator[None]:
        """Raise Hung in this thread if the bot hangs in Python code."""
        thread, hung = ctypes.c_ulong(threading.get_ident()), ctypes.py_object(Hung)
        with self.watch(lambda: ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, hung)):
            yield

    @contextmanager
    def watch(self, on_hang: Callable[[], Any]) -> Iterator[None]:
        """Call ``on_hang`` once, in another thread, if no answer arrives for ``patience`` to twice that."""
        over = threading.Event()
        arguments = over, self.patience, on_hang
        thread = threading.Thread(target=self._watch, args=arguments, daemon=True, name="watchdog")
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _watch(self, over: threading.Event, seconds: float, on_hang: Callable[[], None]) -> None:
        seen = -1
        while not over.wait(seconds):
            if self._answers == seen:
                on_hang()
                return
            seen = self._answers
