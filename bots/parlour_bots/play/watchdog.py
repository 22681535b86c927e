"""A bot that never comes back. It cannot be stopped in its own process, but it can be told where it is."""

import sys
import threading
import traceback
from collections.abc import Callable
from itertools import pairwise
from types import FrameType, TracebackType
from typing import Self

from parlour_bots.errors import Place, line_of
from parlour_bots.play import time_limit


class Watchdog:
    """A context in which ``hung`` is called, once and in another thread, if there is no ``sign`` of life for long.

    That is, for ``seconds``; it may be twice as many until it is noticed.
    """

    def __init__(self, seconds: float, hung: Callable[[], None]) -> None:
        self._seconds, self._hung = seconds, hung
        self._signs = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True, name="watchdog")

    def sign(self) -> None:
        """Note that the bot has come back."""
        self._signs += 1

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        seen = -1
        while not self._over.wait(self._seconds):
            if self._signs == seen:
                self._hung()
                return
            seen = self._signs


def whereabouts(thread: threading.Thread) -> Place | None:
    """Return the line of its author's file that a bot under a budget is at in ``thread``; None if none is there."""
    frame: FrameType | None = sys._current_frames().get(thread.ident or 0)
    frames = [inner for inner, _ in traceback.walk_stack(frame)] if frame else []  # the innermost first
    for inner, outer in pairwise(frames):
        if outer.f_code.co_filename == time_limit.__file__:
            file = inner.f_code.co_filename
            return line_of(next(each for each in frames if each.f_code.co_filename == file))
    return None
