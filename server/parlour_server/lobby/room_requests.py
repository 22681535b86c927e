"""Room requests: what clients ask of a room, or to get into one; playing on from an act of a finished match."""

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from parlour_games.registry import AnyGame
from parlour_protocol import messages as m
from parlour_protocol.errors import Denied, NotNow
from parlour_protocol.wire import plain
from parlour_server import effects
from parlour_server.directory import room_creation
from parlour_server.directory.bot_pool import BotPool, check_style
from parlour_server.directory.identities import check_text
from parlour_server.directory.peers import Peers
from parlour_server.directory.room_creation import new_code
from parlour_server.directory.rooms import RoomDirectory
from parlour_server.directory.sessions import ClientSession, Connections, Handlers
from parlour_server.effects import Outbox
from parlour_server.lobby.handoff import Handoff
from parlour_server.rooms.audience import Person
from parlour_server.rooms.room import Room
from parlour_server.rooms.seating import KINDS


@attrs.define(eq=False)
class RoomRequests:
    """Answers the messages that name a room, and ``create``."""

    _games: dict[str, AnyGame]
    _entropy: Callable[[int], bytes]
    _outbox: Outbox
    _connections: Connections
    _rooms: RoomDirectory
    _bots: BotPool
    _peers: Peers
    _handoff: Handoff

    @property
    def handlers(self) -> Handlers:
        """Return what answers which message."""
        return {
            **dict.fromkeys(_VERBS, self.carry_out),
            m.Create: self.create,
            m.Join: self.join,
            m.Chat: self.chat,
            m.Invite: self.invite,
            m.Configure: self.configure,
        }

    def create(self, session: ClientSession, message: m.Create, now: int) -> None:
        """Open a room, with its creator as host."""
        game = room_creation.game_of(message.game, self._games)
        person = self._connections.person(session)
        self._rooms.check_space(person.who)
        self._rooms.check_crowd(session.address)
        _check_style(person, message)
        if message.as_ == "player" and person.kind not in KINDS[message.kinds]:
            raise Denied("wrong_kind", f"the room is for {message.kinds} only; create it as a spectator")
        if message.beacon:
            raise Denied("no_beacon", "matches no longer wait for a beacon: send a nonce with `ready` instead")
        code = new_code(message.private, self._rooms.used, self._entropy)
        seat_code = new_code(True, (), self._entropy) if message.seat_code else None
        record = room_creation.opened(message, game, code, self._entropy(32), seat_code=seat_code)
        self._rooms.open(record, now, session.address)
        self._join(code, now, person, message, seat_code)

    def keep(self, game: str, seats: int, now: int) -> str:
        """Open a room of the server's own, whose first player becomes the host; return its code."""
        code = new_code(False, self._rooms.used, self._entropy)
        request = m.Create(game, seats=seats)
        self._rooms.open(room_creation.opened(request, self._games[game], code, self._entropy(32), kept=True), now)
        return code

    def join(self, session: ClientSession, message: m.Join, now: int) -> None:
        """Let a client into a room, here or at another node."""
        person, code = self._connections.person(session), message.room.upper()
        _check_style(person, message)
        if code not in self._rooms.inside[person.who]:
            self._rooms.check_space(person.who)
        if self._handoff.is_elsewhere(code):
            self._handoff.send(session, code, plain(message))
            return
        self._join(code, now, person, message, message.seat_code)

    def carry_out(self, session: ClientSession, message: Any, now: int) -> None:
        """Carry out a request that concerns nothing but a room."""
        verb, person = _VERBS[type(message)], self._connections.person(session)
        self._inside(person, message, now, lambda room, at: verb(room, at, person, message))

    def chat(self, session: ClientSession, message: m.Chat, now: int) -> None:
        """Send a line of chat to everybody in a room."""
        check_text(message.text)
        if self._connections.identity(session).muted:
            raise Denied("muted", "an admin has muted you on this server")
        person = self._connections.person(session)
        self._inside(person, message, now, lambda room, at: room.chat(at, person, message))

    def invite(self, session: ClientSession, message: m.Invite, now: int) -> None:
        """Seat an available bot, as the host. One of another node gets the seat now and is called to it."""
        person = self._connections.person(session)

        def seat(room: Room, at: int) -> None:
            room.core.require_host(person)
            here = self._bots.free(room, name=message.bot, style=message.style)
            bot = here or (self._bots.call_remote(room, message.bot) if message.style is None else None)
            if bot is None:
                raise self._bots.none(room, message.bot, message.style)
            style = message.style or self._bots.usual_style(bot.who)
            number = room.seating.sit(at, bot, message.seat, None, "invited" if here else None, style)
            if here is None:
                self._peers.calls.add((room.code, bot.who))
            room.core.send(person.who, m.Ok(re=message.id, room=room.code, seat=number))
            room.readiness.proceed(at)

        self._inside(person, message, now, seat)

    def configure(self, session: ClientSession, message: m.Configure, now: int) -> None:
        """Change options, seats and clock of a room for its next match, as the host."""
        person = self._connections.person(session)

        def change(room: Room, at: int) -> None:
            room.core.require_host(person)
            room.configure(at, person, room_creation.changed(message, room.state.game, at), message.id)

        self._inside(person, message, now, change)

    def _join(self, code: str, now: int, person: Person, message: m.Create | m.Join, seat_code: str | None) -> None:
        role, re, style = message.as_, message.id, message.style
        self._rooms.act(code, now, lambda room, at: room.seating.join(at, person, role, re, style, seat_code))

    def _inside(self, person: Person, message: m.RoomRequest[Any], now: int, do: Callable[[Room, int], object]) -> None:
        self._rooms.act(self._rooms.entered(person.who, message.room), now, do)


