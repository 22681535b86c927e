"""What a store promises (``Store``), and its errors. ``open_store`` opens a store by its URL.

The URLs are ``sqlite:///FILE``, relative or absolute with a fourth slash, or ``postgresql://USER@HOST/NAME``.

::

    StoreError
    ├── CannotOpen    at start: locked by another server, not writable, not a database of ours
    ├── Elsewhere     a room cannot be loaded: another living node owns it
    └── NotStored     a commit failed: nothing of it is stored, and nothing of it may be sent
        ├── Conflict  another node has changed part of it; the rest can be retried
        └── Fenced    this node's lease is over: it no longer owns its rooms

A store may be *shared* by several nodes. Then each room and each contest has one owner. A node renews its lease
(``renew``) before it expires; what a dead node owned can be taken over by others.
"""

from abc import abstractmethod
from collections.abc import Awaitable, Iterable, Sequence
from math import inf
from pathlib import Path
from urllib.parse import urlsplit

from parlour_server.persistence import Index, Known, Loaded, Pruned, Rated, Sightings, Write
from parlour_server.store.sql import Questions

GIVEN_UP = '%"r":"closed","why":"failed"}'
"""The pattern of the last line of a room whose game kept failing. Such rooms are not removed."""
PRUNE_ROOMS, PRUNE_LINES = 100, 2_000
"""Rooms that one step of ``prune`` looks at, and lines that it removes."""
PAGE = 1_000
"""Lines of a room that are read at a time, so that nothing else has to wait for a long log."""


class StoreError(Exception):
    """The store has failed. The text says what is wrong and what to do next."""


def reason(error: Exception) -> str:
    """Return ``error`` for the log. Texts of errors other than a store's may contain hidden cards."""
    return str(error) if isinstance(error, StoreError) else type(error).__name__


class CannotOpen(StoreError):
    """The store cannot be used at all."""


class Elsewhere(StoreError):
    """A living node owns ``room``: clients reach it under ``url``, other nodes under ``peer``."""

    def __init__(self, room: str, url: str, peer: str) -> None:
        super().__init__(f"room {room} is at {url}")
        self.room, self.url, self.peer = room, url, peer


class Overdue(StoreError):
    """The answer to a question took more than ``within`` seconds and was cancelled. Later it may take less."""

    def __init__(self, within: float) -> None:
        super().__init__(f"a question took more than {within:g} s and was cancelled")


class NotStored(StoreError):
    """A commit failed as a whole."""


class Fenced(NotStored):
    """This node's lease is over, or nearly. Nothing may be sent until ``renew`` succeeds again."""


class Conflict(NotStored):
    """Others own these ``rooms``, or have changed these ``people`` or ``contests``: every batch about them is lost.

    What is in memory about a person that another node has changed, or whose name it has given away, is outdated.
    """

    def __init__(self, rooms: Iterable[str] = (), people: Iterable[str] = (), contests: Iterable[str] = ()) -> None:
        self.rooms, self.people, self.contests = frozenset(rooms), frozenset(people), frozenset(contests)
        super().__init__(f"changed by another node: {', '.join(sorted(self.rooms | self.people | self.contests))}")


class Store(Questions):
    """A store. Calls come from one event loop. A call that raises StoreError has changed nothing."""

    shared = False
    """Whether there may be other nodes. If not, what is about them does nothing, and ``renew`` is never called."""

    @abstractmethod
    async def index(self) -> Index:
        """Return what is needed at the start, without the records of rooms. This is the first call.

        In a shared store this node is alive from now on. ``open_rooms`` and ``identities`` are only those without a
        living owner; ``known`` and ``load`` find the others. Raises CannotOpen, also if a node of this name is alive.
        """

    @abstractmethod
    async def load(self, room: str) -> Loaded:
        """Take over a room: raise its epoch, return that and all its lines.

        The previous owner can no longer append to it. If it has appended between the load and the new owner's first
        line, that line fails (Conflict). So the loading node appends a line, and sends nothing about the room before
        that line is stored. Raises LookupError if no open room has this code, Elsewhere if a living node owns it.
        """

    @abstractmethod
    def commit(self, writes: Sequence[Write]) -> Awaitable[list[Rated]]:
        """Store all writes durably, in order, or none. The result is the ratings that changed by it.

        Raises NotStored. If the connection is lost meanwhile, it returns only when the outcome is certain.
        """

    @abstractmethod
    async def known(self, names: Sequence[str], hashes: Sequence[str], people: Sequence[str] = ()) -> Known:
        """Return what is stored of all with one of these hashed secrets or ids, or a name that looks like one of these.

        Letter case does not matter.
        """

    @abstractmethod
    async def prune(self, before: int, after: str, most: int = PRUNE_ROOMS, names: int = 0) -> Pruned:
        """Remove up to ``most`` closed rooms with a code after ``after`` in which no match has ended since ``before``.

        ``before`` is in seconds since 1970. Results stay, without their files. A shared store also removes up to
        ``names`` identities that dead nodes have left behind; else the server itself forgets them.
        """

    @abstractmethod
    async def close(self) -> None:
        """Release everything."""

    async def release(self, room: str) -> None:
        """Release a room whose records are all stored, so that another node can load it."""
        return

    def adopt(self, known: Known, who: str) -> None:
        """Base later commits about ``who`` on what was read, because this node's memory follows it now.

        A commit about ``who`` fails if another node has changed ``who`` since its base: what was adopted or committed
        last.
        """
        return

    async def take_ticket(self, hash: str) -> tuple[str, str] | None:
        """Use up a ticket (hashed); return who it is for and the room, or None if it is not valid."""
        return None

    def introduce(self, url: str, peer: str) -> None:
        """Set the addresses that each renewal publishes: for clients (empty: none) and for nodes."""
        return

    async def renew(self, rows: str) -> Sightings:
        """Renew the lease, publish ``rows`` and return what other nodes publish. Raises Fenced if replaced.

        The store does not interpret ``rows``. Unchanged rows cost nothing.
        """
        return Sightings()

    async def _with_rest(self, room: str, lines: list[str]) -> list[str]:
        """Return these first lines of a room and all after them, which are read page by page."""
        while len(lines) % PAGE == 0 and (
            page := await self._fetch(self._lines, room, len(lines), len(lines) + PAGE - 1, within=inf)
        ):
            lines += [line for _, line in page]
        return lines


POSTGRES = ("postgresql://", "postgres://")
"""How the URLs of PostgreSQL begin."""


def path_of(url: str) -> Path:
    """Return the file of a SQLite store. Raises CannotOpen."""
    scheme, found, path = url.partition(":///")
    if url.startswith(POSTGRES):
        raise CannotOpen("this works on a file; for PostgreSQL use its own tools, pg_dump and psql")
    if scheme != "sqlite" or not found or not path:
        raise CannotOpen(f"unknown store {url!r}; use sqlite:///FILE (a fourth slash begins an absolute path)")
    return Path(path).expanduser()


def without_password(url: str) -> str:
    """Return a store's URL without its password."""
    parts = urlsplit(url)
    if not url.startswith(POSTGRES) or "@" not in parts.netloc:
        return url if not parts.query else url.partition("?")[0]
    user, _, host = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{user.partition(':')[0]}@{host}", query="").geturl()
