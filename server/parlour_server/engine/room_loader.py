"""Load dormant rooms from the store, when a client needs them or a few at a time in the background.

A room with a long log is restored in slices, so that its loading holds up no one else.
"""

import asyncio
from collections.abc import Iterable

import structlog

from parlour_server.directory.peers import RoomLocation
from parlour_server.effects import Fault
from parlour_server.engine.commits import CommitQueue
from parlour_server.engine.slices import Slices
from parlour_server.engine.tasks import Tasks
from parlour_server.engine.wakeups import Wakeups
from parlour_server.lobby.lobby import Lobby
from parlour_server.log_safety import place
from parlour_server.store.base import Elsewhere, Fenced, Store, StoreError, reason

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
                queue.put([Fault(room, type(error).__name__, place(error), "kept", "it could not be read")])
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
