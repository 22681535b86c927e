"""The rooms of this node and everybody who is connected to it. What clients ask comes through ``reception``.

The lobby knows sockets by number and time as the node's milliseconds; rooms know people and room time,
which stands still while no node owns them. Every call returns the effects that the node has to carry out.
Randomness (codes, tokens, the rooms' secrets) is drawn from ``entropy``, which the node injects.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import attrs

from parlour_games.fair import Fair
from parlour_games.game import Job
from parlour_games.registry import AnyGame
from parlour_protocol.errors import Denied, Refusal
from parlour_protocol.messages import Admin, Bye, Plain, ServerMessage
from parlour_server import effects, persistence
from parlour_server.contests import contest, director
from parlour_server.contests.contest import Contest
from parlour_server.directory.bot_pool import BotOffer
from parlour_server.directory.identities import Identities, Identity
from parlour_server.directory.room_codes import Codes
from parlour_server.directory.sessions import Session
from parlour_server.effects import Effect
from parlour_server.lobby import room_effects
from parlour_server.lobby.handoff import Abroad, leave_side
from parlour_server.log_safety import place
from parlour_server.persistence import Rated, SaveContest, SavePairing
from parlour_server.rooms import records
from parlour_server.rooms.audience import Person
from parlour_server.rooms.effects import Compute
from parlour_server.rooms.match import Randomness
from parlour_server.rooms.records import Opened
from parlour_server.rooms.room import Room, replay
from parlour_server.rooms.state import State

GOING_AWAY = 1001
"""The WebSocket close code with which a stopping server says goodbye."""
INTERNAL = 1011
"""The WebSocket close code after a fault of the server."""
CLOSED_BY_POLICY = 4008
"""The WebSocket close code for clients that break the protocol, or never greet."""
SILENT = 10_000
"""Milliseconds in which a new connection has to say hello."""
GUEST_KEPT = 600_000
"""Milliseconds for which a guest without a seat can come back after its connection has gone."""


@attrs.define
class Live:
    """A loaded room. ``base`` is the node's time at which room time was 0; ``opener`` the address it was asked from."""

    room: Room
    base: int
    opener: str | None = None

    def time(self, now: int) -> int:
        """Return the room time at the node's time ``now``."""
        return now - self.base


