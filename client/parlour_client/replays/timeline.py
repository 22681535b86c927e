"""The positions of a replay, one after each act.

A position has no clocks, because nobody is waited for, and hints are on, because they give nothing away.
"""

from collections.abc import Iterable

import attrs

from parlour_client.core.errors import WrongProtocol
from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.replays.reader import Replay, ReplayStep
from parlour_client.text import room_lines
from parlour_client.text.base import event_lines
from parlour_games.fair import commitment
from parlour_protocol.messages import Joined, Over, Plain, SeatsChanged, ServerMessage, Turn, Update

_LEAP = 10
"""Number of leaps through a match of one round."""


@attrs.frozen
class TimelinePosition:
    """The room after the act ``step``, None at the start. ``said`` describes the act; ``ms`` counts from the first."""

    room: JoinedRoom
    said: tuple[str, ...]
    ms: int
    step: ReplayStep | None

    @property
    def note(self) -> str:
        """The note that the player left with the act, after its name; empty if there is none."""
        return (
            say("line.note", name=self.room.name(self.step.seat), why=self.step.why)
            if self.step and self.step.why
            else ""
        )


class Timeline:
    """All positions of a match as one viewer saw it, from before the first act to the end."""

    def __init__(self, found: Replay) -> None:
        """Raises WrongProtocol for a replay that does not begin with ``joined``."""
        joined = found.messages[0] if found.messages else None
        if not isinstance(joined, Joined):
            raise WrongProtocol("a replay begins with joined")
        self.positions: list[TimelinePosition] = []
        room, told = JoinedRoom.of(joined), 1
        for acts in range(len(found.steps) + 1):
            messages = found.messages[told : found.after(acts)]
            told = max(told, found.after(acts))
            step = found.steps[acts - 1] if acts else None
            ms = step.at - found.steps[0].at if step else 0
            self.positions.append(_position(room, messages, ms, step))
        self.fair = _fair(joined, found.messages[-1])

    @property
    def last(self) -> int:
        """The number of acts."""
        return len(self.positions) - 1

    @property
    def game(self) -> str:
        """The game's name."""
        return self.positions[0].room.game

    @property
    def rounds(self) -> list[int]:
        """The positions at which rounds begin; none in a game without rounds."""
        begins: dict[int, int] = {}
        for at, position in enumerate(self.positions):
            number = (position.room.view or {}).get("round")
            if number is not None:
                begins.setdefault(number, at)
        return list(begins.values())

    def leap(self, at: int, by: int) -> int:
        """Return the beginning of the next (``by`` 1) or previous (-1) round, seen from position ``at``.

        A match of one round is divided into ten parts instead.
        """
        inner = self.rounds[1:] or [self.last * part // _LEAP for part in range(1, _LEAP)]
        marks = [0, *inner, self.last]
        if by > 0:
            return min((mark for mark in marks if mark > at), default=at)
        return max((mark for mark in marks if mark < at), default=at)

    def story(self, at: int, lines: int) -> list[str]:
        """Return the last ``lines`` lines of the log up to position ``at``."""
        told: list[str] = []
        while at >= 0 and len(told) < lines:
            position = self.positions[at]
            told[:0] = lines_of(position)
            at -= 1
        return told[-lines:]


def lines_of(position: TimelinePosition) -> list[str]:
    """Return the log lines of a position: the note left with the act, then its events."""
    return [*([position.note] if position.note else []), *position.said]


def _position(
    room: JoinedRoom, messages: Iterable[ServerMessage], ms: int, step: ReplayStep | None
) -> TimelinePosition:
    """Apply ``messages`` to ``room`` and return a snapshot of it."""
    events: list[Plain] = []
    said: list[str] = []
    for message in messages:
        before = room.table
        room.apply(message)
        if isinstance(message, Update | Turn | Over):
            events += room.events
            said += event_lines(room)
        elif isinstance(message, SeatsChanged):
            said += room_lines.changes(room, before)
    question = attrs.evolve(room.question, left=None) if room.question else None
    still = attrs.evolve(room, clocks={}, question=question, table={**room.table, "hints": True}, events=events)
    return TimelinePosition(still, tuple(said), ms, step)


def _fair(joined: Joined, last: ServerMessage) -> bool:
    """Return whether the secret revealed at the end fits the commitment made before the match."""
    return isinstance(last, Over) and commitment(bytes.fromhex(last.reveal)) == joined.table["fair"]["commit"]
