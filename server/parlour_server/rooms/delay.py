"""Messages that spectators get later than they are made, so that they cannot help a player during a match."""

from collections import deque

import attrs
from msgspec.structs import replace

from parlour_server.rooms.effects import Send


@attrs.define
class Delay:
    """Holds messages back for ``ms`` milliseconds, in their order. Nothing of it is stored."""

    ms: int
    _held: deque[tuple[int, Send]] = attrs.field(factory=deque)
    """Messages, and when each is due."""

    @property
    def due(self) -> int | None:
        """Return when the first message is due; None if none is held back."""
        return self._held[0][0] if self._held else None

    def hold(self, now: int, send: Send) -> None:
        """Hold a message back."""
        self._held.append((now + self.ms, send))

    def take(self, now: int) -> list[Send]:
        """Return the messages that are due."""
        found: list[Send] = []
        while self._held and self._held[0][0] <= now:
            found.append(self._held.popleft()[1])
        return [send for send in found if send.to]

    def forget(self, who: str) -> None:
        """Send ``who`` nothing of what is held back."""
        self._held = deque((at, replace(s, to=tuple(each for each in s.to if each != who))) for at, s in self._held)
