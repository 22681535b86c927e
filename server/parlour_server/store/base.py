"""What the server asks of whatever remembers for it. ``open_store`` makes one from a URL.

::

    StoreError
    ├── CannotOpen    at start: locked by another server, not writable, not a database of ours
    ├── Elsewhere     a room cannot be loaded: another living node owns it
    └── NotStored     a commit failed: nothing of it is there, and nothing of it may be told
        ├── Conflict  part of it is another node's business by now; without that part it can be tried again
        └── Fenced    this node has not been able to say in time that it lives: it may not speak for its rooms

A store may be *shared* by several nodes. Each room then has one owner, and so has each contest; a node shows that it
lives by ``renew``, in time for the lease that it was opened with, and what a dead node owned is for the others to take.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from parlour_protocol.messages import StandingsRow
from parlour_server.persistence import Index, Known, Loaded, Pruned, Rated, SaveIdentity, Sightings, Write

PRUNE_ROOMS, PRUNE_LINES = 100, 2_000
"""Rooms that one step of ``prune`` looks at, and lines that it removes."""


class StoreError(Exception):
    """The store could not do it. The text says what is wrong and what to do next."""


def reason(error: Exception) -> str:
    """Return what the log may say of ``error``: other texts than a store's might tell what is in a hand."""
    return str(error) if isinstance(error, StoreError) else type(error).__name__


class CannotOpen(StoreError):
    """The store cannot be used at all."""


class Elsewhere(StoreError):
    """A living node owns ``room``: clients reach it under ``url``, other nodes under ``peer``."""

    def __init__(self, room: str, url: str, peer: str) -> None:
        super().__init__(f"room {room} is at {url}")
        self.room, self.url, self.peer = room, url, peer


class NotStored(StoreError):
    """A commit failed as a whole."""


class Fenced(NotStored):
    """This node's lease is over, or nearly. Nothing may be told until ``renew`` has succeeded again."""


class Conflict(NotStored):
    """Others own these ``rooms``, or have changed these ``people`` or ``contests``: all that concerns them is void.

    Of a person that another node has changed, or whose name it has given away, nothing held in memory can be trusted.
    """

    def __init__(
        self,
        rooms: Iterable[str] = (),
        people: Iterable[str] = (),
        contests: Iterable[str] = (),
    ) -> None:
        self.rooms, self.people, self.contests = frozenset(rooms), frozenset(people), frozenset(contests)
        super().__init__(f"changed by another node: {', '.join(sorted(self.rooms | self.people | self.contests))}")


class Store(Protocol):
    """A store. Calls come from one event loop; each may raise StoreError, and changes nothing then."""

    shared: bool
    """Whether there may be other nodes. If not, what is in memory is all there is, and ``renew`` is never called."""

    async def index(self) -> Index:
        """Return what is known, the rooms' records aside; the first call.

        In a shared store this node lives from now on, and ``open_rooms`` and ``identities`` are only those without a
        living owner: everybody else is asked for by ``known``, every other room by ``load``. Raises CannotOpen, also
        if a node of this name lives.
        """

    async def load(self, room: str) -> Loaded:
        """Take over a room: raise its epoch, return that and all its lines.

        The owner before cannot append to it any more. What it may have appended until the new owner's first line is
        stored makes that line fail (Conflict): whoever loads appends a line, and tells nothing of the room before it
        is stored. Raises LookupError if there is no open room of this code, Elsewhere if a living node owns it.
        """

    async def release(self, room: str) -> None:
        """Give a room back, all of which is stored, so that another node can take it at once."""

    async def commit(self, writes: Sequence[Write]) -> list[Rated]:
        """Store all writes durably, in order, or none. Returns the ratings that changed by it.

        Raises NotStored. If the database is lost in the middle it comes back only when it is sure of the outcome.
        """

    async def known(self, names: Sequence[str], hashes: Sequence[str], people: Sequence[str] = ()) -> Known:
        """Return what is stored of all with one of these names (letter case aside), hashed secrets or ids.

        From now on a commit about any of them goes through only if no other node has changed it since. A store that is
        not shared knows nothing beyond what is in memory, and returns nothing.
        """

    async def take_ticket(self, hash: str) -> tuple[SaveIdentity, str] | None:
        """Return whom this ticket (hashed) admits, and to which room, and make it void. None if it is not valid."""

    def introduce(self, url: str, peer: str) -> None:
        """Say, with each renewal from now on, where clients (nowhere, if empty) and nodes reach this node."""

    async def renew(self, rows: str) -> Sightings:
        """Say that this node lives, publish ``rows`` for its peers, and look around. Raises Fenced if it is replaced.

        The text of ``rows`` is the nodes' own affair. Unchanged ones cost nothing.
        """

    async def match_lines(self, digest: str) -> list[str] | None:
        """Return the log lines of the finished match with this digest."""

    async def standings(self, game: str | None, after: str | None, limit: int) -> tuple[list[StandingsRow], str | None]:
        """Return a page of the leaderboard, and where to go on.

        The best come first: of one game by rating, then, as of all games together, by wins, points and name.
        """

    async def prune(self, before: int, after: str) -> Pruned:
        """Remove some closed rooms with a code behind ``after`` in which no match has ended since ``before``.

        ``before`` is in seconds since 1970. Results stay, without their files.
        """

    async def close(self) -> None:
        """Give everything back."""
