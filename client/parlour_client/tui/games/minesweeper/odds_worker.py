"""Reads the odds off the event loop: a large board takes longer than a frame may."""

import asyncio

from textual.message import Message
from textual.widget import Widget

from parlour_client.text.minesweeper.board import Board
from parlour_client.tui.games.minesweeper.odds import HintEngine, Hints


class OddsWorker:
    """Reads one board at a time in a thread, and then the one of then. ``wanted``: whether the person asked for it."""

    class Done(Message):
        """A board has been read."""

    def __init__(self, widget: Widget) -> None:
        """``widget`` gets Done, and keeps the work from outliving it."""
        self.wanted = False
        self._widget = widget
        self._engine = HintEngine()
        self._reading = False
        self._latest: Board | None = None
        self._found: tuple[list[str] | None, Hints] | None = None
        """The rows that were read, and what follows from them."""

    def update(self, board: Board | None) -> None:
        """Take note of the board as it is now, and read it if that is wanted and has not been done."""
        self._latest = board
        fit = board is not None and board.playing and board.rows is not None
        if self.wanted and fit and not self._reading and self.hints_for(board) is None:
            self._reading = True
            self._widget.run_worker(self._read(), group="odds")

    def hints_for(self, board: Board | None) -> Hints | None:
        """Return the odds of ``board``, None as long as they are not known or not wanted."""
        if not self.wanted or self._found is None or board is None or self._found[0] != board.rows:
            return None
        return self._found[1]

    async def _read(self) -> None:
        board = self._latest
        try:
            if board is not None:
                self._found = board.rows, await asyncio.to_thread(self._engine.hints, board)
        finally:
            self._reading = False
        self._widget.post_message(self.Done())
        self.update(self._latest)
