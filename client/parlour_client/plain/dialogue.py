"""The line mode without I/O: messages and typed lines go in, lines to print and messages to send come out.

One line an event, one prompt a decision. What a person may type is in ``commands``.
"""

from collections.abc import Sequence
from pathlib import Path

from parlour_client.core.errors import Refused
from parlour_client.core.room import Room
from parlour_client.core.session import Session
from parlour_client.play.download import Download
from parlour_client.play.entry import FAIR, Errands, no_entry, not_there, noted, put_out
from parlour_client.text import table
from parlour_client.text.base import happened, lines_for
from parlour_protocol.messages import (
    Bye,
    ClientMessage,
    Create,
    Error,
    FileLines,
    Join,
    Joined,
    Leave,
    Left,
    Ok,
    Over,
    Rooms,
    Said,
    SeatsChanged,
    ServerMessage,
    Turn,
    Update,
    Welcome,
)

_CHAT_SHOWN = 5


class Dialogue:
    """A person's talk with one room. ``out`` and ``send`` are drained by whoever runs it."""

    def __init__(
        self,
        session: Session,
        enter: Join | Create,
        *,
        url: str,
        once: bool = False,
        invite: Sequence[str | None] = (),
        ready: bool = False,
    ) -> None:
        """``invite``: names of bots to be asked in (None: any free one); then ``ready`` is said for the person."""
        self.out: list[str] = []
        self.send: list[ClientMessage] = []
        self.room: Room | None = None
        self.leaving = False
        self.done = False
        """Whether it has come to its end in good order."""
        self.files: list[Download] = []
        """Game files that have come and are to be written; drained like ``out``."""
        self.session = session
        self._download: Download | None = None
        self._enter = enter
        self._url = url
        self._once = once
        self._errands = Errands(tuple(invite), ready=ready)
        self._told: set[int] = set()
        self._shown: str | None = None

    def message(self, message: ServerMessage) -> None:
        """Take in a message that is news. Raises Refused if we cannot enter or are put out, and Interrupted."""
        match message:
            case Welcome():
                self._welcome(message)
            case Joined():
                self._joined(message)
            case Rooms():
                raise not_there(self._url, self._enter, message)
            case Error() if self.room is None:
                self.send.append(no_entry(self._url, self._enter, message))
            case Left():
                self._left(message)
            case FileLines():
                self._page(message)
            case Bye():
                self.out.append(f"The server says: {message.msg}.")
            case _ if self.room is not None:
                self._in_room(self.room, message)
        self._report()

    def leave(self) -> None:
        """Leave the room politely; it is done when the server has answered."""
        self.leaving = True
        if self.room is None:
            self.done = True
        else:
            self.send.append(Leave(self.room.code))

    def save(self, digest: str, file: str) -> None:
        """Get the record of a match, to be written to ``file``; empty: where it says."""
        self._download = Download(digest, Path(file) if file else None)
        self.send.append(self._download.ask())

    def _page(self, page: FileLines) -> None:
        download = self._download
        if download is None or page.digest != download.digest:
            return
        download.take(page)
        if download.done:
            self.files.append(download)
            self._download = None
        else:
            self.send.append(download.ask())

    # --- entering and leaving ---

    def _welcome(self, message: Welcome) -> None:
        if self.room is None:
            self.out.append(f"Connected to {self._url} as {message.name}.")
            self.send.append(self._enter)
        else:
            self.out.append("Connected again.")

    def _joined(self, message: Joined) -> None:
        before, room = self.room, Room.of(message)
        self.room = room
        if before is None:
            self._entered(room)
        elif message.why == "sync":
            self.out += [f"You are at seat {room.seat} now."] if room.seat not in (None, before.seat) else []
        elif message.gap:
            self.out += [
                f"Back in room {room.code}. It may have gone on without you:",
                *lines_for(room.game).state(room),
            ]
        else:
            self.out.append(f"Back in room {room.code}.")
            self._tell_events(room)
        self._tell_offers(room)

    def _entered(self, room: Room) -> None:
        lines = lines_for(room.game)
        self.out += table.present(room, self.session.name)
        self.out += [f"{row['from']}: {row['text']}" for row in room.chat[-_CHAT_SHOWN:]]
        if room.view is None:
            self.out += lines.state(room)
        if room.under_way:
            self.out += [*lines.state(room), *lines.board(room)]
            self.out += [lines.hand(room)] if room.seat is not None else []
        elif not self._errands.ready:
            self.out.append(f"Others join with: parlour join {room.code} --server {self._url}")
            self.out += ["Type ready to begin, ? for help."] if room.seat is not None else []
        self._next_step(room)

    def _next_step(self, room: Room) -> None:
        """Do the next of what was asked for on entering."""
        if errand := self._errands.next(room.code):
            self.send.append(errand)

    def _left(self, message: Left) -> None:
        fault = put_out(self.room, message)
        if message.why != "left" and not isinstance(fault, Refused):
            self.out.append(f"Room {message.room} is closed: {message.why}.")
        if fault:
            raise fault
        self.done = True

    # --- in the room ---

    def _in_room(self, room: Room, message: ServerMessage) -> None:
        before = room.table
        room.apply(message)
        match message:
            case Update() | Turn() | Over():
                self._tell_events(room)
                self._tell_offers(room)
        match message:
            case Turn() if not self.session.unanswered(room.code, message.rid):
                lines = lines_for(room.game)
                self.out += [*lines.board(room), *lines.question(room)]
            case Over() if room.over is message and message.digest != self._shown:
                self._over(room, message)
            case SeatsChanged():
                self.out += table.changes(room, before)
            case Said():
                self.out.append(f"{message.from_['name']}: {message.text}")
            case Ok(rid=None):
                self._next_step(room)
            case Error():
                self._refused(room, message)

    def _tell_events(self, room: Room) -> None:
        self.out += happened(room)

    def _tell_offers(self, room: Room) -> None:
        new = [offer for offer in room.may if offer["rid"] not in self._told]
        self._told |= {offer["rid"] for offer in new}
        self.out += [line for offer in new if (line := lines_for(room.game).offer(room, offer))]

    def _over(self, room: Room, over: Over) -> None:
        self._shown = over.digest
        lines = lines_for(room.game)
        self.out += [*lines.board(room), *table.result(room, over), *lines.review(room, over)]
        if self.session.rooms[room.code].witness.kept:
            self.out.append(FAIR)
        if self._once:
            self.leave()
        elif room.seat is not None:
            self.out.append("Type ready to play again, or leave.")

    def _refused(self, room: Room, error: Error) -> None:
        lines = lines_for(room.game)
        match error.code:
            case "illegal_action":
                self.out += [f"Not possible: {error.why or error.msg}.", *lines.question(room)]
            case "stale":
                played = f" Played for you: {lines.action(error.act)}." if error.act else ""
                self.out.append(f"Too late: {error.msg}.{played}")
            case _:
                self.out.append(f"Refused: {error.msg}.")
                self._errands.give_up()

    def _report(self) -> None:
        while self.session.reports:
            self.out.append(noted(self.session.reports.pop(0)))
