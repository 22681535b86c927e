"""Run bots in this process under a time limit, and notice a bot that hangs.

Such a bot cannot be interrupted: a late answer is discarded when it arrives, and if none arrives, the runner can only
show where the bot hangs. Programs are killed at the limit instead (see ``program``).
"""

import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from itertools import pairwise
from types import FrameType
from typing import Any

import attrs

from parlour_bots.errors import Late, SourceLine, line_of
from parlour_bots.sdk import BotSpec, Turn, wrapped

Clock = Callable[[], int]
"""Returns nanoseconds since an arbitrary moment."""
_MS = 1_000_000


class BotRunner:
    """Gives bots ``budget`` milliseconds per answer, or less if their clock has less left."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._answers = 0

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
    def watch(self, seconds: float, on_hang: Callable[[], None]) -> Iterator[None]:
        """Call ``on_hang`` once, in another thread, if no answer arrives for ``seconds`` to twice that."""
        over = threading.Event()
        thread = threading.Thread(target=self._watch, args=(over, seconds, on_hang), daemon=True, name="watchdog")
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


def whereabouts(thread: threading.Thread) -> SourceLine | None:
    """Return the source line at which a bot with a time limit is in ``thread``; None if none is thinking there."""
    frame: FrameType | None = sys._current_frames().get(thread.ident or 0)
    frames = [inner for inner, _ in traceback.walk_stack(frame)] if frame else []  # innermost first
    for inner, outer in pairwise(frames):
        if outer.f_code.co_filename == __file__:
            file = inner.f_code.co_filename
            return line_of(next(each for each in frames if each.f_code.co_filename == file))
    return None
