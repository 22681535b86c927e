"""The review of a match of UNO: luck and cost by round, and the mistakes."""

from collections.abc import Callable
from pathlib import Path

from parlour_client.core.errors import Fault
from parlour_client.core.phrases import say
from parlour_client.replays import reader
from parlour_client.text.uno.review import lines
from parlour_client.tui.screens.sheet import SheetScreen
from parlour_client.tui.theme.theme import Look
from parlour_protocol.messages import Plain


class ReviewScreen(SheetScreen):
    """The review of a seat, or of every person. Another process does it, until the screen is left."""

    TOPIC = "tui.title.review"

    def __init__(self, look: Look, path: Path, viewer: int | None, found: Callable[[list[Plain]], None]) -> None:
        """``viewer``: a seat, or None for every person. ``found`` is called with the review."""
        super().__init__(look)
        self._path, self._viewer, self._found = path, viewer, found

    def on_mount(self) -> None:
        """Start the review."""
        super().on_mount()
        self.write([f"{say('tui.review.doing')}{self.look.glyphs.more}"])
        self.run_worker(self._review())

    async def _review(self) -> None:
        try:
            players = await reader.review(self._path, self._viewer)
        except Fault as fault:
            self.write([], str(fault))
        else:
            self._found(players)
            self.write(lines(players))
