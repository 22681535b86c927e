"""The sequence of numbered messages that each view of a room has been sent.

A view is a seat as its owner sees it, a seat as its stand-in sees it, or what all spectators see.

Messages to spectators can be delayed, so that they cannot help a player during a match.
"""

from collections import deque
from itertools import islice

import attrs
from msgspec import msgpack
from msgspec.structs import replace

from parlour_protocol.messages import Plain
from parlour_server.rooms.effects import Send

HISTORY = 256
"""The number of messages that a client may have missed and still get exactly their events."""
BULK = 64 << 10
"""Bytes of long acts (``Match.bulk``) whose messages are kept. Their events are packed, for they are many objects."""
LAST_FEW = 20
"""The number of events that ``joined`` shows a client that missed more, or is new."""
_encode = msgpack.Encoder().encode


@attrs.define
class ViewStream:
    """One view's sequence. ``seat`` None is the view of all spectators."""

    seat: int | None
    standin: bool = False
    seq: int = 0
    people: dict[str, None] = attrs.field(factory=dict)
    """The connected people who follow this view, in the order in which they came."""
    _sent: deque[list[Plain] | bytes] = attrs.field(factory=lambda: deque(maxlen=HISTORY))
    """The events of the last messages, packed for long acts; the last of them is number ``seq``."""
    _bulk: dict[int, int] = attrs.field(factory=dict)
    """The bytes of long acts that those messages tell of, by number."""

    def push(self, events: list[Plain], bulk: int = 0) -> int:
        """Count a message that shows ``events``, which tell of ``bulk`` bytes of long acts, and return its seq."""
        self.seq += 1
        self._sent.append(_encode(events) if bulk else events)
        if bulk:
            self._bulk[self.seq] = bulk
            self._forget()
        return self.seq

    def missed(self, since: int | None) -> tuple[list[Plain], bool]:
        """Return the events after message ``since``, or the last few; and whether there is a gap before them."""
        before = self.seq - len(self._sent)
        if since is not None and before <= since <= self.seq:
            return [event for events in islice(self._sent, since - before, None) for event in _events(events)], False
        kept = [event for events in self._sent for event in _events(events)]
        return kept[-LAST_FEW:], since is not None or before > 0 or len(kept) > LAST_FEW

    def _forget(self) -> None:
        """Forget the oldest messages until those that are kept tell of no more than ``BULK``."""
        while True:
            before = self.seq - len(self._sent)
            self._bulk = {seq: bulk for seq, bulk in self._bulk.items() if seq > before}
            if sum(self._bulk.values()) <= BULK:
                return
            self._sent.popleft()


def _events(kept: list[Plain] | bytes) -> list[Plain]:
    return msgpack.decode(kept, type=list[Plain]) if isinstance(kept, bytes) else kept


class Streams:
    """All views of a room. They begin at ``seq``: 0, or more in a loaded room, whose past is not kept."""

    def __init__(self, seats: int, seq: int = 0) -> None:
        self.owners = [ViewStream(seat, seq=seq) for seat in range(seats)]
        self.standins: dict[int, ViewStream] = {}
        self.watchers = ViewStream(None, seq=seq)

    def all(self) -> list[ViewStream]:
        """Return the views of owners by seat, then those of stand-ins, then that of spectators."""
        return [*self.owners, *self.standins.values(), self.watchers]

    def of(self, who: str) -> ViewStream | None:
        """Return the view that ``who`` follows."""
        return next((stream for stream in self.all() if who in stream.people), None)

    def drop(self, who: str) -> None:
        """Let ``who`` follow no view."""
        for stream in self.all():
            stream.people.pop(who, None)

    def resize(self, seats: int) -> None:
        """Change the number of seats. No one follows the views of those that are removed."""
        more = [ViewStream(seat, seq=self.watchers.seq) for seat in range(len(self.owners), seats)]
        self.owners = [*self.owners, *more][:seats]

    def renew(self, seat: int) -> None:
        """Forget the past events of ``seat``, which has a new owner, and who follows it."""
        self.owners[seat] = ViewStream(seat, seq=self.owners[seat].seq)

    def rearrange(self, moves: dict[int, int]) -> None:
        """Move the people of seats that got other numbers (old → new), to streams without the seats' past events."""
        people = {new: self.owners[old].people for old, new in moves.items()}
        for old in moves:
            self.owners[old] = ViewStream(old, seq=self.owners[old].seq)
        for new, followers in people.items():
            self.owners[new] = ViewStream(new, seq=self.owners[new].seq, people=followers)


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
