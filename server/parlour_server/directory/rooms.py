"""Rooms: those loaded and those only stored, who has a seat in them, who is inside, and how they are listed.

A room knows people and room time, which stands still while no node owns it. Here its effects become effects of the
node, which knows connections and its own clock, in the order in which the room asked for them. What concerns other
services becomes *news*, which the lobby handles after the change that caused it.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import TypeAlias

import attrs
from attrs import asdict
from msgspec.structs import replace

from parlour_games.plural import counted
from parlour_games.registry import AnyGame
from parlour_protocol.errors import INTERNAL, Denied, NotNow, Refusal
from parlour_protocol.messages import DEFAULT_CLOCK, Act, Clock, Error, Joined, Left, Plain, RoomRow
from parlour_server import effects
from parlour_server.directory.identities import DELETED
from parlour_server.directory.room_creation import UsedCodes
from parlour_server.directory.sessions import Connections
from parlour_server.effects import Outbox, place
from parlour_server.persistence import (
    Append,
    MatchFinished,
    SaveDaily,
    SaveLink,
    SaveMatch,
    SaveMissed,
    SaveRoom,
    SaveSeat,
)
from parlour_server.rooms import records
from parlour_server.rooms.audience import Ratings
from parlour_server.rooms.decisions import OpenDecision
from parlour_server.rooms.effects import (
    Compute,
    Notify,
    RoomClosed,
    RoomEffect,
    SeatOwned,
    Send,
    StandInWanted,
    WakeAt,
)
from parlour_server.rooms.match import Randomness
from parlour_server.rooms.records import Closed, RoomOpened
from parlour_server.rooms.room import Room, beyond, restoring
from parlour_server.rooms.state import State
from parlour_server.settings import ServerSettings


def is_listed(room: Room, game: str | None = None) -> bool:
    """Whether a room is listed for those who ask for rooms of ``game``; None: of any game.

    Nobody else can play in a room with a chosen deal, and nobody waits in one that all have left after their match.
    """
    config = room.state.config
    left = not config.kept and room.state.state == "finished" and room.audience.empty_since is not None
    return not (config.private or left) and config.deal is None and game in (None, config.game)


def is_shown(room: Room) -> bool:
    """Whether a room is shown to those who know its code: not that of a daily board, which is for one player."""
    return room.state.config.daily is None


def row(room: Room) -> RoomRow:
    """Return a room's row, with the names of those who sit there if the room may be watched."""
    state = room.state
    found: RoomRow = {
        "room": state.config.code,
        "game": state.config.game,
        "state": state.state,
        "seats": state.config.seats,
        "taken": len(state.seats.taken()),
        "kinds": state.config.kinds,
        "watch": state.config.watch,
        "host": room.audience.name_of(state.host),
        "people": sum(seat.kind == "human" for _, seat in state.seats.taken() if seat.who),
        "rules": [*state.rules, *_clock(state.config.clock)],
        "options": asdict(state.options, recurse=False),
        "clock": state.config.clock,
        "standin": state.config.standin,
    }
    if state.config.unrated is not None:
        found["unrated"] = state.config.unrated
    if state.config.seat_code:
        found["seat_code"] = True
    if state.config.watch:
        found["players"] = [{"name": seat.name, "kind": seat.kind} for _, seat in state.seats.taken() if seat.who]
    return found


def _clock(clock: Clock | None) -> list[str]:
    """Return the clock in words, unless it is the usual one."""
    if clock is None:
        return ["no clock"]
    if clock == DEFAULT_CLOCK:
        return []
    bank, add = (f"{milliseconds / 1000:.10g} s" for milliseconds in (clock["bank"], clock["add"]))
    if not clock["add"]:
        return [f"{bank} in all"]
    for_each_turn = not clock["bank"] or clock["bank"] == clock["add"] == clock.get("cap")
    return [f"{add} a turn" if for_each_turn else f"{bank} + {add} a turn"]


ROOMS_PER_PERSON = 64
ROOMS = 10_000
ASK_ADMIN = "the log of the server says more; ask its admin, and play in another room"
FULL = 60_000
"""Milliseconds after which a client may ask again for a room when there are too many."""

UPGRADE = 60_000
"""Milliseconds after which a client may ask again for a room that is beyond this server, which may be upgraded."""


class RoomFault(Exception):
    """Our own code failed in a room. Nothing of the change may be kept: see ``RoomDirectory.recover``."""

    def __init__(self, code: str, error: Exception) -> None:
        super().__init__(f"a fault in room {code}")
        self.code = code
        self.error = error


