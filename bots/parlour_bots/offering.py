"""A bot on offer: it is the same one when it is started again, and tells in a line each what happens to it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import attrs

from parlour_bots.reports import Scribe
from parlour_client.connection import State
from parlour_client.credentials import Credentials, InUse, held
from parlour_client.text import clean
from parlour_protocol.messages import Joined, Left, Ok, SeatsChanged, ServerMessage


@contextmanager
def identity(server: str, name: str, *, sure: bool) -> Iterator[Credentials | None]:
    """Hold what the server knows the bot ``name`` by; None if another living process is that bot.

    Raises InUse instead if the name is ``sure`` to be wanted.
    """
    try:
        with held(server, name, kind="bot") as mine:
            yield mine
    except InUse:
        if sure:
            raise
        yield None


@attrs.define
class Narrator:
    """Tells what happens to a bot on offer: results as a ``Scribe`` does, the rest by ``say``."""

    url: str
    name: str
    scribe: Scribe
    say: Callable[[str], None]
    _tables: int = 0
    _waiting: bool = False
    _lost: bool = False
    _seats: dict[str, int] = attrs.field(factory=dict)
    _under_way: set[str] = attrs.field(factory=set)

    def follow(self, message: ServerMessage) -> None:
        """Take in the next message."""
        self.scribe.follow(message)
        match message:
            case Ok(room=None) if not self._waiting:
                self._waiting = True
                self.say(f"{self.name} is on offer at {self.url}; started again it is the same bot. Ctrl-C: end.")
            case Joined() if message.seat is not None:
                self._seats.setdefault(message.room, message.seat)
                self._begins(message)
            case SeatsChanged():
                self._begins(message)
            case Left():
                self._seats.pop(message.room, None)
                self._under_way.discard(message.room)
                if message.why == "forfeited":
                    self.say(f"{message.room}: the match is forfeited.")

    def state(self, state: State) -> None:
        """Take in what the connection does."""
        if state.name == "lost" and not self._lost:
            self._lost = True
            self.say(f"The server is gone ({clean(state.reason)}); trying again.")
        elif state.name == "open" and self._lost:
            self._lost = False
            self.say("The server is back.")

    def _begins(self, told: Joined | SeatsChanged) -> None:
        """Tell once of a match that has begun, and against whom."""
        room, seat, table = told.room, self._seats.get(told.room), told.table
        if seat is None or table["state"] not in ("playing", "pause"):
            self._under_way.discard(room)
        elif room not in self._under_way:
            self._under_way.add(room)
            self._tables += 1
            others = [clean(row["name"]) for row in table["seats"] if row and row["seat"] != seat]
            against = f" against {', '.join(others)}" if others else ""
            self.say(f"Table {self._tables}: {room}{against}.")
