"""Computes the odds in a thread, as a large board takes longer than a frame."""

import asyncio

from textual.message import Message
from textual.widget import Widget

from parlour_client.text.minesweeper.board import Board
from parlour_client.text.minesweeper.odds import HintEngine, Hints


class OddsWorker:
    """Computes hints for one board at a time, then for the latest one. ``wanted``: whether they are switched on."""

    class Done(Message):
        """New hints are available."""

    def __init__(self, widget: Widget) -> None:
        """``widget`` receives Done and owns the worker."""
        self.wanted = False
        self._widget = widget
        self._engine = HintEngine()
        self._reading = False
        self._latest: Board | None = None
        self._found: tuple[list[str] | None, Hints] | None = None
        """The rows last computed, and their hints."""

    def update(self, board: Board | None) -> None:
        """Set the current board, and compute its hints if they are wanted and not known."""
        self._latest = board
        fit = board is not None and board.playing and board.rows is not None
        if self.wanted and fit and not self._reading and self.hints_for(board) is None:
            self._reading = True
            self._widget.run_worker(self._read(), group="odds")

    def hints_for(self, board: Board | None) -> Hints | None:
        """Return the hints for ``board``, None if they are not known or not wanted."""
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
