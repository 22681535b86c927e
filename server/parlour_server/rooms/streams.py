"""What each view of a room has been told: one dense sequence of messages per view.

A view is a seat as its owner sees it, a seat as its stand-in sees it, or what every spectator sees.
"""

from collections import deque
from collections.abc import Iterator
from itertools import islice

import attrs

from parlour_protocol.messages import Plain

KEPT = 256
"""How many messages back a client can fall and still be told just what it missed."""
LAST_FEW = 20
"""How many events go with ``joined`` to whoever missed more, or is new."""


@attrs.define
class Stream:
    """One view's sequence. ``seat`` None is the view of all spectators."""

    seat: int | None
    standin: bool = False
    seq: int = 0
    people: dict[str, None] = attrs.field(factory=dict)
    """Who is connected and listens, in the order of coming."""
    _sent: deque[list[Plain]] = attrs.field(factory=lambda: deque(maxlen=KEPT))
    """The events of the last messages; the last of them is number ``seq``."""

    def push(self, events: list[Plain]) -> int:
        """Count a message that tells ``events``; return its seq."""
        self.seq += 1
        self._sent.append(events)
        return self.seq

    def missed(self, since: int | None) -> tuple[list[Plain], bool]:
        """Return the events after message ``since`` and False, or the last few and whether there were more."""
        before = self.seq - len(self._sent)
        if since is not None and before <= since <= self.seq:
            return [event for events in islice(self._sent, since - before, None) for event in events], False
        kept = [event for events in self._sent for event in events]
        return kept[-LAST_FEW:], since is not None or before > 0 or len(kept) > LAST_FEW


class Streams:
    """All views of a room. They begin at ``seq``: 0, or more if there is a past that was told to others."""

    def __init__(self, seats: int, seq: int = 0) -> None:
        self.owners = [Stream(seat, seq=seq) for seat in range(seats)]
        self.standins: dict[int, Stream] = {}
        self.watchers = Stream(None, seq=seq)

    def __iter__(self) -> Iterator[Stream]:
        return iter([*self.owners, *self.standins.values(), self.watchers])

    def of(self, who: str) -> Stream | None:
        """Return the view that ``who`` listens to."""
        return next((stream for stream in self if who in stream.people), None)

    def drop(self, who: str) -> None:
        """``who`` listens no more."""
        for stream in self:
            stream.people.pop(who, None)

    def rearrange(self, moves: dict[int, int]) -> None:
        """Move the listeners of seats that got other numbers (old → new); nobody may know another's past."""
        people = {new: self.owners[old].people for old, new in moves.items()}
        for old in moves:
            self.owners[old] = Stream(old, seq=self.owners[old].seq)
        for new, listeners in people.items():
            self.owners[new] = Stream(new, seq=self.owners[new].seq, people=listeners)
