"""Sync: what this node publishes for other nodes and takes in of theirs, with each renewal of its lease."""

import json
from collections.abc import Iterator
from itertools import islice

import attrs

from parlour_protocol.errors import SHUT_OUT
from parlour_protocol.messages import RoomRow
from parlour_server import persistence
from parlour_server.contests.director import Director
from parlour_server.directory.bot_pool import BotPool, RemoteBot
from parlour_server.directory.identities import Identities, Ratings
from parlour_server.directory.peers import Peers, RoomLocation
from parlour_server.directory.rooms import RoomDirectory, is_listed, is_shown, row
from parlour_server.directory.sessions import Connections
from parlour_server.lobby.handoff import Handoff
from parlour_server.persistence import DropIdentity, SaveIdentity, Sightings

MOST_ROWS = 1_000
"""Rooms, and bots, that a node publishes."""
CALLED_AFTER = 3_000
"""Milliseconds after which a bot whose seat is empty is called to it: its room may have moved to another node."""


@attrs.define(eq=False)
class Sync:
    """Keeps this node's picture of the other nodes current, and theirs of this one."""

    _identities: Identities
    _connections: Connections
    _rooms: RoomDirectory
    _bots: BotPool
    _ratings: Ratings
    _peers: Peers
    _director: Director
    _handoff: Handoff

    def notice(self, now: int) -> str:
        """Return what this node publishes: its rooms, its bots, and the bots that it calls."""
        peers = self._peers
        peers.calls |= {(code, who) for code, who in self._missed(now) if who in self._bots.remote}
        peers.calls &= set(self._waiting())
        loaded = [each.room for each in self._rooms.loaded.values()]
        rooms = [row(room) for room in islice(filter(is_listed, loaded), MOST_ROWS)]
        hidden = (room for room in loaded if is_shown(room) and not is_listed(room))
        unlisted = [row(room) for room in islice(hidden, MOST_ROWS)]
        bots = [attrs.astuple(bot) for bot in self._bots.published()[:MOST_ROWS]]
        notice = {"rooms": rooms, "unlisted": unlisted, "bots": bots, "calls": sorted(peers.calls)}
        return json.dumps(notice, separators=(",", ":"))

    def sighted(self, seen: Sightings, since: int, now: int) -> None:
        """Take in what the other nodes publish, and what they have stored since the last time.

        ``since``: how many writes about identities had been stored here before.
        """
        peers, remote, calls = self._peers, self._bots.remote, set()
        peers.rows.clear()
        peers.unlisted.clear()
        remote.clear()
        peers.contests = seen.contests
        for peer in seen.peers:
            notice = json.loads(peer.rows) if peer.rows else {"rooms": [], "bots": [], "calls": []}
            peers.rows |= self._elsewhere(notice["rooms"])
            peers.unlisted |= self._elsewhere(notice.get("unlisted", []))  # an older node publishes none
            remote |= {who: RemoteBot(who, *rest) for who, *rest in notice["bots"]}
            for code, who in notice["calls"]:
                calls.add((code, who))
                self._answer_call(code, who, RoomLocation(peer.url, peer.peer))
        peers.answered &= calls
        self._rooms.used.update(peers.rows)
        for change in seen.changes:
            self._follow(change, since, now)

    def _elsewhere(self, rows: list[RoomRow]) -> dict[str, RoomRow]:
        return {row["room"]: row for row in rows if row["room"] not in self._rooms.loaded}

    def person_changed(self, saved: SaveIdentity, since: int, now: int) -> None:
        """Take in that another node has greeted or banned an identity: connections from before are void.

        ``since``: how many writes about identities had been stored here before this was read.
        """
        who = saved.who
        if who not in self._identities or not self._identities.refresh(who, saved, since):
            return
        if saved.banned:
            self._director.forfeit(who, now)
        for session in self._connections.of(who):
            if saved.banned:
                self._connections.hang_up(session, "banned", "an admin has banned you from this server", SHUT_OUT)
            elif session.generation != saved.token:
                self._connections.replace(session)
                if session.side is None:
                    self._bots.withdraw(who)
                    self._peers.people.add(who)

    def _person_gone(self, drop: DropIdentity, since: int, now: int) -> None:
        """Take in that another node has forgotten an identity, or that its owner had it deleted."""
        who = drop.who
        if drop.erased:
            for code in sorted(self._rooms.seats_of(who) & self._rooms.loaded.keys()):
                self._rooms.update(code, now, lambda room, at: room.seating.leave(at, who, None))
        if self._identities.refresh(who, None, since):
            for session in self._connections.of(who):
                self._connections.hang_up(session, "deleted", "this identity has been deleted", SHUT_OUT)

    def _follow(self, change: persistence.Change, since: int, now: int) -> None:
        match change:
            case persistence.SaveIdentity():
                self.person_changed(change, since, now)
            case persistence.DropIdentity():
                self._person_gone(change, since, now)
            case persistence.Rated():
                self._ratings.changed([change])
            case persistence.SaveContest():
                self._director.contest_changed(change)
            case persistence.SavePairing():
                self._director.pairing_changed(change)

    def _waiting(self) -> Iterator[tuple[str, str]]:
        """Yield the calls whose bot has its seat here and has not come yet."""
        for code, who in self._peers.calls:
            loaded = self._rooms.loaded.get(code)
            if loaded is not None and self._rooms.sits_in(who, code) and who not in loaded.room.audience.here:
                yield code, who

    def _missed(self, now: int) -> Iterator[tuple[str, str]]:
        """Yield room and bot for the seats here whose bot has been absent for a while."""
        for code, loaded in self._rooms.loaded.items():
            for number, since in loaded.room.audience.absent.items():
                seat = loaded.room.state.seats[number]
                if seat is not None and seat.who and seat.kind == "bot" and loaded.time(now) - since > CALLED_AFTER:
                    yield code, seat.who

    def _answer_call(self, code: str, who: str, location: RoomLocation) -> None:
        """Send a bot of this node to the seat that it was given at another node, if it is still available."""
        session = self._connections.main_session(who)
        if who not in self._bots.available or session is None or (code, who) in self._peers.answered:
            return
        self._peers.answered.add((code, who))
        if code not in self._rooms.loaded and code not in session.relayed:
            self._peers.found(code, location)
            self._handoff.send(session, code, None)
