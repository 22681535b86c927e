"""One visit to one room as a screen: how it begins, how it ends, and what is said of the connection meanwhile."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress

from textual.worker import Worker, WorkerError

from parlour_client.core.connection import State
from parlour_client.core.errors import Fault, Refused
from parlour_client.core.room import Room
from parlour_client.play.entry import GOODBYE, Entry
from parlour_client.play.room_client import Visit
from parlour_client.storage import recent
from parlour_client.tui.screens.dialogs import Sure
from parlour_client.tui.screens.leave import Stake, stake
from parlour_client.tui.theme.theme import Look
from parlour_client.tui.widgets.header import ContextBar
from parlour_client.tui.widgets.screen import ParlourScreen
from parlour_protocol.messages import ClientMessage

PING_EVERY = 10.0
"""Seconds."""


class VisitScreen(ParlourScreen[Fault | None]):
    """A screen that goes to a room. It is dismissed when the visit is over, with the fault that has ended it if any."""

    def __init__(
        self, look: Look, way: AbstractAsyncContextManager[Entry], bar: ContextBar, begin: Callable[[Entry], Visit]
    ) -> None:
        """``way``: opens into the entry to take, and is closed after the visit, such as a server of one's own.

        ``bar``: says what is being done; ``begin`` makes the visit of an entry.
        """
        super().__init__(look)
        self._way = way
        self._bar = bar
        self._begin = begin
        self.visit: Visit | None = None
        self._staying: Worker[None]
        self._gone = False

    def on_mount(self) -> None:
        """Enter the room."""
        self._staying = self.run_worker(self._stay())
        self.set_interval(PING_EVERY, self._ping)

    async def on_unmount(self) -> None:
        """See to it that the connection is closed before the event loop is."""
        self._staying.cancel()
        with suppress(WorkerError):
            await self._staying.wait()

    async def _stay(self) -> None:
        fault: Fault | None = None
        if not isinstance(self._way, nullcontext):
            self._bar.doing("Laying the table")  # a server of one's own begins
        try:
            async with self._way as entry:
                self._bar.doing("Connecting")
                self.visit = self._begin(entry)
                await self.visit.run()
                recent.stand_up()
                self._bar.doing("Leaving")
        except Fault as ended:
            fault = ended
            if isinstance(ended, Refused):
                recent.stand_up()
        self._go(fault)

    def _go(self, fault: Fault | None = None) -> None:
        """Be dismissed, once, whatever lies on top."""
        if not self._gone:
            self._gone = True
            while self.app.screen is not self:
                self.app.pop_screen()
            self.app.clear_notifications()  # they were about the room
            self.dismiss(fault)

    @property
    def farewell(self) -> Fault | None:
        """Why the room was closed under our feet, if it was."""
        return Fault(self.visit.farewell) if self.visit and self.visit.farewell else None

    @property
    def room(self) -> Room | None:
        """The room, once we are in."""
        return self.visit.room if self.visit else None

    def link(self, state: State) -> None:
        """Show that the connection is lost or back."""
        self._bar.link(state)

    def latency(self, ms: int) -> None:
        """Show how far the server is."""
        self._bar.latency(ms)

    async def action_leave(self) -> None:
        """Leave, after a question if a seat in a match would be given up."""
        question = self._at_stake().question
        if question:
            self.app.push_screen(Sure(self.look, question, "Leave", "Stay"), self._leave)
        else:
            await self._leave(sure=True)

    def _at_stake(self) -> Stake:
        return stake(self.room, self.visit.entry, lost=self.visit.lost) if self.visit else Stake()

    async def _leave(self, sure: bool | None) -> None:
        if not sure:
            return
        if self.visit is not None and not self._at_stake().keeps and await self.visit.leave():
            self.set_timer(GOODBYE, self._go)
        else:
            self._bar.doing("Leaving")
            self.run_worker(self._end())

    async def _end(self) -> None:
        """End the visit without a word to the server; go when all is closed, and the way back is free."""
        self._staying.cancel()
        with suppress(WorkerError):
            await self._staying.wait()
        self._go()

    async def _ping(self) -> None:
        if self.visit is not None:
            await self.visit.ping()

    def _send(self, message: ClientMessage) -> None:
        if self.visit is not None:
            self.run_worker(self.visit.send(message))
