"""Route clients to rooms of other nodes.

A message is *prepared* before it is received: routing reads what other nodes may have stored about the identity that
says hello, and looks for a room that is not loaded here. ``notice``, ``sighted``, ``take_over`` and ``expire_guests``
go with each renewal of the node's lease.
"""

import asyncio
from collections.abc import Collection, Iterable
from contextlib import suppress

import structlog

from parlour_protocol.errors import NotNow, Refusal
from parlour_protocol.messages import Admin, Hello, Join, Plain, Seen
from parlour_server.directory.identities import hashed
from parlour_server.directory.room_creation import is_code
from parlour_server.directory.sessions import RATE, WRONG_CODE
from parlour_server.lobby.lobby import Lobby
from parlour_server.node.commits import CommitQueue
from parlour_server.node.relay import PAUSES, Relays
from parlour_server.node.room_loader import RoomLoader
from parlour_server.node.sockets import RETRY_AFTER, Sockets
from parlour_server.node.tasks import Tasks
from parlour_server.persistence import Sightings
from parlour_server.store.base import Store, StoreError

log = structlog.get_logger()


class Routing:
    """The part of a node that knows about other nodes."""

    def __init__(
        self, lobby: Lobby, store: Store, queue: CommitQueue, loader: RoomLoader, sockets: Sockets, tasks: Tasks
    ) -> None:
        self.relays = Relays(self, tasks)
        self._lobby = lobby
        self._lobby.peers.shared = True
        self._store = store
        self._queue = queue
        self._loader = loader
        self._sockets = sockets
        self.tasks = tasks
        self._since = 0
        self._peers: set[str] = set()

    async def close(self) -> None:
        """End all relays."""
        await self.relays.close()

    # --- before a message is received --------------------------------------------------------------------------

    async def prepare(self, conn: int, data: Plain) -> Refusal | None:
        """Read what answering ``data`` needs. Returns a refusal if it cannot be answered now."""
        session, kind = self._lobby.connections.sessions.get(conn), data.get("t")
        if session is None or session.gone:
            return None
        try:
            if kind == Hello.t and session.who is None:
                session.greeting = True
                await self._prepare_hello(data)
                return self._unless_gone(conn)
            if kind == Admin.t and isinstance(name := data.get("name"), str):
                await self.know([name], [])
            elif kind == Join.t and session.who is not None and isinstance(room := data.get("room"), str):
                return await self._prepare_join(conn, room.upper())
        except StoreError:
            return NotNow("retry", "the store could not be read", RETRY_AFTER)
        finally:
            session.greeting = False
        return None

    def _unless_gone(self, conn: int) -> Refusal | None:
        """Refuse a hello whose socket has closed meanwhile: its client may have said hello on a newer one."""
        socket = self._sockets.get(conn)
        return (
            None
            if socket is not None and socket.is_open
            else NotNow("retry", "your connection has closed", RETRY_AFTER)
        )

    async def _prepare_hello(self, data: Plain) -> None:
        ticket, name = data.get("ticket"), data.get("name")
        identities = self._lobby.identities
        if isinstance(ticket, str) and not identities.makes(ticket):
            await self._take_ticket(hashed(ticket))
            return
        secrets = [hashed(secret) for secret in (data.get("token"), data.get("key")) if isinstance(secret, str)]
        names = [name] if isinstance(name, str) else []
        await self.know(names, secrets)
        people = identities.asked(names, secrets)
        for room in sorted({room for who in people for room in self._lobby.rooms.seats.get(who, ())}):
            await self.find(room)

    async def _take_ticket(self, ticket: str) -> None:
        found = await self._store.take_ticket(ticket)
        if found is None:
            return
        who, room = found
        if who in await self.know([], [], [who]):
            identities = self._lobby.identities
            self._lobby.sync.person_changed(identities.get(who).saved(), identities.writes, self._queue.now())
            self._queue.put(self._lobby.take())
            self._lobby.peers.visits[ticket] = who, room
            await self.find(room)

    async def _prepare_join(self, conn: int, room: str) -> Refusal | None:
        session = self._lobby.connections.sessions[conn]
        if room in self._lobby.rooms.loaded or room in session.relayed or not is_code(room):
            return None
        if not session.affords(1 + WRONG_CODE, self._queue.now()):  # guessed codes must not cost queries
            return NotNow("rate_limited", "you have tried too many codes", (1 + WRONG_CODE) * 1000 // RATE)
        await self.find(room)
        return None

    async def find(self, room: str) -> None:
        """Look for a room. Afterwards it is loaded, located at another node, dormant (unknown), or does not exist."""
        if room not in self._lobby.rooms.loaded:
            self._lobby.peers.locations.pop(room, None)
            self._lobby.rooms.expect([room])
            await self._loader.load(room)

    async def know(self, names: Collection[str], hashes: Collection[str], people: Collection[str] = ()) -> set[str]:
        """Read the stored identities with these secret hashes or ids, or names like these; return the ids of all found.

        If another node has changed one that this node is about to write, that write will fail. They are read again
        after it has. Raises StoreError.
        """
        for _ in range(2):
            found, overtaken = await self._read(names, hashes, people)
            if not overtaken:
                return found
            await self._queue.settled()
        raise StoreError("other nodes change an identity faster than it can be read")

    async def _read(
        self, names: Collection[str], hashes: Collection[str], people: Collection[str]
    ) -> tuple[set[str], bool]:
        """Read identities once. Returns the ids of those that exist, and whether a write of this node will fail."""
        lobby, overtaken = self._lobby, False
        identities = lobby.identities
        asked, since = identities.asked(names, hashes) | set(people), identities.writes
        known = await self._store.known(list(names), list(hashes), sorted(asked))
        found = {saved.who: saved for saved in known.identities}
        new = [who for who in found if who not in identities]
        for who in asked | found.keys():
            if identities.refresh(who, found.get(who), since):
                self._store.adopt(known, who)
            else:
                overtaken |= identities.stored_of(who) != found.get(who)
            seats = {room for room, whose in known.seats if whose == who}
            lobby.rooms.set_stored_seats(who, seats)
        # those that are known here follow each change, and may be newer
        lobby.ratings.changed(new for new in known.ratings if lobby.ratings.of(new.who, new.game) is None)
        identities.unplayed.difference_update(found)
        identities.unplayed |= known.unplayed & found.keys()
        lobby.peers.people -= asked | found.keys()
        lobby.peers.people |= known.abroad
        for who in new:
            lobby.guests.left(who, self._queue.now())
        return set(found), overtaken

    # --- relays ---------------------------------------------------------------------------------------------------

    async def find_again(self, conn: int, room: str, seen: Seen | None) -> bool:
        """Look for the room of a broken relay and continue there. Returns False if it cannot be found now."""
        lobby = self._lobby
        await self.find(room)
        if room in lobby.rooms.dormant:
            return False
        if room in lobby.rooms.loaded:
            lobby.handoff.come_home(conn, room, self._queue.now())
            self._queue.put(lobby.take())
        elif lobby.handoff.is_elsewhere(room):
            lobby.handoff.relay_again(conn, room, seen)
            self._queue.put(lobby.take())
            await self._queue.settled()
        else:
            self.relay_ended(conn, room, True)
        return True

    def relay_ended(self, conn: int, room: str, left: bool) -> None:
        """Forget a relay that has ended. ``left``: the client has to be told that it is out of the room."""
        self._lobby.handoff.end(conn, room, left)
        self._queue.put(self._lobby.take())

    # --- with each renewal of the lease ------------------------------------------------------------------------------

    def notice(self) -> str:
        """Return what this node publishes. Call it right before the lease is renewed."""
        self._since = self._lobby.identities.writes
        return self._lobby.sync.notice(self._queue.now())

    def sighted(self, seen: Sightings) -> None:
        """Take in what other nodes publish and have stored, and end relays to nodes that are dead."""
        self._lose(seen.lost)
        peers = {peer.peer for peer in seen.peers}
        if peers != self._peers:  # they may have been upgraded, and what was beyond them, too
            self._peers = peers
            self._lobby.rooms.unloadable.clear()
        self.relays.keep_to(peers)
        for conn, room in self._lobby.handoff.take_stranded(peers):
            self.tasks.spawn(self._fetch_back(conn, room))
        self._lobby.sync.sighted(seen, self._since, self._queue.now())
        self._queue.put(self._lobby.take())

    def _lose(self, rooms: Iterable[str]) -> None:
        """Discard rooms that other nodes have taken over; the clients inside have to look for them."""
        lost = [room for room in rooms if room in self._lobby.rooms.loaded]
        if lost:
            log.warning("other nodes have taken rooms over", rooms=len(lost))
            conns = set[int]().union(*(self._lobby.rooms.discard(room) for room in lost))
            self._loader.reload(lost)
            self._sockets.send_away(conns)

    def release_all(self) -> None:
        """Discard all rooms and send all clients away."""
        for room in list(self._lobby.rooms.loaded):
            self._lobby.rooms.discard(room)
        self._sockets.send_all_away()

    def take_over(self, orphans: Collection[str]) -> None:
        """Load rooms whose node is dead, and dormant rooms that could not be loaded before."""
        rooms = self._lobby.rooms
        for room in rooms.unloadable.keys() - set(orphans):  # another node may have taken it
            del rooms.unloadable[room]
        found = [room for room in orphans if room not in rooms.loaded and room not in rooms.unloadable]
        if found:
            log.warning("taking over rooms without an owner", rooms=len(found))
        rooms.expect(found)
        for room in sorted(rooms.dormant):
            self._loader.begin(room)

    async def _fetch_back(self, conn: int, room: str) -> None:
        """Continue with a client whose room was at a node that is dead. A frozen node would never close the socket."""
        lobby = self._lobby
        with suppress(StoreError):
            await self.find(room)
            while room in lobby.rooms.dormant and conn in lobby.connections.sessions:
                await asyncio.sleep(PAUSES[-1])
                await self.find(room)
            if conn in lobby.connections.sessions and (who := lobby.connections.sessions[conn].who) is not None:
                await self._read([], [], [who])
            lobby.handoff.fetch_back(conn, room, self._queue.now())
            self._queue.put(lobby.take())

    async def expire_guests(self) -> None:
        """Forget guests who have been away for long, here and at other nodes. Raises StoreError."""
        lobby, now = self._lobby, self._queue.now()
        people = {*lobby.guests.due_by(now), *lobby.bots.available}
        if people:
            await self._read([], [], people)
        lobby.guests.expire(now)
        self._queue.put(lobby.take())
