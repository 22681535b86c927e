"""A bot on a server: on offer it is the same one when it is started again; it tells in a line each what happens."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import attrs

from parlour_bots.tools.reports import Scribe
from parlour_client.core.connection import State
from parlour_client.core.sanitize import clean
from parlour_client.storage.credentials import Credentials, InUse, held
from parlour_protocol.messages import Joined, Left, Ok, Over, Plain, SeatsChanged, ServerMessage, Table, Turn, Update


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
    """Tells what happens to a bot on a server: results as a ``Scribe`` does, the rest by ``say``.

    ``offered``: it waits for invitations. Else it has come for one room, of which it tells, and if ``opened``, how
    others come in.
    """

    url: str
    name: str
    scribe: Scribe
    say: Callable[[str], None]
    offered: bool = False
    opened: bool = False
    _matches: int = 0
    _waiting: bool = False
    _lost: bool = False
    _seats: dict[str, int] = attrs.field(factory=dict)
    _under_way: dict[str, int] = attrs.field(factory=dict)

    def follow(self, message: ServerMessage) -> None:
        """Take in the next message."""
        if isinstance(message, Update | Turn | Over):
            self._tell_lateness(message.room, message.events)
        match message:
            case Ok(room=None) if self.offered and not self._waiting:
                self._waiting = True
                self.say(f"{self.name} is on offer at {self.url}; started again it is the same bot. Ctrl-C: end.")
            case Joined() if message.seat is not None:
                self._sits(message, message.seat)
                self._goes_on(message.room, message.table)
            case SeatsChanged():
                self._goes_on(message.room, message.table)
            case Over():
                self._ends(message.room)
            case Left():
                self._seats.pop(message.room, None)
                self._under_way.pop(message.room, None)
                if message.why == "forfeited":
                    self.say(f"{message.room}: the match is forfeited.")
        self.scribe.follow(message)

    def state(self, state: State) -> None:
        """Take in what the connection does."""
        if state.name == "lost" and not self._lost:
            self._lost = True
            self.say(f"The server is gone ({clean(state.reason)}); trying again.")
        elif state.name == "open" and self._lost:
            self._lost = False
            self.say("The server is back.")

    def _sits(self, told: Joined, seat: int) -> None:
        if told.room not in self._seats and self.opened:
            self.say(f"The room is {told.room}; {self.name} sits there, and it begins when all its seats are taken.")
        elif told.room not in self._seats and not self.offered:
            self.say(f"{self.name} sits in {told.room} ({told.game}) at {self.url}. Ctrl-C: end.")
        self._seats.setdefault(told.room, seat)

    def _goes_on(self, room: str, table: Table) -> None:
        """Tell once of a match that has begun, and against whom; and once that it has ended."""
        seat = self._seats.get(room)
        if seat is None or table["state"] not in ("playing", "pause"):
            self._ends(room)
        elif room not in self._under_way:
            self._matches += 1
            self._under_way[room] = self._matches
            others = [clean(row["name"]) for row in table["seats"] if row and row["seat"] != seat]
            against = f" against {', '.join(others)}" if others else ""
            self.say(f"Match {self._matches} in {room}{against}.")

    def _tell_lateness(self, room: str, events: Sequence[Plain]) -> None:
        for event in events:
            if event["e"] == "timeout" and event["seat"] == self._seats.get(room):
                self.say(f"{room}: too late; the clock had run out.")

    def _ends(self, room: str) -> None:
        if (number := self._under_way.pop(room, None)) is not None:
            self.say(f"Match {number} in {room} is over.")
