"""Guests: identities without a key. They are forgotten some time after they leave, and so are deleted identities."""

from collections.abc import Callable

import attrs

from parlour_server.directory.connections import Connections
from parlour_server.directory.identities import Identities
from parlour_server.directory.outbox import Outbox
from parlour_server.directory.peers import Peers
from parlour_server.directory.ratings import Ratings
from parlour_server.directory.rooms import Rooms

GUEST_KEPT = 600_000
"""Milliseconds for which a guest without a seat can come back after its connection has closed."""


@attrs.define(eq=False)
class Guests:
    """Who may be forgotten, and when."""

    _outbox: Outbox
    _identities: Identities
    _connections: Connections
    _rooms: Rooms
    _ratings: Ratings
    _peers: Peers
    _is_awaited: Callable[[str], bool]
    """Whether a contest still waits for an identity."""
    _due: dict[str, int] = attrs.field(factory=dict, init=False)
    """When each identity that has left may be forgotten, the next one first."""

    def left(self, who: str, now: int) -> None:
        """Start the time after which ``who`` may be forgotten, again if it has started before."""
        self._due.pop(who, None)
        self._due[who] = now + GUEST_KEPT

    def due_by(self, now: int) -> list[str]:
        """Return who may have been away for long enough to be forgotten."""
        return [who for who, due in self._due.items() if due <= now]

    def expire(self, now: int) -> None:
        """Forget guests who have been away for long. Those who hold a seat are looked at again later."""
        while self._due and self._due[who := next(iter(self._due))] <= now:
            del self._due[who]
            if who not in self._identities or self._is_present(who) or not self._identities.get(who).lapses():
                continue
            if self._is_needed(who):
                self.left(who, now)
            else:
                self.forget(who)

    def free_name(self, name: str) -> None:
        """Forget the guest who has this name, if it has left and no seat or contest needs it."""
        owner = self._identities.by_name(name)
        if owner is None or self._is_present(owner.who):
            return
        if owner.lapses() and not self._is_needed(owner.who):
            self.forget(owner.who)

    def forget(self, who: str, *, erased: bool = False) -> None:
        """Forget an identity that has no seat; ``erased``: also its name in results."""
        self._rooms.seats.pop(who, None)
        self._ratings.forget(who)
        self._outbox.want(self._identities.forget(who, erased=erased))

    def _is_present(self, who: str) -> bool:
        return who in self._connections.main or who in self._peers.people

    def _is_needed(self, who: str) -> bool:
        return bool(self._rooms.seats_of(who)) or self._is_awaited(who)
