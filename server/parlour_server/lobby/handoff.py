"""Several nodes behind one store: what this one knows of the others, and how its people come to rooms over there.

Each room lives at one node. Whoever asks another for it is sent there, if the client can follow (``redirect``), or else
what both say is passed on (``effects.Relay``). Either way a ticket, stored before it is told, opens a *side socket* at
the room's node: for one identity and one room, beside the main socket.
"""

import json
from collections.abc import Callable, Collection, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import attrs

from parlour_protocol.errors import Denied, NotNow
from parlour_protocol.messages import Hello, Left, Plain, Redirect, RoomRow, Seen
from parlour_server import effects, persistence
from parlour_server.contests import contest
from parlour_server.contests import director as contests
from parlour_server.directory import bot_pool
from parlour_server.directory.bot_pool import Distant
from parlour_server.directory.identities import hashed
from parlour_server.persistence import Sightings

if TYPE_CHECKING:
    from parlour_server.directory.sessions import Session
    from parlour_server.lobby.lobby import Live, Lobby


TICKET_MS = 30_000
"""Milliseconds for which a ticket is good."""
MOST_ROWS = 1_000
"""Rooms, and bots, that a node tells the others of."""
MOST_HOMES = 10_000
"""Rooms of other nodes whose place is remembered from the last time that somebody wanted to go there."""
CALLED_AFTER = 3_000
"""Milliseconds after which a bot whose seat is empty is called to it: its room may have come to another node."""
REPLACED = 4001
"""The WebSocket close code of a connection whose identity has opened a newer one."""
SHUT_OUT = 4003
"""The WebSocket close code for somebody who is not wanted back."""


@attrs.frozen
class Home:
    """Where a room lives: for clients (empty: they cannot get there), and for nodes."""

    url: str
    peer: str


@attrs.define
class Abroad:
    """What a node knows of the others. Alone, it is empty, and ``shared`` is False."""

    shared: bool = False
    homes: dict[str, Home] = attrs.field(factory=dict)
    """Where rooms were when they were last asked for."""
    people: set[str] = attrs.field(factory=set)
    """Those who said hello last at another node that lives."""
    rows: dict[str, RoomRow] = attrs.field(factory=dict)
    """The listed rooms of the other nodes."""
    bots: dict[str, Distant] = attrs.field(factory=dict)
    """The bots that offer themselves at other nodes."""
    calls: set[tuple[str, str]] = attrs.field(factory=set)
    """(room, who): bots of other nodes that were given a seat here and have not come yet."""
    answered: set[tuple[str, str]] = attrs.field(factory=set)
    """(room, who): bots of ours that were called to other nodes, and have been sent."""
    sides: dict[tuple[str, str], int] = attrs.field(factory=dict)
    """The side connections here, by (who, room)."""
    visits: dict[str, tuple[str, str]] = attrs.field(factory=dict)
    """(who, room) of the tickets that have been taken from the store for a hello that has come."""
    sent: dict[tuple[int, str], str] = attrs.field(factory=dict)
    """By connection and room, the nodes to which clients were sent."""
    contests: frozenset[str] = frozenset()
    """The contests that this node holds."""

    def found(self, code: str, home: Home) -> None:
        """A room was found at another node. Of very many the oldest is forgotten: whoever wants it asks anew."""
        self.homes.pop(code, None)
        self.homes[code] = home
        if len(self.homes) > MOST_HOMES:
            del self.homes[next(iter(self.homes))]

    def seated(self, lobby: "Lobby", who: str, stored: set[str]) -> None:
        """``who`` owns seats in these rooms, as it is stored; of the rooms that are here we know better."""
        here = {code for code in lobby.seats.get(who, ()) if code in lobby.rooms}
        lobby.seats[who] = here | (stored - lobby.rooms.keys())

    def sessions(self, lobby: "Lobby", who: str) -> list["Session"]:
        """Return the connections of ``who`` here."""
        conns = [conn for (whose, _), conn in self.sides.items() if whose == who]
        return [lobby.sessions[conn] for conn in [*conns, *([lobby.main[who]] if who in lobby.main else [])]]

    def holds(self, contest: str) -> bool:
        """Whether the tables of a contest are for this node to open."""
        return not self.shared or contest in self.contests


