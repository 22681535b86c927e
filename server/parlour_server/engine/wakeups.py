"""The timers of rooms: one per room, which calls the lobby back when something is due."""

import asyncio
from collections.abc import Callable

from parlour_server.effects import Wake


class Wakeups:
    """The timers of a node's rooms. ``wake`` is called with the code of a room."""

    def __init__(self, clock: Callable[[], float], wake: Callable[[str], None]) -> None:
        self._clock = clock
        self._wake = wake
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def set(self, effect: Wake) -> None:
        """Replace the timer of a room."""
        self.cancel(effect.room)
        if effect.at is not None:
            delay = max(0, effect.at - int(self._clock() * 1000)) / 1000
            self._timers[effect.room] = asyncio.get_running_loop().call_later(delay, self._fire, effect.room)

    def cancel(self, room: str) -> None:
        """Cancel the timer of a room."""
        timer = self._timers.pop(room, None)
        if timer is not None:
            timer.cancel()

    def close(self) -> None:
        """Cancel all timers."""
        for timer in self._timers.values():
            timer.cancel()

    def _fire(self, room: str) -> None:
        self._timers.pop(room, None)
        self._wake(room)
