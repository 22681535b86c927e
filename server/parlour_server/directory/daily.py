"""The board of the day: one deal a day for each level, the same for everyone, which nobody can know before it."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from hmac import digest as hmac

from parlour_games.fair import commitment
from parlour_protocol.errors import Denied
from parlour_protocol.messages import Create, Deal

GAME = "minesweeper"
BOARDS = ("beginner", "intermediate", "expert")
_DAY_MS = 86_400_000


class Daily:
    """Deals by day and board. ``now`` returns milliseconds since 1970; days begin at midnight UTC.

    S of a day and a board is HMAC-SHA-256(master, "parlour-daily/1/DAY/BOARD"); the store keeps the master secret.
    """

    def __init__(self, now: Callable[[], int]) -> None:
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
            wrong = f"{(text or '')[:20]!a} is no day up to tomorrow; today is {today}"
            raise Denied("bad_options", wrong, hint="write a day as YYYY-MM-DD, or leave it out for today")
        return found

    def board(self, text: str) -> str:
        """Return the board that a client names. Raises Denied."""
        if text not in BOARDS:
            raise Denied("bad_options", f"there is no daily board {text[:20]!a}; there are {', '.join(BOARDS)}")
        return text

    def room(self, board: str) -> Create:
        """Return the request for a room in which today's board is played."""
        return Create(
            GAME,
            {"mode": "solo", "level": board},
            seats=1,
            private=True,
            watch=False,
            hints=False,
            clock=None,
            standin=False,
            start="full",
            deal=self.deal(self.today, board),
        )

    def deal(self, day: date, board: str) -> Deal:
        """Return the deal of a day. It is secret until the day is over."""
        return {"secret": self._secret(day, board).hex(), "context": self.context(day, board), "nonces": []}

    def context(self, day: date, board: str) -> str:
        """Return what the deal of a day is bound to besides its secret."""
        return f"daily/{day}/{board}"

    def commit(self, day: date, board: str) -> str:
        """Return the commitment to the secret of a day."""
        return commitment(self._secret(day, board))

    def reveal(self, day: date, board: str) -> str | None:
        """Return the secret of a day that is over, in hex, else None."""
        return self._secret(day, board).hex() if day < self.today else None

    def _secret(self, day: date, board: str) -> bytes:
        return hmac(self._master, f"parlour-daily/1/{day}/{board}".encode(), "sha256")
