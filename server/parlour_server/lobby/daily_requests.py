"""Requests about the matches of the day: play today's, or see the table of a day."""

from collections.abc import Callable

import attrs

from parlour_protocol import messages as m
from parlour_server import effects
from parlour_server.directory import room_creation
from parlour_server.directory.bot_pool import BotPool
from parlour_server.directory.daily import Board, DailyBoards, context
from parlour_server.directory.room_codes import new_code
from parlour_server.directory.rooms import RoomDirectory
from parlour_server.directory.sessions import ClientSession, Connections
from parlour_server.effects import Outbox
from parlour_server.lobby.dispatch import Handlers
from parlour_server.rooms.room import Room


@attrs.define(eq=False)
class DailyRequests:
    """Answers ``daily``."""

    _entropy: Callable[[int], bytes]
    _outbox: Outbox
    _connections: Connections
    _rooms: RoomDirectory
    _bots: BotPool
    _daily: DailyBoards

    @property
    def handlers(self) -> Handlers:
        """Return what answers which message."""
        return {m.Daily: self.daily}

    def daily(self, session: ClientSession, message: m.Daily, now: int) -> None:
        """Open a room for today's board and begin, or return the table of a day."""
        board = self._daily.board(message.board)
        if message.play:
            self._play(session, board, message.id, now)
            return
        daily, day = self._daily, self._daily.day(message.day)
        about = m.DailyRows(
            day.isoformat(),
            board.name,
            daily.commit(day, board.name),
            context(day, board.name),
            daily.left,
            [],
            secret=daily.reveal(day, board.name),
            re=message.id,
            boards=[each.row() for each in daily.boards.values()],
        )
        self._outbox.want(effects.Ask(session.conn, self._connections.person(session), message, about))

    def _play(self, session: ClientSession, board: Board, re: m.Id | None, now: int) -> None:
        """Open a room for one person, with its bots, so that the match begins."""
        person = self._connections.person(session)
        bots = self._bots.house_team(board.game.name, board.match.bots)
        self._rooms.check_space(person.who)
        self._rooms.check_crowd(session.address)
        code, day = new_code(True, self._rooms.used, self._entropy), self._daily.today.isoformat()
        record = room_creation.opened(self._daily.room(board), board.game, code, self._entropy(32), daily=day)
        self._rooms.open(record, now, session.address)
        self._rooms.act(code, now, Room.join, person, "player", re)
        for bot, style in zip(bots, board.match.bots, strict=True):
            self._rooms.act(code, now, Room.sit, bot, None, None, "invited", style)
        self._rooms.act(code, now, Room.proceed)