class Lobby:
    """Everything that this node decides."""

    def __init__(
        self,
        games: dict[str, AnyGame],
        entropy: Callable[[int], bytes],
        *,
        server: str = "parlour",
        admin: str | None = None,
        require_key: bool = False,
        per_address: int | None = None,
        randomness: Randomness = Fair,
    ) -> None:
        self.games = games
        self.entropy = entropy
        self.server = server
        self.admin = admin
        self.per_address = per_address
        """Rooms that may be open which were asked for from one address; None: any number."""
        self.draining = False
        self.identities = Identities(entropy, require_key=require_key)
        self.rooms: dict[str, Live] = {}
        self.dormant: set[str] = set()
        """Codes of the rooms that are stored and not loaded."""
        self.used = Codes()
        """Codes that cannot be given to a new room."""
        self.seats: dict[str, set[str]] = {}
        """The rooms in which each identity owns a seat."""
        self.inside: dict[str, set[str]] = {}
        """The rooms in which each connected identity is."""
        self.offers: dict[str, BotOffer] = {}
        self.sessions: dict[int, Session] = {}
        self.main: dict[str, int] = {}
        """The main connection of each connected identity."""
        self.ratings: dict[tuple[str, str], int] = {}
        """What each identity's strength at each game is said to be."""
        self.contests: dict[str, Contest] = {}
        self.abroad = Abroad()
        self._randomness = randomness
        self._lapsing: dict[str, int] = {}
        """When each guest who has gone is forgotten, the next one first."""
        self._out: list[Effect] = []

    def remember(self, identity: persistence.SaveIdentity, now: int) -> None:
        """Know somebody from the store; guests have as long to come back as after losing a connection."""
        self.identities.load(identity)
        self._gone(identity.who, now)

    def rate(self, changes: Iterable[Rated]) -> None:
        """Ratings have changed; those of people who can never come back are of no use to anybody here."""
        known = [each for each in changes if self.abroad.shared or each.who in self.identities]
        self.ratings |= {(change.who, change.game): change.rating for change in known}

    def forget(self, who: str, *, erased: bool = False) -> None:
        """Forget somebody who has no seat; ``erased``: with the name in results, too."""
        self.seats.pop(who, None)
        for game in self.games:
            self.ratings.pop((who, game), None)
        self._out.append(self.identities.forget(who, erased=erased))

    def resume(self, stored: Iterable[SaveContest], tables: Iterable[SavePairing]) -> None:
        """Know contests from the store, and their tables in order."""
        self.contests |= {each.name: contest.read(each) for each in stored}
        for change in tables:
            self.contests[change.contest].follow(change)

    # --- connections -----------------------------------------------------------------------------------

    def connect(self, conn: int, now: int, address: str | None = None) -> list[Effect]:
        """A socket has opened."""
        self.sessions[conn] = Session(conn, now, address)
        if not self.abroad.shared:
            self.lapse(now)
        return self.take()

    def missing(self, conn: int, data: Plain) -> list[str]:
        """Return the rooms that have to be loaded (``adopt``) before ``data`` can be received."""
        if not self.dormant:
            return []
        wanted: set[str] = set()
        if isinstance(room := data.get("room"), str):
            wanted.add(room.upper())
        secrets = [secret for secret in (data.get("token"), data.get("key")) if isinstance(secret, str)]
        people = [self.identities.by_secret(secret) for secret in secrets]
        if data.get("t") == Admin.t and isinstance(name := data.get("name"), str):
            people.append(self.identities.by_name(name))
        for identity in filter(None, people):
            wanted |= self.seats.get(identity.who, set())
        return sorted(wanted & self.dormant)

    def disconnect(self, conn: int, now: int) -> list[Effect]:
        """A socket has closed."""
        session = self.sessions.pop(conn)
        who = session.who
        if session.relayed:
            self._out.append(effects.EndRelays(conn))
        if session.side is not None and who is not None:
            leave_side(self, who, session.side, conn, now)
        elif who is not None and self.main.get(who) == conn:
            del self.main[who]
            self.offers.pop(who, None)
            for code in sorted(self.rooms_of(who) & self.rooms.keys()):
                if (who, code) in self.abroad.sides:
                    continue
                self.rooms_of(who).discard(code)
                with self.enter(code, now) as (room, at):
                    room.detach(at, who)
            if not self.inside.get(who):
                self.inside.pop(who, None)
            self._gone(who, now)
        return self.take()

    def conns(self, people: Iterable[str], code: str) -> tuple[int, ...]:
        """Return the connections of those among ``people`` who are connected for room ``code``."""
        main, sides = self.main, self.abroad.sides
        if not sides:
            return tuple([main[who] for who in people if who in main])
        found = (sides.get((who, code), main.get(who)) for who in people)
        return tuple(conn for conn in found if conn is not None)

    # --- rooms -------------------------------------------------------------------------------------------

    def open(self, record: Opened, now: int, opener: str | None = None) -> None:
        """Open a room with its first record, for somebody at the address ``opener``."""
        code = record.code
        room = Room(State(record, self.games[record.game], self._randomness), self.ratings)
        self.rooms[code] = Live(room, now, opener)
        self.used.add(code)
        self._out.append(persistence.SaveRoom(code, 1, True, record.kept))
        with self.enter(code, now) as (room, _):
            room.open()

    def adopt(self, code: str, epoch: int, lines: list[str], now: int) -> list[Effect]:
        """Go on with a stored room."""
        if code not in self.dormant:
            return []
        self.dormant.discard(code)
        opened = records.parse(lines[0])
        assert isinstance(opened, Opened)
        room = replay(lines, self.games[opened.game], self._randomness, self.ratings)
        self.rooms[code] = Live(room, now - room.state.at)
        for who in {seat.who for _, seat in room.state.taken() if seat.who}:  # they may have sat down at another node
            self.seat(who, code, True)
        with self.enter(code, now) as (room, at):
            room.resume(at, epoch)
        return self.take()

    def discard(self, code: str) -> set[int]:
        """Forget what has become of a room; return the connections of those inside. It is as it was stored."""
        live = self.rooms.pop(code, None)
        self.dormant.add(code)
        people = list(live.room.audience.here) if live else []
        for who in people:
            self.rooms_of(who).discard(code)
        return set(self.conns(people, code))

    def undo(self, lost: Sequence[Effect]) -> tuple[set[str], set[int]]:
        """Forget what could not be stored; return the rooms that are to be loaded again, and who is inside them."""
        conns: set[int] = set()
        rooms = {effect.room for effect in lost if isinstance(effect, persistence.Append)}
        for room in rooms:
            conns |= self.discard(room)
        for effect in reversed(lost):
            if isinstance(effect, persistence.SaveSeat):
                self.seat(effect.who, effect.room, not effect.seated)
            elif isinstance(effect, persistence.SaveIdentity | persistence.DropIdentity):
                self._restore(effect.who)
            elif isinstance(effect, persistence.SaveRoom) and effect.open:
                self.dormant.discard(effect.room)  # it was about to be opened
            elif isinstance(effect, SavePairing):
                self.contests[effect.contest].undo(effect)
            elif isinstance(effect, SaveContest):
                director.undo(self, effect)
        return rooms & self.dormant, conns

    def _restore(self, who: str) -> None:
        self.identities.restore(who)
        if who in self.identities:
            for contest in self.contests.values():
                contest.rename(who, self.identities.get(who).name)

    def wake(self, code: str, now: int) -> list[Effect]:
        """A room's time has come."""
        if code in self.rooms:
            with self.enter(code, now) as (room, at):
                room.wake(at)
        return self.take()

    def retire(self, code: str, now: int) -> list[Effect]:
        """Close a room that has served its time."""
        with self.enter(code, now) as (room, at):
            room.close(at, "expired")
        return self.take()

    def settle(self, work: Compute, result: Plain, now: int) -> list[Effect]:
        """A room's computation is done."""
        if work.room in self.rooms:
            with self.enter(work.room, now) as (room, at):
                room.settle(at, Job(work.name, work.args), result)
        return self.take()

    def give_up(self, work: Compute, now: int) -> list[Effect]:
        """A room's computation has failed: its match is aborted, since it would fail again."""
        if work.room in self.rooms:
            with self.enter(work.room, now) as (room, at):
                if room.match is not None and room.match.pending == Job(work.name, work.args):
                    room.abort(at, "aborted")
        return self.take()

    @contextmanager
    def enter(self, code: str, now: int) -> Iterator[tuple[Room, int]]:
        """Do something in a room at its own time; what follows from it is translated for the node."""
        live = self.rooms.get(code)
        if live is None:
            raise Denied("no_room", f"there is no room {code[:16]!a} here")
        at = live.time(now)
        try:
            yield live.room, at
            room_effects.follow(self, live, at)
        except Refusal:
            raise
        except Exception as error:
            self._fail(code, error)

    def free_name(self, name: str) -> None:
        """Names are unique among those present: of guests who have gone, those with a seat or a contest keep theirs."""
        owner = self.identities.by_name(name)
        if owner is None or owner.who in self.main or owner.who in self.abroad.people:
            return
        if owner.lapses() and not self._needed(owner.who):
            self.forget(owner.who)

    def rooms_of(self, who: str) -> set[str]:
        """Return the codes of the rooms in which ``who`` is."""
        return self.inside.setdefault(who, set())

    def seat(self, who: str, code: str, seated: bool) -> None:
        """Take note that ``who`` owns a seat in a room, or no more."""
        codes = self.seats.setdefault(who, set())
        codes.add(code) if seated else codes.discard(code)

    def person(self, session: Session) -> Person:
        """Return the identity of a connection as rooms know it."""
        identity = self.identity(session)
        return Person(identity.who, identity.name, identity.kind, session.nonces, identity.house)

    def identity(self, session: Session) -> Identity:
        """Return who a connection is. Raises Denied before hello."""
        if session.who is None:
            raise Denied("hello_first", "nobody has said hello on this socket")
        return self.identities.get(session.who)

    # --- what is to be done ----------------------------------------------------------------------------------

    def take(self) -> list[Effect]:
        """Return the effects, and forget them."""
        out, self._out = self._out, []
        return out

    def want(self, effect: Effect) -> None:
        """Want something done."""
        self._out.append(effect)

    def post(self, conn: int, message: ServerMessage) -> None:
        """Tell one connection."""
        self._out.append(effects.Post((conn,), message))

    def hang(self, session: Session, code: str, msg: str, close: int, retry_after: int | None = None) -> None:
        """Say goodbye and close a connection, once."""
        if session.gone:
            return
        session.gone = True
        self.post(session.conn, Bye(code, msg, retry_after))
        self._out.append(effects.Disconnect(session.conn, close, code))

    def sweep(self, now: int) -> list[Effect]:
        """Close the connections that have not said hello in time."""
        for session in self.sessions.values():
            if session.silent and now - session.opened > SILENT:
                self.hang(session, "hello_first", "you did not say hello", CLOSED_BY_POLICY)
        director.arrange(self, now)
        return self.take()

    def drain(self, retry_after: int) -> list[Effect]:
        """Say goodbye to everybody: the server stops."""
        self.draining = True
        for session in self.sessions.values():
            if not session.gone:
                self.hang(session, "drain", "the server is stopping; your seat is kept", GOING_AWAY, retry_after)
        return self.take()

    def _fail(self, code: str, error: Exception) -> None:
        """Our own fault: the room is loaded again as it was, and those inside come back to it."""
        self._out.append(effects.Fault(code, type(error).__name__, place(error)))
        for conn in sorted(self.discard(code)):
            self.hang(self.sessions[conn], "internal", "the server made a mistake; come back", INTERNAL, 1_000)

    def _gone(self, who: str, now: int) -> None:
        self._lapsing.pop(who, None)
        self._lapsing[who] = now + GUEST_KEPT

    def _needed(self, who: str) -> bool:
        return bool(self.seats.get(who)) or any(each.awaits(who) for each in self.contests.values())

    def lapsing(self, now: int) -> list[str]:
        """Return who may have been gone for long enough to be forgotten."""
        return [who for who, due in self._lapsing.items() if due <= now]

    def lapse(self, now: int) -> None:
        """Forget guests who have been gone for long and hold no seat; look at those who do again later."""
        while self._lapsing and self._lapsing[who := next(iter(self._lapsing))] <= now:
            del self._lapsing[who]
            gone = who in self.identities and who not in self.main and who not in self.abroad.people
            if not gone or not self.identities.get(who).lapses():
                continue
            if self._needed(who):
                self._gone(who, now)
            else:
                self.forget(who)
