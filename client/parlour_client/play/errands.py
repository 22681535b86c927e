"""The errands of a room client that has entered a room: invite bots, then be ready."""

from collections import deque

import attrs

from parlour_client.core.room import JoinedRoom
from parlour_client.play.entry import Entry
from parlour_protocol.messages import ClientMessage, Invite, Ready


@attrs.define
class Errands:
    """The bots that are still to be invited, each by its name or its style, and whether to be ready after that."""

    invites: deque[tuple[str | None, str | None]]
    ready: bool

    @classmethod
    def of(cls, entry: Entry) -> "Errands":
        """Return the errands of an entry."""
        return cls(deque((bot, None) for bot in entry.invite), entry.ready)

    @classmethod
    def like(cls, room: JoinedRoom) -> "Errands":
        """Return the errands that bring the others of ``room`` into another one."""
        others = (row for row in room.table["seats"] if row["seat"] != room.seat)
        return cls(deque((None, row["style"]) if "style" in row else (row["name"], None) for row in others), True)

    def next(self, room: JoinedRoom) -> ClientMessage | None:
        """Return the message that runs the next errand in ``room``, None after the last one."""
        if self.invites:
            bot, style = self.invites.popleft()
            return Invite(room.code, bot, style=style)
        if self.ready:
            self.ready = False
            return Ready(room.code)
        return None

    def cancel(self) -> None:
        """Drop the errands that are left."""
        self.invites.clear()
        self.ready = False