# --- from here to another node ---------------------------------------------------------------------------------


def is_elsewhere(lobby: "Lobby", code: str) -> bool:
    """Whether a room was found at another node."""
    return code in lobby.abroad.homes and code not in lobby.rooms


def send(
    lobby: "Lobby", session: "Session", code: str, join: Plain | None, seen: Seen | None = None, *, relay: bool = False
) -> None:
    """Send a connection to the node where ``code`` lives, or let what both say be passed on.

    ``join``: the request that this answers; None: it has a place in the room. ``seen``: how far it has followed it.
    """
    home, who = lobby.abroad.homes[code], session.who
    assert who is not None
    ticket = lobby.entropy(32).hex()
    lobby.want(persistence.SaveTicket(hashed(ticket), who, code, TICKET_MS))
    if home.url and session.redirects and not relay:
        lobby.abroad.sent[session.conn, code] = home.peer
        lobby.post(session.conn, Redirect(code, home.url, ticket, join.get("id") if join else None))
        return
    session.relayed.add(code)
    identity = lobby.identities.get(who)
    hello: Plain = {"t": Hello.t, "name": identity.name, "kind": identity.kind, "ticket": ticket, "can": session.can}
    if seen is not None:
        hello["rooms"] = [seen]
    lobby.want(effects.Relay(session.conn, code, home.peer, hello, join))


def elsewhere(lobby: "Lobby", who: str) -> list[str]:
    """Return the rooms at other nodes in which ``who`` holds a seat."""
    return sorted(code for code in lobby.seats.get(who, ()) if is_elsewhere(lobby, code))


# --- from another node to here -----------------------------------------------------------------------------------


def visitor(lobby: "Lobby", session: "Session", hello: Hello) -> str | None:
    """Let a connection become the visitor that its ticket admits; return the room. None: it has no such ticket.

    Raises Denied, NotNow.
    """
    who, code = lobby.abroad.visits.pop(hashed(hello.ticket), ("", "")) if hello.ticket else ("", "")
    if not who or who not in lobby.identities:
        return None
    identity = lobby.identities.get(who)
    if identity.banned:
        raise Denied("banned", "the operator has shut you out")
    if who in lobby.main and not lobby.sessions[lobby.main[who]].gone:
        raise Denied("bad_ticket", "your main socket is at this server by now: join there")
    if code not in lobby.rooms:
        raise NotNow("retry", f"room {code} has just moved; ask for it once more", 0)
    session.visits(who, code, identity.token, hello)
    return code


def leave_side(lobby: "Lobby", who: str, code: str, conn: int, now: int) -> None:
    """A side socket has closed: if no newer one has taken its place, ``who`` is not in the room any more."""
    if lobby.abroad.sides.get((who, code)) == conn:
        del lobby.abroad.sides[who, code]
        lobby.rooms_of(who).discard(code)
        if code in lobby.rooms:
            with lobby.enter(code, now) as (room, at):
                room.detach(at, who)


def replace(lobby: "Lobby", who: str, code: str | None = None) -> None:
    """Close the side connections of ``who``, that to one room or all, for a newer one."""
    for (whose, room), conn in list(lobby.abroad.sides.items()):
        if whose == who and code in (None, room):
            del lobby.abroad.sides[whose, room]
            hang(lobby, lobby.sessions[conn])


def hang(lobby: "Lobby", session: "Session") -> None:
    """Close a connection for a newer one of the same identity."""
    lobby.hang(session, "replaced", "you have connected again elsewhere", REPLACED)


def come_home(lobby: "Lobby", conn: int, code: str, now: int) -> list[effects.Effect]:
    """A room that was relayed to a connection lives here now: let it go on there directly."""
    session = lobby.sessions.get(conn)
    if session is not None and session.who is not None and code in session.relayed:
        session.relayed.discard(code)
        with lobby.enter(code, now) as (room, at):
            if room.state.seat_of(session.who) is not None or room.state.config.watch:
                room.join(at, lobby.person(session), "spectator", None)
            else:
                lobby.post(conn, Left(code, "expired"))
    return lobby.take()


