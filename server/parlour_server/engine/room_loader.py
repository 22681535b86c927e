"""Loading: stored rooms come back, when they are wanted or a little at a time."""

import asyncio
from typing import TYPE_CHECKING

import structlog

from parlour_server.directory.peers import RoomLocation
from parlour_server.log_safety import place
from parlour_server.store.base import Elsewhere, Fenced, Store, StoreError, reason

if TYPE_CHECKING:
    from parlour_server.node.node import Node

log = structlog.get_logger()


class Loading:
    """The part of a node that brings its dormant rooms back."""

    def __init__(self, node: "Node", store: Store) -> None:
        self._node = node
        self._store = store
        self._under_way: dict[str, asyncio.Task[None]] = {}

    async def load_all(self) -> None:
        """Load one dormant room after the other."""
        for room in sorted(self._node.lobby.rooms.dormant):
            await self.load(room)

    async def load(self, room: str) -> None:
        """Load a dormant room, once however many wait for it. What goes wrong is logged."""
        if room not in self._node.lobby.rooms.dormant:
            return
        if room not in self._under_way:
            self._under_way[room] = self._node.spawn(self._adopt(room))
        await asyncio.shield(self._under_way[room])

    async def _adopt(self, room: str) -> None:
        node, lobby = self._node, self._node.lobby
        try:
            await node.settled()  # what the room did before it was discarded may be on its way to the store
            if node.stopped:
                return
            epoch, lines = await self._store.load(room)
            node.perform(lobby.adopt(room, epoch, lines, node.now()))
        except Elsewhere as found:
            lobby.rooms.dormant.discard(room)
            lobby.peers.found(room, RoomLocation(found.url, found.peer))
        except Fenced:
            pass  # it stays dormant; that this node is not heard is said once, for all rooms
        except StoreError as error:
            log.error("a stored room cannot be loaded just now", room=room, reason=reason(error))
        except Exception as error:
            lobby.rooms.dormant.discard(room)
            if self._store.shared and type(error) is LookupError:
                return  # it was only a guess
            log.error("a stored room cannot be loaded", room=room, reason=reason(error), where=place(error))
        finally:
            del self._under_way[room]
