"""Guests: identities without a key. They are forgotten some time after they leave.

So are keys whose identity has never finished a match, which would otherwise keep a name for ever, and deleted
identities. A machine may start with a wrong clock that is set some time later: until then nothing is removed.
"""

from collections import Counter
from collections.abc import Callable
from heapq import heappop, heappush

import attrs

from parlour_protocol.errors import NotNow
from parlour_server.directory.identities import Identities, Identity, Ratings
from parlour_server.directory.peers import Peers
from parlour_server.directory.rooms import RoomDirectory
from parlour_server.directory.sessions import Connections, is_loopback
from parlour_server.effects import Outbox
from parlour_server.settings import ServerSettings

SETTLES = 3_600_000
"""Milliseconds after a start before anything is removed because of its date."""
JUMP = 300_000
"""Milliseconds by which the clock may be set meanwhile without being distrusted."""
SHARE = 50
"""The first round may remove at most one of this many."""


@attrs.define(eq=False)
class Rounds:
    """Rounds of removing what is old: each may remove a share of all, and twice as much while that is not enough.

    By a wrong clock everything is old. It is found out before much is lost.
    """

    left: int = 1
    """How many this round may still remove. The owner counts."""
    _times: int = 1

    def begin(self, count: int) -> None:
        """Begin the next round, which may remove a share of ``count``, and at least one."""
        self._times = max(1, self._times // 2) if self.left else 2 * self._times
        self.left = max(1, count // SHARE) * self._times


HOUR = 3_600_000
"""Milliseconds."""


@attrs.define(eq=False)
class NewNames:
    """Counts the new names of each address, which stands for all addresses that one client may have.

    A name that an address has taken within the hour counts once.
    """

    _settings: ServerSettings
    counts: Counter[str] = attrs.field(factory=Counter, init=False)
    """How many names were taken by guests (``guest``) and with a key (``key``), or not given (``refused``)."""
    _taken: dict[str, dict[str, int]] = attrs.field(factory=dict, init=False)
    """By address the names that it has taken, and when; the oldest first."""

    def check(self, address: str | None, name: str, now: int) -> None:
        """Refuse one more name to an address that has taken too many. Connections from this machine may take any."""
        taken, most = self._recent(address, now), self._settings.new_names
        if taken is None or name.lower() in taken or len(taken) < most:
            return
        self.counts["refused"] += 1
        wait = next(iter(taken.values())) + HOUR - now
        words = f"your address has taken {most} new names within an hour; use one of them, or wait"
        raise NotNow("rate_limited", words, wait)

    def take(self, address: str | None, name: str, now: int, *, has_key: bool) -> None:
        """Count a name that was taken."""
        self.counts["key" if has_key else "guest"] += 1
        taken = self._recent(address, now)
        if taken is not None and address is not None:
            taken.pop(name.lower(), None)
            taken[name.lower()] = now
            self._taken[address] = self._taken.pop(address, taken)
            self._forget(now)

    def _recent(self, address: str | None, now: int) -> dict[str, int] | None:
        """Return the names that an address has taken within the hour; None: it may take any number."""
        if not self._settings.new_names or address is None or is_loopback(address):
            return None
        taken = self._taken.get(address, {})
        while taken and next(iter(taken.values())) <= now - HOUR:
            del taken[next(iter(taken))]
        return taken

    def _forget(self, now: int) -> None:
        """Forget the addresses that have taken no name within the hour."""
        while self._taken and next(reversed(next(iter(self._taken.values())).values()), 0) <= now - HOUR:
            del self._taken[next(iter(self._taken))]


REMEMBERED = 5_000
"""The number of absent identities in memory. The store has them all."""
GUEST_KEPT = 600_000
"""Milliseconds for which a guest without a seat can come back after its connection has closed."""


@attrs.define(eq=False)
class Guests:
    """Who may be forgotten, and when."""

    _outbox: Outbox
    _identities: Identities
    _connections: Connections
    _rooms: RoomDirectory
    _ratings: Ratings
    _peers: Peers
    _is_awaited: Callable[[str], bool]
    """Whether a contest still waits for an identity."""
    _settings: ServerSettings
    _wall: Callable[[], int]
    """Milliseconds since 1970, by a clock that may be set."""
    _dated: dict[str, int] = attrs.field(factory=dict, init=False)
    """By identity that was away before the start, as the clock then said: how far that clock was ahead of ours."""
    _due: dict[str, int] = attrs.field(factory=dict, init=False)
    """When each identity that has left may be forgotten."""
    _queue: list[tuple[int, str]] = attrs.field(factory=list, init=False)
    """The same as a heap, with outdated entries."""
    _rounds: Rounds = attrs.field(factory=Rounds, init=False)
    _round_ends: int = attrs.field(default=0, init=False)
    """The hours in which identities are forgotten that were away before the start, and when this one ends."""
    _away: dict[str, None] = attrs.field(factory=dict, init=False)
    """The identities that are kept forever and have left, in the order of leaving. Some have come back."""

    def left(self, who: str, now: int, idle: int = 0) -> None:
        """Start the time after which ``who`` may be forgotten, again if it has started before.

        ``idle``: for how many milliseconds it was away before the start, if the clock was right then. It has some time
        to come back anyway.
        """
        self._dated.pop(who, None)
        kept = self._kept(self._identities.get(who)) if who in self._identities else None
        if kept is None:
            self._due.pop(who, None)
            self._rest(who)
        else:
            if idle and kept > SETTLES:
                self._dated[who] = self._wall() - now
                kept = max(kept - idle, SETTLES)
            self._due[who] = now + kept
            heappush(self._queue, (self._due[who], who))

    def _rest(self, who: str) -> None:
        """Note that ``who`` is away, and drop from memory those who have been away longest, beyond ``REMEMBERED``."""
        self._away.pop(who, None)
        self._away[who] = None
        for _ in range(len(self._away) - REMEMBERED):
            oldest = next(iter(self._away))
            del self._away[oldest]
            if oldest not in self._identities or self._is_present(oldest):
                continue
            if not self._is_needed(oldest) and self._identities.unload(oldest):
                self._rooms.seats.pop(oldest, None)
                self._ratings.forget(oldest)
            else:
                self._away[oldest] = None

    def due_by(self, now: int) -> list[str]:
        """Return who may have been away for long enough to be forgotten."""
        return [who for who, due in self._due.items() if due <= now]

    def expire(self, now: int) -> None:
        """Forget guests who have been away for long. Those who hold a seat are looked at again later.

        Of those who were away before the start, only a share is forgotten in an hour: the clock may have been wrong.
        """
        names = 0
        while self._queue and self._queue[0][0] <= now:
            due, who = heappop(self._queue)
            if self._due.get(who) != due:
                continue
            del self._due[who]
            if who not in self._identities or self._is_present(who) or self._kept(self._identities.get(who)) is None:
                continue
            ahead = self._dated.get(who)
            set_since = ahead is not None and abs(self._wall() - now - ahead) > JUMP
            if set_since or self._is_needed(who):
                self.left(who, now)
            elif ahead is not None and not self._may_forget(now):
                self._due[who] = self._round_ends
                heappush(self._queue, (self._round_ends, who))
            else:
                names += not self._identities.get(who).is_guest
                self.forget(who)
        if names:
            self._outbox.log("names that never finished a match are forgotten", names=names)

    def _may_forget(self, now: int) -> bool:
        """Return whether another identity may be forgotten by the clock of the machine, and count it."""
        if now >= self._round_ends:
            self._rounds.begin(len(self._identities))
            self._round_ends = now + SETTLES
        if not self._rounds.left:
            return False
        self._rounds.left -= 1
        return True

    def lapsed(self, name: str) -> Identity | None:
        """Return the guest who has this name, if it has left and no seat or contest needs it."""
        owner = self._identities.by_name(name)
        if owner is None or self._is_present(owner.who):
            return None
        return owner if owner.is_guest and owner.lapses() and not self._is_needed(owner.who) else None

    def forget(self, who: str, *, erased: bool = False) -> None:
        """Forget an identity that has no seat; ``erased``: also its name in results."""
        self._rooms.seats.pop(who, None)
        self._ratings.forget(who)
        self._outbox.want(self._identities.forget(who, erased=erased))

    def _kept(self, identity: Identity) -> int | None:
        """Return for how many ms an identity is kept after its last connection; None: for ever."""
        if not identity.lapses():
            return None
        if identity.is_guest:
            return GUEST_KEPT
        unplayed = identity.who in self._identities.unplayed
        return self._settings.unplayed_hours * HOUR or None if unplayed else None

    def _is_present(self, who: str) -> bool:
        return who in self._connections.main or who in self._peers.people

    def _is_needed(self, who: str) -> bool:
        return bool(self._rooms.seats_of(who)) or self._is_awaited(who)