def no_room(code: str) -> Denied:
    """Return the refusal of a code that belongs to no room."""
    return Denied("no_room", f"there is no room {code[:16]!a} here")


@attrs.define
class LoadedRoom:
    """A room in memory. ``base`` is the node's time at room time 0; ``opener`` the address that asked for it."""

    room: Room
    base: int
    opener: str | None = None

    def time(self, now: int) -> int:
        """Return the room time at the node's time ``now``."""
        return now - self.base


@attrs.frozen
class News:
    """Something happened in ``room`` at the node's time ``now`` that concerns other services."""

    room: Room
    now: int
    what: "What"


What: TypeAlias = MatchFinished | RoomClosed | StandInWanted


@attrs.define(eq=False)
class RoomDirectory:
    """The rooms of this node. Every change of a room goes through ``play``, ``act`` or ``update``."""

    _games: dict[str, AnyGame]
    _outbox: Outbox
    _connections: Connections
    _ratings: Ratings
    _randomness: Randomness
    _settings: ServerSettings
    _may_exist: Callable[[str], bool]
    """Whether an identity may exist: of several nodes only the store knows who was deleted."""
    loaded: dict[str, LoadedRoom] = attrs.field(factory=dict, init=False)
    dormant: set[str] = attrs.field(factory=set, init=False)
    """Codes of the rooms that are stored and not loaded."""
    used: UsedCodes = attrs.field(factory=UsedCodes, init=False)
    seats: dict[str, set[str]] = attrs.field(factory=dict, init=False)
    """The rooms in which each identity owns a seat."""
    inside: defaultdict[str, set[str]] = attrs.field(factory=lambda: defaultdict(set), init=False)
    """The rooms in which each connected identity is."""
    news: deque[News] = attrs.field(factory=deque, init=False)
    unloadable: dict[str, str] = attrs.field(factory=dict, init=False)
    """Codes of stored rooms that are beyond this server, and why. They are not loaded again."""
    _failed: dict[str, int] = attrs.field(factory=dict, init=False)
    """The number of steps of each room that failed, by its code."""

    # --- which there are ---------------------------------------------------------------------------------------

    def open(self, record: RoomOpened, now: int, opener: str | None = None) -> None:
        """Open a room with its first record, for a client at the address ``opener``."""
        room = Room(State(record, self._games[record.game], self._randomness), self._ratings)
        self.loaded[record.code] = LoadedRoom(room, now, opener)
        self.used.add(record.code)
        self._outbox.want(SaveRoom(record.code, 1, True, record.kept))
        self.act(record.code, now, lambda room, _: room.open())

    def open_restored(self, room: Room, log: Sequence[str], now: int, opener: str | None) -> None:
        """Open a new room that has the records ``log`` already; those who have a seat there are not inside yet."""
        code = room.code
        self.loaded[code] = LoadedRoom(room, now - room.state.at, opener)
        self.used.add(code)
        self._outbox.want(SaveRoom(code, 1, True), *(Append(code, 1, n, line) for n, line in enumerate(log)))
        for who in room.state.seats.owners():
            self.set_seat(who, code, True)
            self._outbox.want(SaveSeat(code, who, True))
        self.update(code, now, lambda room, at: room.resume(at, 1))

    def restoring(self, lines: Sequence[str]) -> Generator[None, None, Room]:
        """Restore the room from its stored lines in steps, and return it."""
        opened = records.parse(lines[0])
        assert isinstance(opened, RoomOpened)
        return restoring(lines, self._games[opened.game], self._randomness, self._ratings)

    def adopt(self, code: str, epoch: int, room: Room, now: int) -> None:
        """Load a dormant room that has been restored from its stored lines."""
        if code not in self.dormant:
            return
        self.dormant.discard(code)
        self.loaded[code] = LoadedRoom(room, now - room.state.at)
        for who in room.state.seats.owners():  # they may have taken the seat at another node
            self.set_seat(who, code, True)
        self.update(code, now, lambda room, at: room.resume(at, epoch))

    def cannot_load(self, code: str, epoch: int, lines: Sequence[str], error: Exception) -> RoomOpened | None:
        """Give up loading a room that raises ``error``, and return its first record if that means to close it.

        A room that is beyond this server stays stored, for another node or a later start.
        """
        self.dormant.discard(code)
        why = beyond(lines, self._games)
        then: effects.AfterFault = "closed" if why is None else "kept"
        self._outbox.want(effects.LogFault(code, type(error).__name__, place(error), then, why or ""))
        if why is not None:
            self.unloadable[code] = why
            return None
        self._abandon(code, epoch, len(lines), records.parse(lines[-1]).at)
        opened = records.parse(lines[0])
        assert isinstance(opened, RoomOpened)
        return opened

    def expect(self, codes: Iterable[str]) -> None:
        """Note rooms that are stored, so that they are loaded unless they are already, or cannot be."""
        self.dormant.update(code for code in codes if code not in self.loaded and code not in self.unloadable)

    def discard(self, code: str) -> set[int]:
        """Drop a room's state, so that it is loaded as it was stored. Returns the connections of those inside."""
        loaded = self.loaded.pop(code, None)
        self.dormant.add(code)
        people = list(loaded.room.audience.here) if loaded else []
        for who in people:
            self.inside[who].discard(code)
        return set(self._connections.conns(people, code))

    def get(self, code: str) -> LoadedRoom:
        """Return a loaded room. Raises Denied ``no_room``, and NotNow for a room that is beyond this server."""
        loaded = self.loaded.get(code)
        if loaded is None and code in self.unloadable:
            raise NotNow("retry", f"room {code} cannot be loaded here: {self.unloadable[code]}", UPGRADE)
        if loaded is None:
            raise no_room(code)
        return loaded

    def check_space(self, who: str) -> None:
        """Refuse to let ``who`` into one more room if it is in too many."""
        if len(self.inside[who]) >= ROOMS_PER_PERSON:
            raise Denied("too_many_rooms", f"you are in {ROOMS_PER_PERSON} rooms, the most for one person")

    def check_crowd(self, address: str | None) -> None:
        """Refuse one more room if the node is full, or has too many rooms from one address."""
        if len(self.loaded) + len(self.dormant) >= ROOMS:
            raise NotNow("busy", f"the server is full: {ROOMS} rooms are open", FULL)
        most = self._settings.per_address
        if address is not None and len(self.loaded) >= most:  # fewer need no counting
            opened = sum(loaded.opener == address for loaded in self.loaded.values())
            if opened >= most:
                were = counted(opened, "room was", "rooms were")
                raise NotNow("busy", f"{were} opened from your address; wait until one closes", FULL)

    # --- who is where ------------------------------------------------------------------------------------------

    def seats_of(self, who: str) -> set[str]:
        """Return the codes of the rooms in which ``who`` owns a seat, at any node."""
        return self.seats.get(who, set())

    def busy(self, who: str) -> int:
        """Return in how many rooms ``who`` is, at any node."""
        return len(self.inside[who] | self.seats_of(who))

    def entered(self, who: str, code: str) -> str:
        """Return the code of a room that ``who`` is in. Raises Denied: whether other rooms exist is not revealed."""
        found = code.upper()
        if found not in self.inside[who]:
            raise Denied("not_here", f"you are not in room {found[:16]!a}")
        return found

    def sits_in(self, who: str, code: str) -> bool:
        """Whether ``who`` owns a seat in a loaded room."""
        loaded = self.loaded.get(code)
        return loaded is not None and loaded.room.state.seats.of(who) is not None

    def set_seat(self, who: str, code: str, seated: bool) -> None:
        """Note that ``who`` owns a seat in a room, or no longer does."""
        codes = self.seats.setdefault(who, set())
        codes.add(code) if seated else codes.discard(code)

    def set_stored_seats(self, who: str, stored: set[str]) -> None:
        """Note the rooms in which ``who`` owns a seat as they are stored. Loaded rooms know better."""
        here = {code for code in self.seats_of(who) if code in self.loaded}
        self.seats[who] = here | (stored - self.loaded.keys())

    # --- what happens in them ----------------------------------------------------------------------------------

    def asked(self, who: str | None, act: Plain) -> OpenDecision | None:
        """Return the open decision of ``who`` that an act, which is not validated, answers; None: there is none."""
        room, rid = act.get("room"), act.get("rid")
        if who is None or type(room) is not str or type(rid) is not int:
            return None
        loaded = self.loaded.get(room.upper())
        return loaded.room.playing.asked(who, rid) if loaded else None

    def play(self, who: str, message: Act, decision: OpenDecision | None, now: int) -> None:
        """Answer a decision: the one that ``asked`` has found. Raises as ``act``, and Denied ``not_here``."""
        code = self.entered(who, message.room)
        self._do(code, now, lambda room, at: room.playing.act(at, who, message, decision), only_moved=True)

    def act(self, code: str, now: int, do: Callable[[Room, int], object]) -> None:
        """Do something in a room at its room time; pass on what the room asks for.

        Raises Denied ``no_room``, whatever refusal ``do`` raises, and RoomFault for any other error.
        """
        self._do(code, now, do, only_moved=False)

    def update(self, code: str, now: int, do: Callable[[Room, int], object]) -> None:
        """Like ``act``, for a change that no client waits for: a room that fails is recovered here."""
        try:
            self.act(code, now, do)
        except RoomFault as fault:
            self.recover(fault, now)

    def recover(self, fault: RoomFault, now: int) -> None:
        """Discard a room that failed. It is loaded again as it was stored, and those inside come back to it.

        A room that fails twice after the same step would fail for ever: it is closed. Its records stay stored.
        """
        code, loaded = fault.code, self.loaded.get(fault.code)
        steps = loaded.room.state.steps if loaded else 0
        again = loaded is not None and self._failed.get(code) == steps
        self._failed[code] = steps
        then: effects.AfterFault = "closed" if again else "reloaded"
        self._outbox.want(effects.LogFault(code, type(fault.error).__name__, place(fault.error), then))
        conns = sorted(self.discard(code))
        if again and loaded is not None:
            self.dormant.discard(code)
            self._abandon(code, loaded.room.state.epoch, loaded.room.core.passed_on, loaded.time(now))
            self.news.append(News(loaded.room, now, RoomClosed()))
            told = Error("internal", "the game failed twice at one step; the room is closed", ASK_ADMIN, room=code)
            self._outbox.want(effects.Post(tuple(conns), told), effects.Post(tuple(conns), Left(code, "aborted")))
            return
        for conn in conns:
            session = self._connections.sessions[conn]
            self._connections.hang_up(session, "internal", "the server failed; reconnect", INTERNAL, 1_000)

    def _do(self, code: str, now: int, do: Callable[[Room, int], object], *, only_moved: bool) -> None:
        loaded = self.get(code)
        at = loaded.time(now)
        try:
            do(loaded.room, at)
            self._pass_on(loaded, now, loaded.room.take(at, only_moved=only_moved))
        except Refusal:
            raise
        except Exception as error:
            raise RoomFault(code, error) from error

    def _abandon(self, code: str, epoch: int, n: int, at: int) -> None:
        """Close a room of ``n`` stored records without asking its game, which fails. Its log is never removed."""
        self._outbox.want(Append(code, epoch, n, records.line(Closed(at, "failed"), n)))
        for who, codes in self.seats.items():
            if code in codes:
                codes.discard(code)
                self._outbox.want(SaveSeat(code, who, False))
        self._outbox.want(SaveRoom(code, epoch, False), effects.Wake(code, None))

    def _pass_on(self, loaded: LoadedRoom, now: int, asked: Iterable[RoomEffect]) -> None:
        """Turn what a room asks for into effects, entries of the index, and news."""
        code, conns, want = loaded.room.code, self._connections.conns, self._outbox.effects.append
        for effect in asked:
            if type(effect) is Send:  # most of them are
                if to := conns(effect.to, code):
                    want(effects.Post(to, effect.message))
                if type(effect.message) is Joined:
                    self.inside[effect.to[0]].add(code)
                elif type(effect.message) is Left:
                    self.inside[effect.to[0]].discard(code)
                continue
            match effect:
                case Append() | Compute() | Notify() | SaveDaily() | SaveLink() | SaveMissed():
                    want(effect)
                case WakeAt(at):
                    want(effects.Wake(code, at + loaded.base))
                case SeatOwned(who, seated):
                    self.set_seat(who, code, seated)
                    want(SaveSeat(code, who, seated))
                case MatchFinished():
                    finished = self._result(effect)
                    want(SaveMatch(code, finished))
                    self.news.append(News(loaded.room, now, finished))
                case RoomClosed():
                    self.loaded.pop(code, None)
                    want(SaveRoom(code, loaded.room.state.epoch, False))
                    want(effects.Wake(code, None))
                    self.news.append(News(loaded.room, now, effect))
                case StandInWanted():
                    self.news.append(News(loaded.room, now, effect))

    def _result(self, effect: MatchFinished) -> MatchFinished:
        """Replace the names of identities that were deleted during the match."""
        gone = {row.who for row in effect.rows if not self._may_exist(row.who)}
        if not gone:
            return effect
        rows = tuple(replace(row, who="", name=DELETED) if row.who in gone else row for row in effect.rows)
        return replace(effect, rows=rows)
