"""Line mode without I/O: present the events of a room client as lines, one for each event of the game.

What a person may type is in ``commands``.
"""

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.play.download import Download
from parlour_client.play.room_client import RoomClient
from parlour_client.play.room_events import (
    Asked,
    Chatted,
    Completed,
    Connected,
    Downloaded,
    Entered,
    MatchEnded,
    Note,
    Offered,
    Rejected,
    Resumed,
    RoomChanged,
    RoomEvent,
)
from parlour_client.text import room_lines
from parlour_client.text.base import lines_for
from parlour_protocol.messages import ServerMessage

_CHAT_SHOWN = 5


class Dialogue:
    """Lines about one room. The caller prints and empties ``out``, and writes ``files``."""

    def __init__(self, client: RoomClient) -> None:
        self.client = client
        self.out: list[str] = []
        self.files: list[Download] = []
        """Complete game files, to be written."""
        self._offered: set[int] = set()
        """The optional decisions that were shown."""

    def message(self, message: ServerMessage) -> None:
        """Handle a message that is news. Raises Fault as ``RoomClient.feed`` does."""
        for event in self.client.feed(message):
            self._present(event)

    def _present(self, event: RoomEvent) -> None:
        match event:
            case Connected(name):
                self.out.append(say("line.room.connected", server=self.client.url, name=name))
            case Offered(row):
                self.out += room_lines.offered(row)
                self.client.sit()
            case Entered(room):
                self._entered(room)
            case Resumed(room, gap):
                self.out.append(say("line.room.resumed", room=room.code, gap=gap))
                self.out += lines_for(room.game).state(room) if gap else []
            case RoomChanged(room):
                self._show_offers(room)
            case Asked(room):
                lines = lines_for(room.game)
                self.out += [*lines.board(room), *lines.question(room)]
            case MatchEnded():
                self._ended(event)
            case Chatted(name, text):
                self.out.append(f"{name}: {text}")
            case Rejected(room, code, text):
                self.out += [text, *(lines_for(room.game).question(room) if code == "illegal_action" else [])]
            case Note(text) | Completed(text):
                self.out += [text] if text else []
            case Downloaded(download):
                self.files.append(download)

    def _entered(self, room: JoinedRoom) -> None:
        lines = lines_for(room.game)
        self._offered.clear()
        self.out += room_lines.present(room, self.client.name)
        self.out += [f"{row['from']}: {row['text']}" for row in room.chat[-_CHAT_SHOWN:]]
        if room.view is None:
            self.out += lines.state(room)
        if room.under_way:
            self.out += [*lines.state(room), *lines.board(room)]
            self.out += [lines.hand(room)] if room.seat is not None else []
        elif not self.client.entry.ready:
            self.out.append(say("line.room.join", room=room.whole_code, server=self.client.url))
            self.out += [say("line.room.begin")] if room.seat is not None else []

    def _show_offers(self, room: JoinedRoom) -> None:
        new = [offer for offer in room.may if offer["rid"] not in self._offered]
        self._offered |= {offer["rid"] for offer in new}
        self.out += [line for offer in new if (line := lines_for(room.game).offer(room, offer))]

    def _ended(self, ended: MatchEnded) -> None:
        room, over, lines = ended.room, ended.over, lines_for(ended.room.game)
        self.out += [*lines.board(room), *room_lines.result(room, over), *lines.review(room, over)]
        if ended.proved:
            self.out.append(say("line.fair"))
        if self.client.entry.once:
            self.client.leave()
        elif room.seat is not None:
            self.out.append(say("line.room.once_more"))