def again(lobby: "Lobby", conn: int, code: str, seen: Seen | None) -> list[effects.Effect]:
    """Relay a room once more, which may live elsewhere by now."""
    session = lobby.sessions.get(conn)
    if session is not None and not session.gone and code in session.relayed and is_elsewhere(lobby, code):
        send(lobby, session, code, None, seen, relay=True)
    return lobby.take()


def stranded(lobby: "Lobby", peers: Collection[str]) -> list[tuple[int, str]]:
    """Return connection and room of the clients that were sent to other nodes than these; each is told only once."""
    sent, sessions = lobby.abroad.sent, lobby.sessions
    over = [key for key, peer in sent.items() if peer not in peers or key[0] not in sessions]
    for key in over:
        del sent[key]
    return [(conn, code) for conn, code in over if conn in sessions and not sessions[conn].gone]


def fetch_back(lobby: "Lobby", conn: int, code: str, now: int) -> list[effects.Effect]:
    """Tell somebody who has a seat in a room where that lives since its node died: here, or at another one."""
    session = lobby.sessions.get(conn)
    if session is not None and not session.gone and session.who is not None:
        if code in lobby.rooms:
            with lobby.enter(code, now) as (room, at):
                if room.state.seat_of(session.who) is not None:
                    room.join(at, lobby.person(session), "player", None)
        elif is_elsewhere(lobby, code) and code in lobby.seats.get(session.who, ()):
            send(lobby, session, code, None)
    return lobby.take()


def end(lobby: "Lobby", conn: int, code: str, left: bool) -> list[effects.Effect]:
    """A room is relayed to a connection no more; ``left``: it has to be told so."""
    session = lobby.sessions.get(conn)
    if session is not None and code in session.relayed:
        session.relayed.discard(code)
        if left:
            lobby.post(conn, Left(code, "expired"))
    return lobby.take()


# --- what nodes tell each other ------------------------------------------------------------------------------------


def notice(lobby: "Lobby", now: int) -> str:
    """Return what the other nodes are to know of this one: its listed rooms, its bots, whom it calls."""
    lobby.abroad.calls |= {(code, who) for code, who in _missed(lobby, now) if who in lobby.abroad.bots}
    lobby.abroad.calls &= set(_waiting(lobby))
    rooms = [row(live) for live in islice(filter(listed, lobby.rooms.values()), MOST_ROWS)]
    bots = [attrs.astuple(bot) for bot in bot_pool.published(lobby)[:MOST_ROWS]]
    return json.dumps({"rooms": rooms, "bots": bots, "calls": sorted(lobby.abroad.calls)}, separators=(",", ":"))


def listed(live: "Live", game: str | None = None) -> bool:
    """Whether a room is told to whoever asks for those of ``game``."""
    config = live.room.state.config
    return not config.private and game in (None, config.game)


def row(live: "Live") -> RoomRow:
    """Return a room's row in the lobby, with the names of those who sit there if anybody may see them there."""
    state = live.room.state
    found: RoomRow = {
        "room": state.config.code,
        "game": state.config.game,
        "state": state.state,
        "seats": state.config.seats,
        "taken": len(state.taken()),
        "kinds": state.config.kinds,
        "watch": state.config.watch,
        "host": live.room.audience.name_of(state.host),
    }
    if state.config.watch:
        found["players"] = [{"name": seat.name, "kind": seat.kind} for _, seat in state.taken() if seat.who]
    return found


def _waiting(lobby: "Lobby") -> Iterator[tuple[str, str]]:
    for code, who in lobby.abroad.calls:
        live = lobby.rooms.get(code)
        if live is not None and live.room.state.seat_of(who) is not None and who not in live.room.audience.here:
            yield code, who


def _missed(lobby: "Lobby", now: int) -> Iterator[tuple[str, str]]:
    """Yield room and bot for the seats here whose bot has not been there for a while."""
    for code, live in lobby.rooms.items():
        for number, since in live.room.audience.absent.items():
            seat = live.room.state.seats[number]
            if seat is not None and seat.who and seat.kind == "bot" and live.time(now) - since > CALLED_AFTER:
                yield code, seat.who


