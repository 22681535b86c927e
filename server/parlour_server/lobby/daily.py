"""The matches of the day: one deal a day for each, the same for all and unknown until then; requests about them."""

from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta
from hmac import digest as hmac

import attrs

from parlour_games.fair import commitment
from parlour_games.game import DailyMatch
from parlour_games.registry import AnyGame
from parlour_protocol import messages as m
from parlour_protocol.errors import Denied
from parlour_protocol.messages import Create, DailyBoard, Deal
from parlour_server import effects
from parlour_server.directory import room_creation
from parlour_server.directory.bot_pool import BotPool
from parlour_server.directory.room_creation import new_code
from parlour_server.directory.rooms import RoomDirectory
from parlour_server.directory.sessions import ClientSession, Connections, Handlers
from parlour_server.effects import Outbox
from parlour_server.rooms.room import Room

_DAY_MS = 86_400_000


@attrs.frozen
class DeclaredBoard:
    """A match of the day: its name, its game, and what the game declares of it."""

    name: str
    game: AnyGame
    match: DailyMatch

    def row(self) -> DailyBoard:
        """Return the row for the table of a day."""
        return {"board": self.name, "game": self.game.name, "best": self.match.best}


def boards(games: Iterable[AnyGame]) -> dict[str, DeclaredBoard]:
    """Return the matches of the day of these games, by name. Of two with the same name the first counts."""
    found: dict[str, DeclaredBoard] = {}
    for game in games:
        for name, match in game.dailies.items():
            found.setdefault(name, DeclaredBoard(name, game, match))
    return found


class DailyBoards:
    """Deals by day and board. ``now`` returns milliseconds since 1970; days begin at midnight UTC.

    S of a day and a board is HMAC-SHA-256(master, "parlour-daily/1/DAY/BOARD"); the store keeps the master secret.
    """

    def __init__(self, games: Iterable[AnyGame], now: Callable[[], int]) -> None:
        self.boards = boards(games)
        self._now = now
        self._master = b""

    def restore(self, master: str) -> None:
        """Take the master secret, in hex, that the store keeps."""
        self._master = bytes.fromhex(master)

    @property
    def today(self) -> date:
        """The day that it is now."""
        return datetime.fromtimestamp(self._now() / 1000, UTC).date()

    @property
    def left(self) -> int:
        """Milliseconds until the next day."""
        return _DAY_MS - self._now() % _DAY_MS

    def day(self, text: str | None) -> date:
        """Return the day that a client names, up to tomorrow; None is today. Raises Denied."""
        today = self.today
        try:
            found = today if text is None else date.fromisoformat(text)
        except ValueError:
            found = None
        if found is None or found > today + timedelta(days=1):
            wrong = f"{(text or '')[:20]!a} must be a day no later than tomorrow; today is {today}"
            hint = "write a day as YYYY-MM-DD, or leave it out for today"
            raise Denied("bad_options", wrong, hint=hint, phrase="day", fields={"today": str(today)})
        return found

    def board(self, name: str) -> DeclaredBoard:
        """Return the board that a client names. Raises Denied."""
        if not self.boards:
            raise Denied("no_game", "no game of this server has a match of the day")
        if name not in self.boards:
            known = ", ".join(self.boards)
            wrong = f"there is no daily board {name[:20]!a}; choose from {known}"
            raise Denied("bad_options", wrong, phrase="board", fields={"boards": known})
        return self.boards[name]

    def room(self, board: DeclaredBoard) -> Create:
        """Return the request for a room in which today's board is played."""
        return Create(
            board.game.name,
            board.match.options,
            seats=1 + len(board.match.bots),
            private=True,
            watch=False,
            hints=False,
            clock=None,
            standin=False,
            start="full",
            deal=self.deal(self.today, board.name),
        )

    def deal(self, day: date, board: str) -> Deal:
        """Return the deal of a day. It is secret until the day is over."""
        return {"secret": self._secret(day, board).hex(), "context": context(day, board), "nonces": []}

    def commit(self, day: date, board: str) -> str:
        """Return the commitment to the secret of a day."""
        return commitment(self._secret(day, board))

    def reveal(self, day: date, board: str) -> str | None:
        """Return the secret of a day that is over, in hex, else None."""
        return self._secret(day, board).hex() if day < self.today else None

    def _secret(self, day: date, board: str) -> bytes:
        return hmac(self._master, f"parlour-daily/1/{day}/{board}".encode(), "sha256")


def context(day: date, board: str) -> str:
    """Return the context of a day's deal, which the deal depends on besides its secret."""
    return f"daily/{day}/{board}"


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

    def _play(self, session: ClientSession, board: DeclaredBoard, re: m.Id | None, now: int) -> None:
        """Open a room for one person, with its bots, so that the match begins."""
        person = self._connections.person(session)
        bots = self._bots.house_team(board.game.name, board.match.bots)
        self._rooms.check_space(person.who)
        self._rooms.check_crowd(session.address)
        code, day = new_code(True, self._rooms.used, self._entropy), self._daily.today.isoformat()
        record = room_creation.opened(self._daily.room(board), board.game, code, self._entropy(32), daily=day)
        self._rooms.open(record, now, session.address)

        def begin(room: Room, at: int) -> None:
            room.seating.join(at, person, "player", re)
            for bot, style in zip(bots, board.match.bots, strict=True):
                room.seating.sit(at, bot, None, None, "invited", style)
            room.readiness.proceed(at)

        self._rooms.act(code, now, begin)
