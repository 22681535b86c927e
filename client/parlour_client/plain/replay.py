"""A replay as lines of text: the whole match, or one position of it."""

from collections.abc import Iterator

from parlour_client.core.errors import Usage, WrongProtocol
from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.replays.reader import Replay
from parlour_client.text import room_lines
from parlour_client.text.base import event_lines, lines_for
from parlour_games.fair import commitment
from parlour_games.plural import counted
from parlour_protocol.messages import Joined, Left, Over, SeatsChanged, ServerMessage, Turn, Update


def story(found: Replay) -> Iterator[str]:
    """Yield the whole match: what the viewer saw, with the note of each act before it."""
    narrator = _Narrator(found.messages[0])
    yield from narrator.opening()
    shown = 1
    for acts in range(len(found.steps) + 1):
        if acts and (why := found.steps[acts - 1].why):
            yield say("line.note", name=narrator.room.name(found.steps[acts - 1].seat), why=why)
        for message in found.messages[shown : found.after(acts)]:
            yield from narrator.lines(message)
        shown = max(shown, found.after(acts))


def position(found: Replay, acts: int) -> Iterator[str]:
    """Yield the position after ``acts`` acts: the board, the question, and the note left with the answer."""
    if not 0 <= acts <= len(found.steps):
        raise Usage(f"--at {acts}: the match has {counted(len(found.steps), 'act')}")
    room = _Narrator(found.messages[0]).room
    for message in found.messages[1 : found.after(acts)]:
        room.apply(message)
    lines = lines_for(room.game)
    yield say("line.replay.at", n=acts, all=len(found.steps))
    table = [*lines.state(room), *lines.board(room)]
    hand = lines.hand(room) if room.seat is not None else ""
    table += [hand] if hand and hand not in table else []
    yield from table
    yield from (line for line in lines.question(room) if line not in table)  # it repeats some in the line mode
    if room.over:
        yield from room_lines.result(room, room.over)
    if acts < len(found.steps) and (why := found.steps[acts].why):
        yield say("line.note", name=room.name(found.steps[acts].seat), why=why)


class _Narrator:
    """Describes a match, message by message, as the line mode does."""

    def __init__(self, joined: ServerMessage) -> None:
        if not isinstance(joined, Joined):
            raise WrongProtocol("a replay begins with joined")
        self.room = JoinedRoom.of(joined)
        self._commit = joined.table["fair"]["commit"]
        self._offered: set[int] = set()

    def opening(self) -> list[str]:
        """Return the lines that name the players and the viewer."""
        room = self.room
        name = "" if room.seat is None else room.name(room.seat)
        seen = say("line.replay.seen", game=room.game, room=room.code, seat=room.seat, name=name)
        return [seen, room_lines.people(room)]

    def lines(self, message: ServerMessage) -> list[str]:
        """Apply a message and return the lines about it."""
        before = self.room.table
        self.room.apply(message)
        match message:
            case SeatsChanged():
                return list(room_lines.changes(self.room, before))
            case Update() | Turn() | Over():
                return [*event_lines(self.room), *self._offers(), *self._asked(message)]
            case Left():
                return [say("line.replay.left")]
        return []

    def _offers(self) -> list[str]:
        new = [offer for offer in self.room.may if offer["rid"] not in self._offered]
        self._offered |= {offer["rid"] for offer in new}
        lines = (lines_for(self.room.game).offer(self.room, offer) for offer in new)
        return [line for line in lines if line]

    def _asked(self, message: Update | Turn | Over) -> list[str]:
        """Return the lines of the question, or of the result."""
        room, lines = self.room, lines_for(self.room.game)
        if isinstance(message, Turn):
            return [*lines.board(room), *lines.question(room)]
        if not isinstance(message, Over):
            return []
        fair = [say("line.replay.fair")] if commitment(bytes.fromhex(message.reveal)) == self._commit else []
        return [*lines.board(room), *room_lines.result(room, message), *lines.review(room, message), *fair]
