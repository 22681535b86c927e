"""Requests about daily boards: play today's, or see the table of a day."""

from collections.abc import Callable

import attrs

from parlour_games.registry import AnyGame
from parlour_protocol import messages as m
from parlour_protocol.errors import Denied
from parlour_server import effects
from parlour_server.directory import room_creation
from parlour_server.directory.connections import Connections
from parlour_server.directory.daily import GAME, Daily
from parlour_server.directory.outbox import Outbox
from parlour_server.directory.room_codes import new_code
from parlour_server.directory.rooms import Rooms
from parlour_server.directory.sessions import Session
from parlour_server.lobby.dispatch import Handlers
from parlour_server.rooms.room import Room


@attrs.define(eq=False)
class DailyRequests:
    """Answers ``daily``."""

    _games: dict[str, AnyGame]
    _entropy: Callable[[int], bytes]
    _outbox: Outbox
    _connections: Connections
    _rooms: Rooms
    _daily: Daily

    @property
    def handlers(self) -> Handlers:
        """Return what answers which message."""
        return {m.Daily: self.daily}

    def daily(self, session: Session, message: m.Daily, now: int) -> None:
        """Open a room for today's board and begin, or return the table of a day."""
        if GAME not in self._games:
            raise Denied("no_game", f"daily boards are of {GAME}, which this server does not have")
        board = self._daily.board(message.board)
        if message.play:
            self._play(session, board, message.id, now)
            return
        daily, day = self._daily, self._daily.day(message.day)
        name = self._connections.identity(session).name
        about = (day.isoformat(), board, name, daily.commit(day, board), daily.context(day, board))
        secret = daily.reveal(day, board)
        self._outbox.want(effects.FetchDaily(session.conn, message.id, *about, daily.left, secret))

    def _play(self, session: Session, board: str, re: m.Id | None, now: int) -> None:
        person = self._connections.person(session)
        self._rooms.check_space(person.who)
        self._rooms.check_crowd(session.address)
        code, day = new_code(True, self._rooms.used, self._entropy), self._daily.today.isoformat()
        request, game = self._daily.room(board), self._games[GAME]
        record = room_creation.opened(request, game, code, self._entropy(32), daily=day)
        self._rooms.open(record, now, session.address)
        self._rooms.act(code, now, Room.join, person, "player", re)