_VERBS: dict[type, Callable[[Room, int, Person, Any], None]] = {
    m.Leave: lambda room, at, person, message: room.seating.leave(at, person.who, message.id),
    m.Ready: lambda room, at, person, message: room.readiness.ready(at, person, message),
    m.Start: lambda room, at, person, message: room.readiness.start(at, person, message.id),
    m.Hurry: lambda room, at, person, message: room.readiness.hurry(at, person, message.id),
    m.Manage: lambda room, at, person, message: room.manage(at, person, message),
    m.Handover: lambda room, at, person, message: room.handovers.handover(at, person, message),
    m.Queue: lambda room, at, person, message: room.queue.wait(at, person, message),
}
"""What carries out a message of a person in a room, at its room time."""


def _check_style(person: Person, message: m.Create | m.Join) -> None:
    """Refuse a style for a person, and an invalid name of one."""
    if message.style is None:
        return
    if person.kind != "bot":
        raise Denied("wrong_kind", "only bots have a style; you sent hello as a human", hint="leave `style` out")
    check_style(message.style, f"{message.t}.style")


@attrs.frozen
class Cast:
    """Who plays on in a match, by seat, in the room ``code``."""

    code: str
    players: Sequence[Person]

    @property
    def rows(self) -> list[m.Plain]:
        """The players as plain data."""
        return [{"who": each.who, "name": each.name, "kind": each.kind} for each in self.players]


@attrs.define(eq=False)
class ContinueRequests:
    """Answers ``continue``, in two steps: the node reads and replays the match in between."""

    _games: dict[str, AnyGame]
    _entropy: Callable[[int], bytes]
    _outbox: Outbox
    _connections: Connections
    _rooms: RoomDirectory
    _bots: BotPool

    @property
    def handlers(self) -> Handlers:
        """Return what answers which message."""
        return {m.Continue: self.continue_}

    def continue_(self, session: ClientSession, message: m.Continue, now: int) -> None:
        """Ask the node for the match, if there is space for one more room."""
        self._check_space(session)
        self._outbox.want(effects.Ask(session.conn, self._connections.person(session), message))

    def cast(self, conn: int, seat: int, game: str, seats: int) -> Cast:
        """Return who plays on in a match of so many ``seats``: the client, and house bots. Raises Denied."""
        room_creation.game_of(game, self._games)
        if not 0 <= seat < seats:
            raise Denied("no_replay", f"there is no seat {seat}; seats are 0 to {seats - 1}")
        players = self._bots.house_team(game, [None] * (seats - 1))
        players.insert(seat, self._connections.person(self._connections.sessions[conn]))
        return Cast(new_code(True, self._rooms.used, self._entropy), players)

    def open(self, conn: int, re: m.Id | None, cast: Cast, room: Room, log: Sequence[str], now: int) -> None:
        """Open the room of ``log``, restored, with the client and the bots inside. Raises Denied, NotNow."""
        session = self._connections.sessions[conn]
        person = self._connections.person(session)
        self._check_space(session)
        self._rooms.open_restored(room, log, now, session.address)
        bots = [each for each in cast.players if each.who in self._connections.main and each.who != person.who]

        def enter(room: Room, at: int) -> None:
            for bot in bots:
                room.seating.attach(at, bot, None)
            room.seating.join(at, person, "player", re)

        self._rooms.update(room.code, now, enter)
        if room.code not in self._rooms.inside[person.who]:
            failed = NotNow("internal", "the server failed in this room", 1_000)
            self._outbox.post(session.conn, failed.message(re=re))

    def _check_space(self, session: ClientSession) -> None:
        self._rooms.check_space(self._connections.identity(session).who)
        self._rooms.check_crowd(session.address)
