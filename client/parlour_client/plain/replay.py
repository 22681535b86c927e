"""A replay as lines of text: the whole match, or one position of it."""

from collections.abc import Iterator

from parlour_client.core.errors import Usage, WrongProtocol
from parlour_client.core.room import JoinedRoom
from parlour_client.replays.reader import Replay
from parlour_client.text import table
from parlour_client.text.base import event_lines, lines_for
from parlour_games.fair import commitment
from parlour_games.plural import counted
from parlour_protocol.messages import Joined, Left, Over, SeatsChanged, ServerMessage, Turn, Update

_FAIR = "The secret behind the deals fits its commitment. More is proved by: parlour verify"


def story(found: Replay) -> Iterator[str]:
    """Yield the whole match: what the viewer was told, and before each act the note that came with it."""
    teller = _Narrator(found.messages[0])
    yield from teller.opening()
    told = 1
    for acts in range(len(found.steps) + 1):
        if acts and (why := found.steps[acts - 1].why):
            yield f"{teller.room.name(found.steps[acts - 1].seat)} notes: {why}"
        for message in found.messages[told : found.after(acts)]:
            yield from teller.tell(message)
        told = max(told, found.after(acts))


def position(found: Replay, acts: int) -> Iterator[str]:
    """Yield how it stood after so many acts, what was asked then, and the note that came with the answer."""
    if not 0 <= acts <= len(found.steps):
        raise Usage(f"--at {acts}: the match has {counted(len(found.steps), 'act')}")
    room = _Narrator(found.messages[0]).room
    for message in found.messages[1 : found.after(acts)]:
        room.apply(message)
    lines = lines_for(room.game)
    yield f"After {acts} of {counted(len(found.steps), 'act')}:"
    yield from lines.state(room)
    yield from lines.board(room)
    if room.seat is not None:
        yield lines.hand(room)
    yield from lines.question(room)
    if room.over:
        yield from table.result(room, room.over)
    if acts < len(found.steps) and (why := found.steps[acts].why):
        yield f"{room.name(found.steps[acts].seat)} notes: {why}"


class _Narrator:
    """The match in the words of the line mode."""

    def __init__(self, joined: ServerMessage) -> None:
        if not isinstance(joined, Joined):
            raise WrongProtocol("a replay begins with joined")
        self.room = JoinedRoom.of(joined)
        self._commit = joined.table["fair"]["commit"]
        self._offered: set[int] = set()

    def opening(self) -> list[str]:
        """Return who sits where, and whose eyes we have."""
        room = self.room
        eyes = "a spectator" if room.seat is None else f"{room.name(room.seat)}, seat {room.seat}"
        return [f"{room.game} in room {room.code}, as {eyes} saw it.", table.people(room)]

    def tell(self, message: ServerMessage) -> list[str]:
        """Take in a message, and return what a person was told of it."""
        before = self.room.table
        self.room.apply(message)
        match message:
            case SeatsChanged():
                return list(table.changes(self.room, before))
            case Update() | Turn() | Over():
                return [*event_lines(self.room), *self._offers(), *self._asked(message)]
            case Left():
                return ["You have left the match."]
        return []

    def _offers(self) -> list[str]:
        new = [offer for offer in self.room.may if offer["rid"] not in self._offered]
        self._offered |= {offer["rid"] for offer in new}
        told = (lines_for(self.room.game).offer(self.room, offer) for offer in new)
        return [line for line in told if line]

    def _asked(self, message: Update | Turn | Over) -> list[str]:
        """Return the question, or the end."""
        room, lines = self.room, lines_for(self.room.game)
        if isinstance(message, Turn):
            return [*lines.board(room), *lines.question(room)]
        if not isinstance(message, Over):
            return []
        fair = [_FAIR] if commitment(bytes.fromhex(message.reveal)) == self._commit else []
        return [*lines.board(room), *table.result(room, message), *lines.review(room, message), *fair]
