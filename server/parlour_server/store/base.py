"""The ``Store`` protocol and its errors. ``registry.open_store`` opens a store by its URL.

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

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias
from urllib.parse import urlsplit

from parlour_games.game import Best
from parlour_protocol.messages import (
    ChainLink,
    DailyRow,
    Kind,
    MissedRow,
    OwnDaily,
    PresetRow,
    ProfileRow,
    StandingsRow,
)
from parlour_server.persistence import (
    Index,
    Known,
    Loaded,
    Meeting,
    Pruned,
    Rated,
    Sightings,
    StoredWebhook,
    Write,
)

RatedMatch: TypeAlias = tuple[int, str, list[tuple[str, str, str | None, int, int]]]
"""When a match ended, in seconds since 1970; its digest; name, kind, style, rank and points of its players."""
Before: TypeAlias = tuple[int, str]
"""A place among matches in the order of their ends: a time and a digest."""
LATEST: Before = 2**62, ""
"""The place after all matches."""
QUESTION = 2.0
"""Seconds that a question may take."""
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
    """The answer to a question took too long and was given up. Later it may take less."""


class NotStored(StoreError):
    """A commit failed as a whole."""


class Fenced(NotStored):
    """This node's lease is over, or nearly. Nothing may be sent until ``renew`` succeeds again."""


class Conflict(NotStored):
    """Others own these ``rooms``, or have changed these ``people`` or ``contests``: every batch about them is lost.

    What is in memory about a person that another node has changed, or whose name it has given away, is outdated.
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
    """A store. Calls come from one event loop. A call that raises StoreError has changed nothing.

    Questions of clients are read beside the commits, which wait for none. They raise Overdue after ``QUESTION`` s.
    """

    shared: bool
    """Whether there may be other nodes. If not, ``renew`` is never called."""

    async def index(self) -> Index:
        """Return everything but the records of rooms. This is the first call.

        In a shared store this node is alive from now on. ``open_rooms`` and ``identities`` are only those without a
        living owner; ``known`` and ``load`` find the others. Raises CannotOpen, also if a node of this name is alive.
        """

    async def load(self, room: str) -> Loaded:
        """Take over a room: raise its epoch, return that and all its lines.

        The previous owner can no longer append to it. If it has appended between the load and the new owner's first
        line, that line fails (Conflict). So the loading node appends a line, and sends nothing about the room before
        that line is stored. Raises LookupError if no open room has this code, Elsewhere if a living node owns it.
        """

    async def release(self, room: str) -> None:
        """Release a room whose records are all stored, so that another node can load it."""

    async def commit(self, writes: Sequence[Write]) -> list[Rated]:
        """Store all writes durably, in order, or none. Returns the ratings that changed by it.

        Raises NotStored. If the connection is lost meanwhile, it returns only when the outcome is certain.
        """

    async def known(self, names: Sequence[str], hashes: Sequence[str], people: Sequence[str] = ()) -> Known:
        """Return what is stored of all with one of these names (letter case aside), hashed secrets or ids.

        A store that is not shared also finds names that look like one of these.
        """

    def adopt(self, known: Known, who: str) -> None:
        """Base later commits about ``who`` on what was read, because this node's memory follows it now.

        A commit about ``who`` fails if another node has changed ``who`` since its base: what was adopted or committed
        last.
        """

    async def take_ticket(self, hash: str) -> tuple[str, str] | None:
        """Use up a ticket (hashed); return who it is for and the room, or None if it is not valid."""

    def introduce(self, url: str, peer: str) -> None:
        """Set the addresses that each renewal publishes: for clients (empty: none) and for nodes."""

    async def renew(self, rows: str) -> Sightings:
        """Renew the lease, publish ``rows`` and return what other nodes publish. Raises Fenced if replaced.

        The store does not interpret ``rows``. Unchanged rows cost nothing.
        """

    async def match_lines(self, digest: str) -> list[str] | None:
        """Return the log lines of the finished match with this digest."""

    async def standings(self, game: str | None, after: str | None, limit: int) -> tuple[list[StandingsRow], str | None]:
        """Return a page of the leaderboard, and where the next one begins.

        The best come first: of one game by rating, then, as of all games together, by wins, points and name.
        """

    async def rated(self, game: str, before: Before = LATEST) -> tuple[list[RatedMatch], Before | None]:
        """Return the last rated matches of a game that ended ``before``, latest first, and the next ``before``."""

    async def meetings(self, game: str) -> list[Meeting]:
        """Return which two bots met in rated matches of a game for two, each pair and order of seats once."""

    async def profile(self, name: str) -> tuple[str, Kind, list[ProfileRow]] | None:
        """Return the name as it was shown last, its kind, and what it has done by game; None: it has finished nothing.

        Letter case does not matter.
        """

    async def daily(self, day: str, board: str, name: str, best: Best = "time") -> tuple[list[DailyRow], OwnDaily]:
        """Return the best results of a day's board, and what ``name`` has done with it."""

    async def chain(self, after: int, limit: int) -> list[ChainLink]:
        """Return links of the public chain, from number ``after`` + 1 on."""

    async def presets(self, game: str | None, who: str) -> list[PresetRow]:
        """Return the presets of ``game``, or of all, by game and name. Those that ``who`` has saved are ``mine``."""

    async def webhook(self, who: str) -> StoredWebhook | None:
        """Return the webhook of ``who``."""

    async def take_turn(self, who: str, room: str, turn: str) -> StoredWebhook | None:
        """Return the webhook to call because it is the turn of ``who`` in ``room``; None: none is to be called.

        That is so if there is none, it was switched off, it was called too often in this hour, or someone took this
        turn before. Of several calls at a time, also by several nodes, one gets it.
        """

    async def note_call(self, who: str, url: str, fault: str | None) -> None:
        """Note that the webhook of ``who`` was called, if it still has this URL; ``fault``: what was wrong.

        After ``results.FAULTS`` in a row it is switched off. A call without a fault switches it on again.
        """

    async def missed(self, who: str) -> list[MissedRow]:
        """Return the last matches that ended while ``who`` was away, the latest first."""

    async def prune(self, before: int, after: str, most: int = PRUNE_ROOMS, names: int = 0) -> Pruned:
        """Remove up to ``most`` closed rooms with a code after ``after`` in which no match has ended since ``before``.

        ``before`` is in seconds since 1970. Results stay, without their files. A shared store also removes up to
        ``names`` identities that dead nodes have left behind; else the server itself forgets them.
        """

    async def close(self) -> None:
        """Release everything."""


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
