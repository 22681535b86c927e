"""What the server asks of whatever remembers for it. ``open_store`` makes one from a URL.

::

    StoreError
    ├── CannotOpen    at start: locked by another server, not writable, not a database of ours
    └── NotStored     a commit failed: nothing of it is there, and nothing of it may be told
"""

from collections.abc import Sequence
from typing import Protocol

import attrs

from parlour_protocol.messages import StandingsRow
from parlour_server.rooms.effects import Rated, SaveContest, SaveIdentity, SavePairing, Write


class StoreError(Exception):
    """The store could not do it. The text says what is wrong and what to do next."""


class CannotOpen(StoreError):
    """The store cannot be used at all."""


class NotStored(StoreError):
    """A commit failed as a whole."""


@attrs.frozen
class Index:
    """What is read at start: everything but the rooms' own records."""

    open_rooms: tuple[str, ...]
    kept_rooms: tuple[str, ...]
    """Those among them that belong to the server itself."""
    codes: tuple[str, ...]
    """Every code that was ever given to a room whose records are still there."""
    identities: tuple[SaveIdentity, ...]
    seats: tuple[tuple[str, str], ...]
    """(room, who) of the seats in open rooms."""
    ratings: tuple[Rated, ...] = ()
    contests: tuple[SaveContest, ...] = ()
    tables: tuple[SavePairing, ...] = ()
    """What was stored last of each table of a contest, in order."""


@attrs.frozen
class Pruned:
    """What one step of removing old rooms has come to. ``after`` is where to go on; None: that was all."""

    freed: tuple[str, ...]
    after: str | None


class Store(Protocol):
    """A store. Calls come from one event loop; each may raise StoreError, and changes nothing then."""

    async def index(self) -> Index:
        """Return what is known, the rooms' records aside."""

    async def load(self, room: str) -> tuple[int, list[str]]:
        """Take over a room: raise its epoch, return that and all its lines. Raises LookupError if there is none."""

    async def commit(self, writes: Sequence[Write]) -> list[Rated]:
        """Store all writes durably, in order, or none. Returns the ratings that changed by it. Raises NotStored."""

    async def match_lines(self, digest: str) -> list[str] | None:
        """Return the log lines of the finished match with this digest."""

    async def standings(self, game: str | None, after: str | None, limit: int) -> tuple[list[StandingsRow], str | None]:
        """Return a page of the leaderboard, best first, and where to go on."""

    async def prune(self, before: int, after: str) -> Pruned:
        """Remove some closed rooms with a code behind ``after`` in which no match has ended since ``before``.

        ``before`` is in seconds since 1970. Results stay, without their files.
        """

    async def close(self) -> None:
        """Give everything back."""
