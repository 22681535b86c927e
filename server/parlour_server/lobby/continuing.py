"""Playing on from an act of a finished match: who plays, and the room for it."""

from collections.abc import Callable, Sequence

import attrs

from parlour_games.registry import AnyGame
from parlour_protocol import messages as m
from parlour_protocol.errors import Denied, NotNow
from parlour_server import effects
from parlour_server.directory import room_creation
from parlour_server.directory.bot_pool import BotPool
from parlour_server.directory.room_codes import new_code
from parlour_server.directory.rooms import RoomDirectory
from parlour_server.directory.sessions import ClientSession, Connections
from parlour_server.effects import Outbox
from parlour_server.lobby.dispatch import Handlers
from parlour_server.rooms.audience import Person
from parlour_server.rooms.room import Room


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
        if game not in self._games:
            raise room_creation.no_game(game, self._games)
        if not 0 <= seat < seats:
            raise Denied("no_replay", f"there is no seat {seat}: they are 0 to {seats - 1}")
        players = self._bots.house_players(game, seats - 1)
        players.insert(seat, self._connections.person(self._connections.sessions[conn]))
        return Cast(new_code(True, self._rooms.used, self._entropy), players)

    def open(self, conn: int, re: m.Id | None, cast: Cast, room: Room, log: Sequence[str], now: int) -> None:
        """Open the room of ``log``, restored, with the client and the bots inside. Raises Denied, NotNow."""
        session = self._connections.sessions[conn]
        person = self._connections.person(session)
        self._check_space(session)
        self._rooms.open_restored(room, log, now, session.address)
        for bot in cast.players:
            if bot.who in self._connections.main and bot.who != person.who:
                self._rooms.update(room.code, now, Room.attach, bot, None)
        self._rooms.update(room.code, now, Room.join, person, "player", re)
        if room.code not in self._rooms.inside[person.who]:
            failed = NotNow("internal", "the server failed in this room", 1_000)
            self._outbox.post(session.conn, failed.message(re=re))

    def _check_space(self, session: ClientSession) -> None:
        self._rooms.check_space(self._connections.identity(session).who)
        self._rooms.check_crowd(session.address)
