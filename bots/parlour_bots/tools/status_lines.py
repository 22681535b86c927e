"""Status lines of a bot on a server."""

from collections.abc import Callable, Sequence

import attrs

from parlour_bots.tools.reports import MatchReporter
from parlour_client.core.connection import ConnectionState
from parlour_client.core.printing import clean
from parlour_protocol.messages import Joined, Left, Ok, Over, Plain, SeatsChanged, ServerMessage, Table, Turn, Update


@attrs.define
class StatusReporter:
    """Writes a line for each event of a bot on a server; ``reporter`` gets all messages and reports the results.

    ``available``: the bot waits for invitations; otherwise it plays in one room. ``opened``: it has created the room.
    """

    url: str
    name: str
    reporter: MatchReporter
    write: Callable[[str], None]
    available: bool = False
    opened: bool = False
    _matches: int = 0
    _waiting: bool = False
    _lost: bool = False
    _seats: dict[str, int] = attrs.field(factory=dict)
    _under_way: dict[str, int] = attrs.field(factory=dict)

    def follow(self, message: ServerMessage) -> None:
        """Handle the next message."""
        if isinstance(message, Update | Turn | Over):
            self._report_timeouts(message.room, message.events)
        match message:
            case Ok(room=None) if self.available and not self._waiting:
                self._waiting = True
                self.write(f"{self.name} waits for invitations at {self.url}. Press Ctrl-C to stop.")
            case Joined() if message.seat is not None:
                self._seated(message, message.seat)
                self._update_match(message.room, message.table)
            case SeatsChanged():
                self._update_match(message.room, message.table)
            case Over():
                self._end_match(message.room)
            case Left():
                self._seats.pop(message.room, None)
                self._under_way.pop(message.room, None)
                if message.why == "forfeited":
                    self.write(f"{message.room}: the match was forfeited.")
        self.reporter.follow(message)

    def state(self, state: ConnectionState) -> None:
        """Handle a change of the connection."""
        if state.name == "lost" and not self._lost:
            self._lost = True
            self.write(f"Lost the connection ({clean(state.reason)}); reconnecting.")
        elif state.name == "open" and self._lost:
            self._lost = False
            self.write("Reconnected.")

    def _seated(self, joined: Joined, seat: int) -> None:
        if joined.room not in self._seats and self.opened:
            self.write(f"{self.name} opened room {joined.room}; the match starts when all seats are taken.")
        elif joined.room not in self._seats and not self.available:
            self.write(f"{self.name} joined {joined.room} ({joined.game}) at {self.url}. Press Ctrl-C to stop.")
        self._seats.setdefault(joined.room, seat)

    def _update_match(self, room: str, table: Table) -> None:
        """Write one line when a match starts, with the opponents, and one when it ends."""
        seat = self._seats.get(room)
        if seat is None or table["state"] not in ("playing", "pause"):
            self._end_match(room)
        elif room not in self._under_way:
            self._matches += 1
            self._under_way[room] = self._matches
            others = [clean(row["name"]) for row in table["seats"] if row and row["seat"] != seat]
            against = f" against {', '.join(others)}" if others else ""
            self.write(f"Match {self._matches} in {room}{against}.")

    def _report_timeouts(self, room: str, events: Sequence[Plain]) -> None:
        for event in events:
            if event["e"] == "timeout" and event["seat"] == self._seats.get(room):
                self.write(f"{room}: the clock ran out before the answer.")

    def _end_match(self, room: str) -> None:
        if (number := self._under_way.pop(room, None)) is not None:
            self.write(f"Match {number} in {room} is over.")
