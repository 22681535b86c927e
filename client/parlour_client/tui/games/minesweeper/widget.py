"""The Minesweeper widget: progress, turn line, and board."""

from collections.abc import Callable
from time import monotonic

from rich.text import Text
from textual.app import ComposeResult

from parlour_client.core.room import JoinedRoom
from parlour_client.text.minesweeper.board import CLOSED, NUMBERS, At, Board, board_of
from parlour_client.text.minesweeper.odds import Hints, first_number, next_cell, withheld
from parlour_client.tui.games.base import GameWidget, ShownClocks
from parlour_client.tui.games.minesweeper import moves, progress
from parlour_client.tui.games.minesweeper.board import BoardView, Marks, OddsWorker
from parlour_client.tui.games.minesweeper.moves import BINDINGS, KEYS, Move, PendingMoves
from parlour_client.tui.games.minesweeper.progress import SeatLines, StatusLine
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.keys import labelled
from parlour_games.registry import games
from parlour_protocol.messages import Plain

_TOLD = ("open", "found", "miss", "bomb", "mine", "flag")
"""Events whose cells are marked on the board."""


class MinesweeperWidget(GameWidget):
    """Minesweeper. It queues unconfirmed moves, and sends one act at a time."""

    DEFAULT_CSS = "MinesweeperWidget { layout: vertical; align: center middle; }"
    BINDINGS = BINDINGS
    KEYS = KEYS
    RANKS = True
    REPLAYED = frozenset(("odds", "zoom"))
    MOVES = frozenset(f"mines.{each}" for each in ("open", "flag", "chord", "bomb", "keep", "next", "odds"))

    def __init__(self, look: Appearance, *, now: Callable[[], float] = monotonic) -> None:
        """``now``: a monotonic clock in seconds."""
        super().__init__(look, now=now)
        self.board = BoardView(look)
        self._status = StatusLine(look, now)
        self._seats = SeatLines(look)
        self._clocks = ShownClocks(now)
        self._room: JoinedRoom | None = None
        self._seen: Board | None = None
        self._moves = PendingMoves()
        self._busy: int | None = None
        self._reason = ""
        self._last: frozenset[At] = frozenset()
        self._aiming = False
        self._reader = OddsWorker(self)

    def compose(self) -> ComposeResult:
        """Lay out the zones from the top."""
        yield self._status
        yield self._seats
        yield self.turn
        yield self.board

    def on_mount(self) -> None:
        """Focus the board."""
        if self.screen.focused is None:
            self.board.focus()
        self._draw()

    def on_resize(self) -> None:
        """Fit the zone of the seats to the new size. The board adapts by itself."""
        self._draw()

    # --- from the screen ---

    def show(self, room: JoinedRoom) -> None:
        """Show the current state of the room, and send queued moves for an open question."""
        before, self._room, self._seen = self._seen, room, board_of(room)
        board = self._seen
        self._status.follow(room, board)
        self._moves.question_opened(room.question.rid if room.question else self._busy)
        if board is None or board.phase == "new":
            self._last = frozenset()
        if board is None or moves.idle(room, board):
            self._moves.clear()
            self._aiming = False
        self._clocks.update(room)
        self._send()
        self._draw()
        self._reader.update(board)
        if board and board.mode != "duel" and _first_opened(before, board):
            x, y = self.board.cursor
            if board.at(x, y) == CLOSED and (begin := first_number(board, (x, y))):
                self.board.point(begin)

    def handle_events(self, room: JoinedRoom, events: list[Plain]) -> None:
        """Mark the last moves of others on the board; in a duel, also ours."""
        if any(event.get("e") == "board" for event in events):
            self._status.stopwatch.begin()
        told = [event for event in events if event.get("e") in _TOLD and "at" in event]
        told = [event for event in told if event.get("seat") != room.seat or (room.view or {}).get("mode") == "duel"]
        if events:
            self._last = frozenset(cell for event in told for cell in _cells(event["at"]))

    def show_refusal(self, room: JoinedRoom, reason: str) -> None:
        """Show the reason. ``show_pending`` finds out whether it concerned our moves."""
        self._reason = reason
        super().show_refusal(room, reason)

    def show_pending(self, rid: int | None) -> None:
        """Note the pending answer to ``rid``; with None, it has arrived.

        If its question is still open, it was refused, and all unconfirmed moves are dropped.
        """
        answered, self._busy = self._busy, rid
        question = self._room.question if self._room else None
        if rid is not None or self._room is None:
            return
        refused = answered is not None and question is not None and question.rid == answered
        if refused:
            self._moves.clear()
        self._moves.question_opened(question.rid if question else None)
        self._send()
        self._draw()
        if refused and self._reason:
            super().show_refusal(self._room, self._reason)

    def hints(self, room: JoinedRoom) -> list[tuple[str, str]]:
        """Return the keys that are useful now."""
        board = self._seen
        if board is None or moves.idle(room, board):
            return labelled("mines.zoom") if board and board.rows else []
        keys = ["mines.open"]
        own = board.player(room.seat)
        if board.mode == "duel":
            keys += ["mines.keep"] if self._aiming else []
            keys += ["mines.bomb"] if own and own.bomb == "ready" else []
        else:
            keys += ["mines.flag", "mines.chord"]
        keys += ["mines.next", *([] if withheld(room) else ["mines.odds"])]
        return labelled(*keys, "mines.zoom")

    def reviewable(self, room: JoinedRoom) -> bool:
        """Return whether the options of the match let it be reviewed."""
        game = games()["minesweeper"]
        return game.reviewable(game.Options(**room.table["options"]))

    def standings(self, room: JoinedRoom) -> list[Text]:
        """Return the places and times of the match."""
        return progress.standings(self.look, room)

    def statistics(self, room: JoinedRoom) -> list[Text]:
        """Return the statistics of the match."""
        return progress.statistics(self.look, room)

    # --- from the player ---

    def action_next(self) -> None:
        """Go to the next closed cell beside a number; with odds shown, to a safe one."""
        if self._seen and self._seen.rows and (at := next_cell(self._shown(), self.board.cursor, self._odds())):
            self.board.point(at)

    def action_zoom(self) -> None:
        """Use larger cells, or the smallest again."""
        self.board.zoom()
        self._draw()

    def action_move(self, verb: str) -> None:
        """Apply ``verb`` to the cell under the cursor."""
        if self._aiming and verb == "open":
            self.action_bomb()
        else:
            self._do(verb, self.board.cursor)

    def action_bomb(self) -> None:
        """Aim the bomb, or throw the aimed one."""
        aimed, self._aiming = self._aiming, False
        if aimed:
            self._do("bomb", self.board.cursor)
        elif (move := self._understood("bomb", self.board.cursor)) is not None:
            self._aiming = move[0] == "bomb"
            self._draw()

    def action_keep_bomb(self) -> None:
        """Cancel aiming the bomb."""
        self._aiming = False
        self._draw()

    def action_odds(self) -> None:
        """Show or hide the odds."""
        if self._room and (why := withheld(self._room)):
            self.turn.remark(why, "info")
            return
        self._reader.wanted = not self._reader.wanted
        self._reader.update(self._seen)
        self._draw()

    def on_odds_worker_done(self, event: OddsWorker.Done) -> None:
        """Draw the new odds."""
        event.stop()
        self._draw()

    def on_board_view_clicked(self, event: BoardView.Clicked) -> None:
        """Apply the verb of the button to the cell."""
        event.stop()
        self.action_move(event.verb)

    def on_board_view_pointed(self, event: BoardView.Pointed) -> None:
        """Describe the cell under the cursor."""
        event.stop()
        self._draw()

    def _do(self, verb: str, at: At) -> None:
        move = self._understood(verb, at)
        if move is not None:
            self._moves.add(move)
            self._send()
            self._draw()

    def _understood(self, verb: str, at: At) -> Move | None:
        """Return the move, or show why there is none."""
        room, board = self._room, self._seen
        if room is None or board is None:
            return None
        why = moves.idle(room, board)
        move = why or moves.move(self._shown(), room.seat or 0, verb, at)
        if isinstance(move, str):
            self.turn.remark(move, "refused")
            return None
        return move

    def _send(self) -> None:
        """Answer the open question with the queued moves, unless an act is pending."""
        room, board = self._room, self._seen
        if room and board and room.question and room.question.rid != self._busy:
            act = self._moves.next_act(room.question.rid, board)
            if act is not None:
                self.post_message(self.Chosen(room.question.rid, act))

    # --- drawing ---

    def _shown(self) -> Board:
        """Return the board with the unconfirmed moves. There must be a board."""
        assert self._seen is not None, "a face is used after it was shown a board"
        return self._moves.applied_to(self._seen)

    def _odds(self) -> Hints | None:
        """Return the odds that are shown."""
        shown = self._room is not None and not withheld(self._room)
        return self._reader.hints_for(self._seen) if shown else None

    def _draw(self) -> None:
        room, board = self._room, self._seen
        if room is None or board is None:
            self.turn.set("", None, Text(), False)
            self.board.show(None, Marks(), Text())
            return
        odds, mine = self._odds(), moves.idle(room, board) is None
        if odds is not None and mine:
            room.help()
        self._place(board)
        self._status.show(room, board)
        self._seats.show(room, board)
        rule = moves.rule(room, self._shown(), self.board.cursor, odds, self._aiming)
        seat = moves.asked_seat(room) if board.mode == "duel" else room.seat
        left = None if room.stood_in else self._clocks.left(seat)
        self.turn.set(moves.headline(room, board), left, self.look.text((rule, "dim")), mine)
        own = "B" if room.seat == 1 else "A"
        aim = moves.in_range(board, self.board.cursor) if self._aiming else self._last
        marks = Marks(self._moves.cells(), aim, odds, own, cursor=mine)
        caption = self.look.text((moves.caption(room, board, self.look.glyphs), "dim"))
        self.board.show(self._shown(), marks, caption)

    def _place(self, board: Board) -> None:
        """Set the heights of the zones. They depend only on sizes and seats, which keeps the layout stable."""
        seats = self._seats.place(board, self.size)
        room = self.size.height - seats - 2
        rows = self.board.fit((self.size.width, room), board)
        spare = room - rows
        self.board.styles.height = rows if spare >= 0 else "1fr"
        self._status.styles.margin = (0, 0, int(spare >= 1), 0)
        self._seats.styles.margin = (0, 0, int(spare >= 2 and seats > 0), 0)


def _first_opened(before: Board | None, board: Board) -> bool:
    """Return whether others, or the server, have opened the first cells of ``board``."""
    ours = before is not None and before.rows is not None and len(board.players) == 1
    return board.count(NUMBERS) > 0 and not (ours or (before and before.count(NUMBERS)))


def _cells(at: object) -> list[At]:
    """Return the cells of an event: one, or a list of them. Invalid ones are left out."""
    match at:
        case [int(x), int(y)]:
            return [(x, y)]
        case list(several):
            return [cell for each in several if isinstance(each, list) for cell in _cells(each)]
    return []
