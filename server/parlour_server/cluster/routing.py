"""What a node does because there are others: it asks the store before it decides, and leads its people to their rooms.

A message is *prepared* before it is received: what the other nodes may have stored of who says hello is read again, and
a room that is not here is looked for. ``notice``, ``sighted`` and ``lapse`` go with each renewal of the node's lease.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from parlour_protocol.errors import NotNow, Refusal
from parlour_protocol.messages import Admin, Hello, Join, Plain, Seen
from parlour_server.cluster.relay import PAUSES, Relays, Ways
from parlour_server.directory.identities import hashed
from parlour_server.directory.room_codes import is_code
from parlour_server.directory.sessions import RATE, WRONG_CODE
from parlour_server.persistence import Sightings
from parlour_server.store.base import Store, StoreError

if TYPE_CHECKING:
    from parlour_server.node.node import Node

RETRY_AFTER = 1_000
"""Milliseconds after which it is worth while to ask again what could not be read."""


class Routing:
    """The part of a node that knows of other nodes."""

    def __init__(self, node: "Node", store: Store) -> None:
        self._node = node
        self._store = store
        self._lobby = node.lobby
        self._lobby.peers.shared = True
        self._since = 0
        self._fetching: set[asyncio.Task[None]] = set()
        self.relays = Relays(Ways(self._find_again, self._ended))

    async def close(self) -> None:
        """End all that goes on with other nodes."""
        for task in self._fetching:
            task.cancel()
        await self.relays.close()

    # --- before a message is received --------------------------------------------------------------------------

    async def prepare(self, conn: int, data: Plain) -> Refusal | None:
        """Read what has to be known to answer ``data``; return why it cannot be answered now, if so."""
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
        """Refuse who has hung up while the store was asked: it may have said hello on a newer socket, which counts."""
        link = self._node.links.get(conn)
        return None if link is not None and link.is_open else NotNow("retry", "you have gone", RETRY_AFTER)

    async def _prepare_hello(self, data: Plain) -> None:
        ticket, name = data.get("ticket"), data.get("name")
        identities = self._lobby.identities
        if isinstance(ticket, str) and not identities.makes(ticket):
            await self._take_ticket(hashed(ticket))
            return
        secrets = [hashed(secret) for secret in (data.get("token"), data.get("key")) if isinstance(secret, str)]
        people = await self.know([name] if isinstance(name, str) else [], secrets)
        for room in sorted({room for who in people for room in self._lobby.rooms.seats.get(who, ())}):
            await self.find(room)

    async def _take_ticket(self, ticket: str) -> None:
        since = self._lobby.identities.writes
        found = await self._store.take_ticket(ticket)
        if found is not None:
            saved, room = found
            self._lobby.sync.person_changed(saved, since, self._node.now())
            self._node.perform(self._lobby.take())
            self._lobby.identities.refresh(saved.who, saved, since)
            self._lobby.peers.visits[ticket] = saved.who, room
            await self.find(room)

    async def _prepare_join(self, conn: int, room: str) -> Refusal | None:
        session = self._lobby.connections.sessions[conn]
        if room in self._lobby.rooms.loaded or room in session.relayed or not is_code(room):
            return None
        if not session.affords(1 + WRONG_CODE, self._node.now()):  # nobody makes the store look for what they guess
            return NotNow("rate_limited", "too many codes", (1 + WRONG_CODE) * 1000 // RATE)
        await self.find(room)
        return None

    async def find(self, room: str) -> None:
        """Look for a room: afterwards it is here, known to be elsewhere, dormant (nobody knows), or there is none."""
        if room not in self._lobby.rooms.loaded:
            self._lobby.peers.locations.pop(room, None)
            self._lobby.rooms.dormant.add(room)
            await self._node.loading.load(room)

    async def know(self, names: Iterable[str], hashes: Iterable[str], people: Iterable[str] = ()) -> set[str]:
        """Read anew what is stored of these people; return who they are."""
        names, hashes, identities = list(names), list(hashes), self._lobby.identities
        asked, since = identities.asked(names, hashes) | set(people), identities.writes
        known = await self._store.known(names, hashes, sorted(asked))
        found = {saved.who: saved for saved in known.identities}
        for who in asked | found.keys():
            identities.refresh(who, found.get(who), since)
            seats = {room for room, whose in known.seats if whose == who}
            self._lobby.rooms.set_stored_seats(who, seats)
        self._lobby.peers.people -= asked | found.keys()
        self._lobby.peers.people |= known.abroad
        return set(found)

    # --- relays ---------------------------------------------------------------------------------------------------

    async def _find_again(self, conn: int, room: str, seen: Seen | None) -> bool:
        lobby = self._lobby
        await self.find(room)
        if room in lobby.rooms.dormant:
            return False
        if room in lobby.rooms.loaded:
            lobby.handoff.come_home(conn, room, self._node.now())
            self._node.perform(lobby.take())
        elif lobby.handoff.is_elsewhere(room):
            lobby.handoff.relay_again(conn, room, seen)
            self._node.perform(lobby.take())
            await self._node.settled()
        else:
            self._ended(conn, room, True)
        return True

    def _ended(self, conn: int, room: str, left: bool) -> None:
        self._lobby.handoff.end(conn, room, left)
        self._node.perform(self._lobby.take())

    # --- with each renewal of the lease ------------------------------------------------------------------------------

    def notice(self) -> str:
        """Return what this node publishes; to be asked for right before the lease is renewed."""
        self._since = self._lobby.identities.writes
        return self._lobby.sync.notice(self._node.now())

    def sighted(self, seen: Sightings) -> None:
        """Take in what the others publish and have stored; leave those that live no more."""
        peers = {peer.peer for peer in seen.peers}
        self.relays.keep_to(peers)
        for conn, room in self._lobby.handoff.take_stranded(peers):
            task = asyncio.get_running_loop().create_task(self._fetch_back(conn, room))
            self._fetching.add(task)
            task.add_done_callback(self._fetching.discard)
        self._lobby.sync.sighted(seen, self._since, self._node.now())
        self._node.perform(self._lobby.take())

    async def _fetch_back(self, conn: int, room: str) -> None:
        """Go on with a client whose room was at a node that has died. One that is frozen would never hang up."""
        lobby = self._lobby
        with suppress(StoreError):
            await self.find(room)
            while room in lobby.rooms.dormant and conn in lobby.connections.sessions:
                await asyncio.sleep(PAUSES[-1])
                await self.find(room)
            if conn in lobby.connections.sessions and (who := lobby.connections.sessions[conn].who) is not None:
                await self.know([], [], [who])
            lobby.handoff.fetch_back(conn, room, self._node.now())
            self._node.perform(lobby.take())

    async def lapse(self) -> None:
        """Forget guests who have been gone for long, here and at the other nodes. Raises StoreError."""
        lobby, now = self._lobby, self._node.now()
        people = {*lobby.guests.due_by(now), *lobby.bots.available}
        if people:
            await self.know([], [], people)
        lobby.guests.expire(now)
        self._node.perform(lobby.take())
