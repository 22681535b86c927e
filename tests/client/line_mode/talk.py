"""The line mode as a conversation: what the server says, what is printed, what is typed and what is sent."""

from collections.abc import Callable
from typing import Any

from tests.client.messages import ROOM, joined, welcome

from parlour_client.core.session import Session
from parlour_client.line_commands import Commands, Dialogue
from parlour_client.play.entry import Entry
from parlour_client.play.room_client import RoomClient
from parlour_protocol.messages import Create, Join, ServerMessage

URL = "ws://localhost:7777"


class Talk:
    """A dialogue with its session and its commands, as a runner drives them. It begins before the welcome."""

    def __init__(
        self, enter: Join | Create | None = None, entropy: Callable[[int], bytes] = bytes, **more: Any
    ) -> None:
        self.session = Session("maria", entropy=entropy)
        self.session.hello()
        self.client = RoomClient(self.session, Entry(URL, enter or Join(ROOM), "maria", **more), url=URL)
        self.dialogue = Dialogue(self.client)
        self.commands = Commands(self.dialogue)

    def hear(self, *messages: ServerMessage) -> list[str]:
        """Let messages come in; return the lines they make."""
        for message in messages:
            if self.session.is_news(message):
                self.session.receive(message)
                self.dialogue.message(message)
        lines, self.dialogue.out = self.dialogue.out, []
        return lines

    def sent(self) -> list[Any]:
        """Send what is to be sent, and return it as it was meant."""
        sent = list(self.client.outgoing)
        self.client.outgoing.clear()
        for message in sent:
            self.session.outgoing(message)
        return sent

    def types(self, *lines: str) -> tuple[list[str], list[Any]]:
        """Type lines; return what is printed and what is sent."""
        for line in lines:
            self.commands.line(line)
        return self.hear(), self.sent()


def talk(*messages: ServerMessage, **more: Any) -> Talk:
    """Return a conversation in which the welcome and ``messages`` have come, the entry to a room if there are none."""
    made = Talk(**more)
    made.hear(welcome(), *(messages or (joined(0),)))
    made.sent()
    return made
