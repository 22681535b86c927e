"""Progress of a match, of its review, of a contest and of a bot on a server: a bar on a terminal, else lines."""

from collections.abc import Callable, Iterable, Sequence
from time import monotonic
from typing import Self, TextIO

import attrs
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar

from parlour_bots.errors import MISTAKES_SHOWN
from parlour_bots.tools.reports import Report, of_over
from parlour_client.core.connection import ConnectionState
from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.core.room import JoinedRoom
from parlour_protocol.messages import Joined, Left, Ok, Over, Plain, SeatsChanged, ServerMessage, Table, Turn, Update


class ProgressBar:
    """A context manager that shows a bar with these ``columns`` if ``out`` is a terminal."""

    def __init__(self, out: TextIO, doing: str, total: int, *columns: ProgressColumn) -> None:
        self._out = out
        console = Console(file=out)
        every = (TextColumn("{task.description}"), BarColumn(), *columns)
        self._bar = Bar(*every, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task(doing, total=total)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()


class MatchProgress(ProgressBar):
    """A context manager that shows how close the match in a room is to ``target`` points."""

    def __init__(self, target: int, out: TextIO) -> None:
        super().__init__(out, "starting the server", target, TaskProgressColumn(), TimeElapsedColumn())
        self._target = target
        self._round = 0

    def show(self, room: JoinedRoom) -> None:
        """Show the progress of ``room``."""
        view = room.view or {}
        if "round" not in view:
            return
        leader = min(self._target, max(view["scores"]))
        self._bar.update(self._task, description=f"round {view['round']}", completed=leader)
        if self._bar.disable and view["round"] != self._round:
            self._round = view["round"]
            scores = ", ".join(f"{room.name(seat)} {points}" for seat, points in enumerate(view["scores"]))
            self._out.write(f"round {self._round}: {scores}\n")


class ReviewProgress(ProgressBar):
    """A context manager that counts the decisions of a review with ``step``. Quiet elsewhere than on a terminal."""

    def __init__(self, decisions: int, out: TextIO) -> None:
        super().__init__(out, say("line.review.doing"), decisions, MofNCompleteColumn(), TimeRemainingColumn())

    def step(self) -> None:
        """Count a decision."""
        self._bar.advance(self._task)


EVERY = 5.0
"""Seconds between two lines."""


class ContestProgress(ProgressBar):
    """A context manager that counts games with ``step`` and prints above the bar with ``write``."""

    def __init__(
        self, games: int, out: TextIO, clock: Callable[[], float] = monotonic, *, named: int | None = None
    ) -> None:
        """``named`` is how many bots are shown: the last ones that began. None shows all."""
        super().__init__(out, "playing", games, MofNCompleteColumn(), TimeRemainingColumn())
        self._clock = clock
        self._games, self._done, self._written = games, 0, clock()
        self._wins: dict[str, float] = {}
        self._played: dict[str, int] = {}
        self._mistakes = 0
        self._named = named or 0

    def step(self, shares: Iterable[tuple[str, float]]) -> None:
        """Count a game, with the share of the win of each bot."""
        self._done += 1
        for bot, share in shares:
            self._played[bot] = self._played.get(bot, 0) + 1
            self._wins[bot] = self._wins.get(bot, 0) + share
        if not self._bar.disable:
            self._bar.update(self._task, description=self._standing(), completed=self._done)
        elif (now := self._clock()) - self._written >= EVERY:
            self._written = now
            self._out.write(f"{self._done} of {self._games} games: {self._standing()}\n")
            self._out.flush()

    def write_mistakes(self, mistakes: Iterable[str]) -> None:
        """Write the first few mistakes of all games."""
        for text in mistakes:
            self._mistakes += 1
            if self._mistakes <= MISTAKES_SHOWN:
                self.write(text)
            elif self._mistakes == MISTAKES_SHOWN + 1:
                self.write("Further mistakes are only counted.")

    def write(self, text: str) -> None:
        """Write a line above the bar."""
        if self._bar.disable:
            self._out.write(f"{text}\n")
        else:
            self._bar.console.print(text, markup=False, highlight=False)

    def _standing(self) -> str:
        return ", ".join(
            f"{bot} {self._wins[bot] / games:.1%}" for bot, games in [*self._played.items()][-self._named :]
        )


@attrs.define
class StatusReporter:
    """Writes a line for each event of a bot on a server, and sends a report when a match ends.

    ``available``: the bot waits for invitations; otherwise it plays in one room. ``opened``: it has created the room.
    """

    url: str
    name: str
    send: Callable[[Report], None]
    write: Callable[[str], None]
    available: bool = False
    opened: bool = False
    _matches: int = 0
    _waiting: bool = False
    _lost: bool = False
    _rooms: dict[str, JoinedRoom] = attrs.field(factory=dict)
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
                self._seated(message)
                self._update_match(message.room, message.table)
            case SeatsChanged():
                self._update_match(message.room, message.table)
            case Over():
                self._end_match(message.room)
            case Left():
                self._rooms.pop(message.room, None)
                self._under_way.pop(message.room, None)
                if message.why == "forfeited":
                    self.write(f"{message.room}: the match was forfeited.")
        if room := self._rooms.get(getattr(message, "room", None) or ""):
            room.apply(message)
            if isinstance(message, Over):
                self.send(of_over(room, message))

    def state(self, state: ConnectionState) -> None:
        """Handle a change of the connection."""
        if state.name == "lost" and not self._lost:
            self._lost = True
            self.write(f"Lost the connection ({clean(state.reason)}); reconnecting.")
        elif state.name == "open" and self._lost:
            self._lost = False
            self.write("Reconnected.")

    def _seated(self, joined: Joined) -> None:
        if joined.room not in self._rooms and self.opened:
            opened = f"{self.name} opened room {joined.room} ({joined.game})"
            self.write(f"{opened}; the match starts when all seats are taken.")
        elif joined.room not in self._rooms and not self.available:
            self.write(f"{self.name} joined {joined.room} ({joined.game}) at {self.url}. Press Ctrl-C to stop.")
        self._rooms[joined.room] = JoinedRoom.of(joined)

    def _update_match(self, room: str, table: Table) -> None:
        """Write one line when a match starts, with the opponents, and one when it ends."""
        known = self._rooms.get(room)
        if known is None or table["state"] not in ("playing", "pause"):
            self._end_match(room)
        elif room not in self._under_way:
            self._matches += 1
            self._under_way[room] = self._matches
            others = [clean(row["name"]) for row in table["seats"] if row and row["seat"] != known.seat]
            against = f" against {', '.join(others)}" if others else ""
            self.write(f"Match {self._matches} in {room}{against}.")

    def _report_timeouts(self, room: str, events: Sequence[Plain]) -> None:
        known = self._rooms.get(room)
        for event in events:
            if event["e"] == "timeout" and known and event["seat"] == known.seat:
                self.write(f"{room}: the clock ran out before the answer.")

    def _end_match(self, room: str) -> None:
        if (number := self._under_way.pop(room, None)) is not None:
            self.write(f"Match {number} in {room} is over.")
