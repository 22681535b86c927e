"""A watchdog for bots in this process: a bot that hangs cannot be stopped here, but its position can be shown."""

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
    """A context manager that calls ``on_hang`` once, in another thread, if ``reset`` is not called in time.

    The time limit is between ``seconds`` and twice that.
    """

    def __init__(self, seconds: float, on_hang: Callable[[], None]) -> None:
        self._seconds, self._on_hang = seconds, on_hang
        self._resets = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True, name="watchdog")

    def reset(self) -> None:
        """Start the time limit again: the bot has answered."""
        self._resets += 1

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
            if self._resets == seen:
                self._on_hang()
                return
            seen = self._resets


def whereabouts(thread: threading.Thread) -> Place | None:
    """Return the source line at which a bot with a time limit is in ``thread``; None if none is thinking there."""
    frame: FrameType | None = sys._current_frames().get(thread.ident or 0)
    frames = [inner for inner, _ in traceback.walk_stack(frame)] if frame else []  # innermost first
    for inner, outer in pairwise(frames):
        if outer.f_code.co_filename == time_limit.__file__:
            file = inner.f_code.co_filename
            return line_of(next(each for each in frames if each.f_code.co_filename == file))
    return None