def _seat_ours(lobby: "Lobby", now: int) -> None:
    """Let bots that offer themselves here take the seats that they were given before their room came here."""
    for code, who in list(_missed(lobby, now)):
        if who in lobby.offers and who in lobby.main and code not in lobby.sessions[lobby.main[who]].relayed:
            with lobby.enter(code, now) as (room, at):
                room.attach(at, lobby.person(lobby.sessions[lobby.main[who]]), None)


def sighted(lobby: "Lobby", seen: "Sightings", since: int, now: int) -> list[effects.Effect]:
    """Take in what the other nodes have told, and what they have stored since the last time.

    ``since``: how many writes about identities had been stored here before.
    """
    away, calls = lobby.abroad, set()
    away.rows.clear()
    away.bots.clear()
    away.contests = seen.contests
    for peer in seen.peers:
        told = json.loads(peer.rows) if peer.rows else {"rooms": [], "bots": [], "calls": []}
        away.rows |= {row["room"]: row for row in told["rooms"] if row["room"] not in lobby.rooms}
        away.bots |= {who: Distant(who, *rest) for who, *rest in told["bots"]}
        for code, who in told["calls"]:
            calls.add((code, who))
            _answer_call(lobby, code, who, Home(peer.url, peer.peer))
    away.answered &= calls
    lobby.used.update(away.rows)
    for change in seen.changes:
        _CHANGES[type(change)](lobby, change, since, now)
    _seat_ours(lobby, now)
    return lobby.take()


def _answer_call(lobby: "Lobby", code: str, who: str, home: Home) -> None:
    """Send a bot of ours to the seat that it was given at another node, if it still offers itself."""
    if who not in lobby.offers or who not in lobby.main or (code, who) in lobby.abroad.answered:
        return
    lobby.abroad.answered.add((code, who))
    if code not in lobby.rooms and code not in lobby.sessions[lobby.main[who]].relayed:
        lobby.abroad.found(code, home)
        send(lobby, lobby.sessions[lobby.main[who]], code, None)


def person_changed(lobby: "Lobby", saved: persistence.SaveIdentity, since: int, now: int) -> None:
    """Another node has greeted, or judged, somebody: connections from before that are void.

    ``since``: how many writes about identities had been stored here before this was read.
    """
    who = saved.who
    if who not in lobby.identities or not lobby.identities.refresh(who, saved, since):
        return
    if saved.banned:
        contests.throw_out(lobby, who, now)
    for session in lobby.abroad.sessions(lobby, who):
        if saved.banned:
            lobby.hang(session, "banned", "the operator has shut you out", SHUT_OUT)
        elif session.generation != saved.token:
            hang(lobby, session)
            if session.side is None:
                lobby.offers.pop(who, None)
                lobby.abroad.people.add(who)


def _person_gone(lobby: "Lobby", drop: persistence.DropIdentity, since: int, now: int) -> None:
    """Another node has forgotten somebody, or the owner had it deleted."""
    who = drop.who
    if drop.erased:
        for code in sorted(lobby.seats.get(who, set()) & lobby.rooms.keys()):
            with lobby.enter(code, now) as (room, at):
                room.leave(at, who, None)
    if lobby.identities.refresh(who, None, since):
        for session in lobby.abroad.sessions(lobby, who):
            lobby.hang(session, "deleted", "this identity has been deleted", SHUT_OUT)


def _rated(lobby: "Lobby", change: persistence.Rated, since: int, now: int) -> None:
    lobby.rate([change])


def _contest_changed(lobby: "Lobby", change: persistence.SaveContest, since: int, now: int) -> None:
    known = lobby.contests.get(change.name)
    if known is None:
        lobby.contests[change.name] = contest.read(change)
    else:
        known.stopped = change.stopped


def _table_changed(lobby: "Lobby", change: persistence.SavePairing, since: int, now: int) -> None:
    if change.contest in lobby.contests:
        lobby.contests[change.contest].follow(change)


_CHANGES: dict[type, Callable[["Lobby", Any, int, int], None]] = {
    persistence.SaveIdentity: person_changed,
    persistence.DropIdentity: _person_gone,
    persistence.Rated: _rated,
    persistence.SaveContest: _contest_changed,
    persistence.SavePairing: _table_changed,
}
