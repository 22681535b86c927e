"""Base of the room screen: runs a room client on a connection, from entering to leaving."""

from collections.abc import Callable
from contextlib import nullcontext

from textual.worker import Worker

from parlour_client.core.connection import Connection
from parlour_client.core.errors import Fault, Interrupted, Refused, WrongProtocol, understood
from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.core.url import shared_url
from parlour_client.play.entry import GOODBYE, Entry, connected
from parlour_client.play.room_client import RoomClient
from parlour_client.play.room_events import Entered, Offered, RoomChanged, RoomEvent
from parlour_client.storage import history
from parlour_client.text import room_lines
from parlour_client.tui.screens.base import ParlourScreen, Way, stopped
from parlour_client.tui.screens.dialogs import ConfirmDialog, LeaveWarning, leave_warning
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.header import ContextBar
from parlour_protocol.messages import ClientMessage, RoomRow

PING_EVERY = 10.0
"""Seconds."""


class ConnectedScreen(ParlourScreen[Fault | None]):
    """Runs a room client. It is dismissed at the end, with the fault if there is one."""

    def __init__(self, look: Appearance, way: Way, bar: ContextBar, *, now: Callable[[], float]) -> None:
        """``way``: opens into the entry to use, and is closed at the end; it may run a server.

        ``bar``: shows the state of the connection.
        """
        super().__init__(look)
        self._way = way
        self._bar = bar
        self._now = now
        self.client: RoomClient | None = None
        self._connection: Connection | None = None
        self.shared: str | None = None
        """The URL for others in the network, once it is known."""
        self._staying: Worker[None]
        self._gone = False

    def present(self, event: RoomEvent) -> None:
        """Show ``event``."""
        raise NotImplementedError

    def show_again(self) -> None:
        """Show the room outside of message handling; leave if the server's data cannot be drawn."""
        try:
            with understood("the table"):
                if self.room is not None:
                    self.present(RoomChanged(self.room))
        except WrongProtocol as nonsense:
            self._go(nonsense)

    def on_mount(self) -> None:
        """Enter the room."""
        self._staying = self.run_worker(self._stay())
        self.set_interval(PING_EVERY, self._ping)

    async def on_unmount(self) -> None:
        """Store the match, and wait for the connection to close before the event loop does."""
        if self.client is not None:
            self.client.keep()
        await stopped(self._staying)

    async def _stay(self) -> None:
        fault: Fault | None = None
        if not isinstance(self._way, nullcontext):
            self._bar.doing(say("tui.room.starting"))  # a server starts in this program
        try:
            async with self._way as entry:
                self._bar.doing(say("tui.room.connecting"))
                await self._follow(entry)
                history.stand_up()
                self._bar.doing(say("tui.room.leaving"))
        except Fault as ended:
            fault = ended
            if isinstance(ended, Refused):
                history.stand_up()
        self._go(fault)

    async def _follow(self, entry: Entry) -> None:
        """Enter the room and present its events until we have left. Raises Fault."""
        async with connected(entry, self._bar.link) as connection:
            client = RoomClient(connection.session, entry, url=connection.url, now=self._now, tally=history.count_match)
            self.client, self._connection = client, connection
            async for message in connection:
                with understood(f"a message {message.t!r} of the server"):
                    for event in client.feed(message):
                        self._handle(client, event)
                await self._flush()
                if client.done:
                    return
        if not client.leaving:
            raise Interrupted(say("fault.ended", why=connection.state.reason))

    def _handle(self, client: RoomClient, event: RoomEvent) -> None:
        match event:
            case Offered(row):
                self._offer(client, row)
            case Entered() if self.shared is None:
                self.run_worker(self._ping())
                self.run_worker(self._find_shared(client.url))
        self.present(event)

    def _offer(self, client: RoomClient, row: RoomRow) -> None:
        """Show how a room is played before we sit down."""

        def answered(sure: bool | None) -> None:
            if sure:
                enter()
                self.run_worker(self._flush())
            else:
                self.run_worker(self._end())

        sits = room_lines.has_room(row) or not row["watch"]  # if neither is possible, the refusal says why
        enter = client.arrival.sit if sits else client.arrival.watch
        told = [*room_lines.offered(row), "", *room_lines.how_to(row)]
        yes = say("tui.room.sit" if sits else "tui.room.watch")
        self.app.push_screen(ConfirmDialog(self.look, told, yes, say("tui.room.not_now")), answered)

    async def _find_shared(self, url: str) -> None:
        """Find the URL by which others reach the server, and show it."""
        self.shared = await shared_url(url)
        self.show_again()

    async def _flush(self) -> None:
        """Send the outgoing messages of the room client."""
        client, connection = self.client, self._connection
        while client is not None and connection is not None and client.outgoing:
            await connection.send(client.outgoing.popleft())

    def _go(self, fault: Fault | None = None) -> None:
        """Dismiss this screen, once, with all screens above it."""
        if not self._gone:
            self._gone = True
            while self.app.screen is not self:
                self.app.pop_screen()
            self.app.clear_notifications()  # they concern the room
            self.dismiss(fault)

    @property
    def farewell(self) -> Fault | None:
        """Why the room was closed, if we did not leave it ourselves."""
        return Fault(self.client.farewell) if self.client and self.client.farewell else None

    @property
    def room(self) -> JoinedRoom | None:
        """The room, once we are in."""
        return self.client.room if self.client else None

    @property
    def lost(self) -> bool:
        """Whether there is no connection at the moment."""
        return self._connection is None or self._connection.state.name != "open"

    async def action_leave(self) -> None:
        """Leave, after confirmation if the seat would be given up."""
        question = self._leave_warning().question
        if question:
            self.app.push_screen(
                ConfirmDialog(self.look, [question], say("tui.room.leave"), say("tui.room.stay"), again="ctrl+c"),
                self._leave,
            )
        else:
            await self._leave(sure=True)

    def _leave_warning(self) -> LeaveWarning:
        return leave_warning(self.room, self.client.entry, lost=self.lost) if self.client else LeaveWarning()

    async def _leave(self, sure: bool | None) -> None:
        if not sure:
            return
        if self.client is not None and self.room is not None and not self.lost and not self._leave_warning().keeps:
            self.client.leave()
            await self._flush()
            self.set_timer(GOODBYE, self._go)
        else:
            self._bar.doing(say("tui.room.leaving"))
            self.run_worker(self._end())

    async def _end(self) -> None:
        """Close the connection without leaving the room, so that the seat stays reserved."""
        await stopped(self._staying)
        self._go()

    async def _ping(self) -> None:
        if self.client is not None and not self.lost:
            self.client.ping()
            self._bar.asked()
            await self._flush()

    def _send(self, message: ClientMessage, done: str | None = None) -> None:
        """Send ``message``; with ``done``, its outcome is shown, in these words if it succeeds."""
        if self.client is None:
            return
        if done is None:
            self.client.outgoing.append(message)
        else:
            self.client.requests.send(message, done)
        self.run_worker(self._flush())
