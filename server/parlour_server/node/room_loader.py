"""Load what is dormant in the store: rooms, as clients need them or a few at a time, and identities that are named.

A room with a long log is restored in slices, so that its loading holds up no one else.
"""

import asyncio
from collections.abc import Iterable

import structlog

from parlour_protocol.errors import NotNow, Refusal
from parlour_protocol.messages import Admin, Hello, Plain
from parlour_server.directory.identities import hashed
from parlour_server.directory.peers import RoomLocation
from parlour_server.effects import LogFault, place
from parlour_server.lobby.lobby import Lobby
from parlour_server.node.commits import CommitQueue
from parlour_server.node.sockets import RETRY_AFTER, Sockets
from parlour_server.node.tasks import Slices, Tasks, Wakeups
from parlour_server.persistence import Known
from parlour_server.store.base import Elsewhere, Fenced, Store, StoreError, reason


class Recall:
    """Reads the identities that a message names, on a server without other nodes."""

    def __init__(self, lobby: Lobby, store: Store, sockets: Sockets) -> None:
        self._lobby = lobby
        self._store = store
        self._sockets = sockets

    def wanted(self, data: Plain) -> tuple[list[str], list[str]] | None:
        """Return the names and hashed secrets to look for before ``data`` is received; None: nothing."""
        identities, kind = self._lobby.identities, data.get("t")
        if identities.complete or kind not in (Hello.t, Admin.t):
            return None
        name, token = data.get("name"), data.get("token")
        secrets = [each for each in (token, data.get("key")) if isinstance(each, str)] if kind == Hello.t else []
        hashes = [hashed(secret) for secret in secrets if identities.by_secret(secret) is None]
        names = [name] if isinstance(name, str) and (kind == Admin.t or token is None) else []
        names = [each for each in names if identities.by_name(each) is None]
        return (names, hashes) if names or hashes else None

    async def prepare(self, conn: int, data: Plain, now: int) -> Refusal | None:
        """Read what answering ``data`` needs. Returns a refusal if it cannot be answered now."""
        session, wanted = self._lobby.connections.sessions.get(conn), self.wanted(data)
        if session is None or session.gone or wanted is None:
            return None
        session.greeting = data.get("t") == Hello.t and session.who is None
        try:
            await self._read(*wanted, now)
        except StoreError:
            return NotNow("retry", "the store could not be read", RETRY_AFTER)
        finally:
            session.greeting = False
        socket = self._sockets.get(conn)  # a client that has gone may have said hello on a newer socket
        return (
            None
            if socket is not None and socket.is_open
            else NotNow("retry", "your connection has closed", RETRY_AFTER)
        )

    async def _read(self, names: list[str], hashes: list[str], now: int) -> None:
        lobby, loaded = self._lobby, None
        known = Known()
        while loaded is None:
            since = lobby.identities.writes
            known = await self._store.known(names, hashes)
            loaded = lobby.identities.recall(known.identities, since)
        lobby.identities.unplayed |= known.unplayed.intersection(loaded)
        lobby.ratings.changed(rated for rated in known.ratings if rated.who in loaded)
        for who in loaded:
            lobby.guests.left(who, now)


AT_ONCE = 8
"""The rooms that are loaded at the same time in the background. They share commits, and one is read while another is
restored."""

log = structlog.get_logger()


class RoomLoader:
    """Loads each room once at a time, however many clients wait for it."""

    def __init__(
        self, lobby: Lobby, store: Store, queue: CommitQueue, wakeups: Wakeups, tasks: Tasks, slices: Slices
    ) -> None:
        self.loading: dict[str, asyncio.Task[None]] = {}
        """The rooms that are being loaded."""
        self._lobby = lobby
        self._store = store
        self._queue = queue
        self._wakeups = wakeups
        self._tasks = tasks
        self._slices = slices

    async def load_all(self) -> None:
        """Load all dormant rooms."""
        rooms = iter(sorted(self._lobby.rooms.dormant))

        async def load_some() -> None:
            for room in rooms:
                await self.load(room)

        await asyncio.gather(*(load_some() for _ in range(AT_ONCE)))

    async def load(self, room: str) -> None:
        """Load a room if it is dormant. Errors are logged."""
        self.begin(room)
        if room in self.loading:
            await asyncio.shield(self.loading[room])

    def begin(self, room: str) -> None:
        """Start to load a room if it is dormant."""
        if room in self._lobby.rooms.dormant and room not in self.loading:
            self.loading[room] = self._tasks.spawn(self._load(room))

    def reload(self, rooms: Iterable[str]) -> None:
        """Start to load rooms that the lobby has discarded."""
        for room in rooms:
            self._wakeups.cancel(room)
            self.begin(room)

    async def _load(self, room: str) -> None:
        lobby, queue = self._lobby, self._queue
        try:
            await queue.settled()  # records from before the room was discarded may still wait for their commit
            if queue.stopped:
                return
            epoch, lines = await self._store.load(room)
            await self._adopt(room, epoch, lines)
        except Elsewhere as found:
            lobby.rooms.dormant.discard(room)
            lobby.peers.found(room, RoomLocation(found.url, found.peer))
        except Fenced:
            pass  # it stays dormant; the heartbeat logs once that the lease is over
        except StoreError as error:
            log.error("a stored room cannot be loaded just now", room=room, reason=reason(error))
        except Exception as error:
            lobby.rooms.dormant.discard(room)
            if not (self._store.shared and type(error) is LookupError):  # else a client named a room that is not there
                queue.put([LogFault(room, type(error).__name__, place(error), "kept", "it could not be read")])
        finally:
            del self.loading[room]

    async def _adopt(self, room: str, epoch: int, lines: list[str]) -> None:
        lobby, queue = self._lobby, self._queue
        try:
            restored = await self._slices.finish(lobby.rooms.restoring(lines))
            queue.put(lobby.adopt(room, epoch, restored, queue.now()))
        except Exception as error:  # its game may raise anything
            queue.put(lobby.cannot_load(room, epoch, lines, error))
            if room in lobby.rooms.unloadable:
                await self._store.release(room)
