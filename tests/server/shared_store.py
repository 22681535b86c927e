"""A store that several nodes share, in memory: what a shared store promises, without a database.

::

    shared = Shared()
    one, two = shared.store("one"), shared.store("two")     # each for a Node of its own
    shared.die("one")                                       # its lease is over; what it says is refused
    (await two.renew("")).orphans                           # what two may load now
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import Any, TypeVar

import attrs
from msgspec.structs import replace

from parlour_protocol.names import looks
from parlour_server import persistence as p
from parlour_server.store.base import Conflict, Elsewhere, Fenced, Store
from parlour_server.store.sql import QUESTION, Row, Steps

T = TypeVar("T")


@attrs.define
class Stored:
    owner: str | None
    epoch: int
    open: bool
    kept: bool
    lines: list[str] = attrs.field(factory=list)


class Shared:
    """The memory that all have in common. Time stands still; nodes die when a test says so."""

    def __init__(self) -> None:
        self.living: dict[str, p.PeerNode] = {}
        self.rooms: dict[str, Stored] = {}
        self.identities: dict[str, p.SaveIdentity] = {}
        self.homes: dict[str, str] = {}
        """The node to which each identity said hello last."""
        self.versions: dict[str, int] = {}
        self.seats: set[tuple[str, str]] = set()
        self.matches: dict[str, p.SaveMatch] = {}
        self.contests: dict[str, p.SaveContest] = {}
        self.pairings: dict[tuple[str, int], p.SavePairing] = {}
        self.holders: dict[str, str] = {}
        self.webhooks: dict[str, p.StoredWebhook] = {}
        self.turns: dict[tuple[str, str], str] = {}
        self.calls: list[tuple[str, str | None]] = []
        """Who was called, with the fault."""
        self.tickets: dict[str, tuple[str, str]] = {}
        self.ratings: list[p.Rated] = []
        self.changes: list[tuple[str, p.Change]] = []
        self.version = count(1)

    def store(self, name: str, url: str = "") -> "SharedStore":
        """Return the store of node ``name``, whose clients come to ``url``; it lives once it reads the index."""
        return SharedStore(self, p.PeerNode(name, url or f"ws://{name}", f"ws://{name}.inside"))

    def die(self, name: str) -> None:
        """Let the lease of a node be over; its store refuses to speak until ``renew``."""
        self.living.pop(name, None)

    def now(self, change: p.Change) -> p.Change:
        """Return what a change has come to by now."""
        if isinstance(change, p.SaveIdentity):
            return self.identities.get(change.who, p.DropIdentity(change.who))
        return change

    def check(self, node: str, writes: Sequence[p.Write], seen: dict[str, int]) -> None:
        """Raise Conflict if others own, or have changed, any of what is to be written."""
        new = {write.room for write in writes if isinstance(write, p.SaveRoom) and write.open}
        rooms = {w.room for w in writes if isinstance(w, p.Append) and w.room not in new and self.lost(node, w)}
        rooms |= new & self.rooms.keys()
        people = {w.who for w in writes if isinstance(w, p.SaveIdentity) and self.stale(w, writes, seen)}
        begun = {w for w in writes if isinstance(w, p.SavePairing) and w.result is None}
        contests = {w.contest for w in begun if (w.contest, w.number) in self.pairings}
        contests |= {w.name for w in writes if isinstance(w, p.SaveContest) and self.holders.get(w.name, node) != node}
        if rooms or people or contests:
            raise Conflict(rooms, people, contests)

    def lost(self, node: str, write: p.Append) -> bool:
        room = self.rooms.get(write.room)
        return room is None or (room.owner, room.epoch) != (node, write.epoch)

    def stale(self, write: p.SaveIdentity, writes: Sequence[p.Write], seen: dict[str, int]) -> bool:
        dropped = {each.who for each in writes if isinstance(each, p.DropIdentity)}
        taken = any(
            each.name.lower() == write.name.lower() and who != write.who and who not in dropped
            for who, each in self.identities.items()
        )
        return taken or self.versions.get(write.who, 0) != seen.get(write.who, 0)


class SharedStore(Store):
    """One node's way to the memory that all have in common."""

    shared = True

    def __init__(self, shared: Shared, me: p.PeerNode) -> None:
        self._shared = shared
        self._me = me
        self._seen: dict[str, int] = {}
        """The version of each identity as this node knows it."""
        self._read = 0
        self._loaded: set[str] = set()

    async def index(self) -> p.Index:
        shared = self._shared
        shared.living[self._me.name] = self._me
        self._read = len(shared.changes)
        orphans = tuple(self._orphans())
        mine = [each for who, each in shared.identities.items() if self._home(who) in (None, self._me.name)]
        self._see(mine)
        return p.Index(
            orphans,
            tuple(code for code in orphans if shared.rooms[code].kept),
            tuple(shared.rooms),
            tuple(mine),
            tuple(shared.seats),
            (),
            tuple(shared.contests.values()),
            tuple(shared.pairings.values()),
        )

    async def load(self, room: str) -> tuple[int, list[str]]:
        self._alive()
        stored = self._shared.rooms.get(room)
        if stored is None or not stored.open:
            raise LookupError(room)
        if stored.owner in self._shared.living and stored.owner not in (None, self._me.name):
            owner = self._shared.living[stored.owner]
            raise Elsewhere(room, owner.url, owner.peer)
        stored.owner = self._me.name
        stored.epoch += 1
        self._loaded.add(room)
        return stored.epoch, list(stored.lines)

    async def release(self, room: str) -> None:
        self._loaded.discard(room)
        self._shared.rooms[room].owner = None

    async def commit(self, writes: Sequence[p.Write]) -> list[p.Rated]:
        self._alive()
        self._shared.check(self._me.name, writes, self._seen)
        for write in writes:
            self._write(write)
        return []

    async def known(self, names: Sequence[str], hashes: Sequence[str], people: Sequence[str] = ()) -> p.Known:
        self._alive()
        shared = self._shared
        wanted, alike = set(hashes), {look for name in names for look in looks(name)}
        found = [
            each
            for each in shared.identities.values()
            if looks(each.name) & alike or each.who in people or {each.token, each.previous, each.key} & wanted
        ]
        who = {each.who for each in found}
        here = (None, self._me.name)
        return p.Known(
            tuple(found),
            {each: shared.versions[each] for each in who},
            tuple(seat for seat in shared.seats if seat[1] in who and shared.rooms[seat[0]].open),
            frozenset(each for each in who if self._home(each) not in here),
            ratings=tuple(rated for rated in shared.ratings if rated.who in who),
        )

    def adopt(self, known: p.Known, who: str) -> None:
        self._seen.pop(who, None)
        if who in known.versions:
            self._seen[who] = known.versions[who]

    async def take_ticket(self, hash: str) -> tuple[str, str] | None:
        self._alive()
        return self._shared.tickets.pop(hash, None)

    def introduce(self, url: str, peer: str) -> None:
        self._me = replace(self._me, url=url, peer=peer)

    async def renew(self, rows: str) -> p.Sightings:
        shared = self._shared
        self._me = replace(self._me, rows=rows)
        shared.living[self._me.name] = self._me
        lost = {code for code in self._loaded if shared.rooms[code].owner != self._me.name}
        self._loaded -= lost
        news = [shared.now(change) for writer, change in shared.changes[self._read :] if writer != self._me.name]
        self._read = len(shared.changes)
        for name, holder in shared.holders.items():
            if holder not in shared.living:
                shared.holders[name] = self._me.name
        return p.Sightings(
            tuple(peer for name, peer in sorted(shared.living.items()) if name != self._me.name),
            tuple(self._orphans()),
            tuple(sorted(lost)),
            tuple(news),
            frozenset(name for name, holder in shared.holders.items() if holder == self._me.name),
        )

    async def match_lines(self, digest: str) -> list[str] | None:
        found = self._shared.matches.get(digest)
        if found is None:
            return None
        return self._shared.rooms[found.room].lines[found.match.first : found.match.last + 1]

    async def webhook(self, who: str) -> p.StoredWebhook | None:
        return self._shared.webhooks.get(who)

    async def take_turn(self, who: str, room: str, turn: str) -> p.StoredWebhook | None:
        found, shared = self._shared.webhooks.get(who), self._shared
        if found is None or shared.turns.get((who, room)) == turn:
            return None
        shared.turns[who, room] = turn
        return found

    async def note_call(self, who: str, url: str, fault: str | None) -> None:
        self._shared.calls.append((who, fault))

    async def _fetch(self, statement: str, *args: Any, within: float = QUESTION) -> list[Row]:
        return []

    async def _ask(self, steps: Callable[[], Steps[T]], within: float = QUESTION) -> T:
        raise NotImplementedError

    async def _change(self, steps: Callable[[], Steps[T]]) -> T:
        raise NotImplementedError

    async def prune(self, before: int, after: str, most: int = 100, names: int = 0) -> p.Pruned:
        return p.Pruned((), None)

    async def close(self) -> None:
        self._shared.die(self._me.name)

    def _alive(self) -> None:
        if self._shared.living.get(self._me.name) is None:
            raise Fenced("the lease of this node is over")

    def _home(self, who: str) -> str | None:
        """Return the node that has to do with ``who``, if it lives."""
        home = self._shared.homes.get(who)
        return home if home in self._shared.living else None

    def _orphans(self) -> Iterator[str]:
        for code, room in self._shared.rooms.items():
            if room.open and room.owner not in self._shared.living:
                yield code

    def _see(self, identities: Iterable[p.SaveIdentity]) -> None:
        self._seen |= {each.who: self._shared.versions[each.who] for each in identities}

    def _write(self, write: p.Write) -> None:
        shared = self._shared
        match write:
            case p.SaveRoom() if write.open:
                shared.rooms[write.room] = Stored(self._me.name, write.epoch, True, write.kept)
                self._loaded.add(write.room)
            case p.SaveRoom():
                shared.rooms[write.room].open = False
                self._loaded.discard(write.room)
            case p.Append():
                lines = shared.rooms[write.room].lines
                assert write.n == len(lines), f"line {write.n} of {write.room} comes behind {len(lines)}"
                lines.append(write.line)
            case p.SaveSeat():
                (shared.seats.add if write.seated else shared.seats.discard)((write.room, write.who))
            case p.SaveDaily() | p.SaveLink() | p.SaveMissed() | p.DropMissed() | p.SavePreset() | p.DropPreset():
                pass
            case p.SaveWebhook():
                shared.webhooks[write.who] = p.StoredWebhook(write.url, write.format, write.lang)
            case p.DropWebhook():
                shared.webhooks.pop(write.who, None)
            case p.SaveTicket():
                shared.tickets[write.hash] = write.who, write.room
            case p.SaveMatch():
                shared.matches[write.match.digest] = write
            case _:
                self._follow(write)

    def _follow(self, write: p.SaveIdentity | p.DropIdentity | p.SaveContest | p.SavePairing) -> None:
        shared = self._shared
        shared.changes.append((self._me.name, write))
        match write:
            case p.SaveIdentity():
                shared.identities[write.who] = write
                shared.homes[write.who] = self._me.name
                shared.versions[write.who] = self._seen[write.who] = next(shared.version)
            case p.DropIdentity() if write.erased or self._home(write.who) in (None, self._me.name):
                for known in (shared.identities, shared.homes, shared.versions, self._seen):
                    known.pop(write.who, None)
            case p.SaveContest():
                shared.contests[write.name] = write
                shared.holders.setdefault(write.name, self._me.name)
            case p.SavePairing():
                shared.pairings[write.contest, write.number] = write
