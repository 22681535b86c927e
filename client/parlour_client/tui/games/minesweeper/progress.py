"""Progress and results: mines, time, and a bar for each seat; at the end places, statistics, and guesses.

Functions of room, board and width make the lines; small widgets draw them.
"""

from collections.abc import Callable

import attrs
from rich.cells import set_cell_size
from rich.text import Text
from textual.geometry import Size
from textual.strip import Strip

from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.core.room import JoinedRoom
from parlour_client.text.minesweeper.board import FLAG, MINES, NUMBERS, Board, SeatView, board_of, name, read
from parlour_client.text.minesweeper.review import SeatStatistics, Statistics
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.canvas import Canvas, tick

SLOT = 24
"""Columns of a seat."""
_GAP = 2
_WIDE = 36
"""Columns of a seat from which its name is wider."""
_SHORT = 22
"""Rows of the widget below which the zone of the seats has at most two lines."""
_SEAT_ROWS, _SEAT_ROWS_SHORT = 5, 2
_NAMES, _TOLD, _BAR = (8, 12), 5, 3
"""Columns of a name (narrow, wide), of the text after the bar, and of the bar at least."""


@attrs.define
class Stopwatch:
    """The time of a match as seen by this screen. ``now``: a monotonic clock in seconds."""

    now: Callable[[], float]
    began: float | None = None
    whole: bool = False
    """Whether the start was seen."""
    stopped: float | None = None

    def begin(self) -> None:
        """Start at the beginning of a match."""
        self.began, self.whole, self.stopped = None, True, None

    def update(self, board: Board | None, own_ms: int | None) -> None:
        """Follow the current board. ``own_ms``: our exact time, once the server has sent it."""
        if board is None or board.phase in ("new", "making"):
            self.begin()
            return
        if self.began is None:
            self.began = self.now()
        if own_ms is not None:
            self.stopped, self.whole = own_ms / 1000, True
        elif not board.playing and self.stopped is None:
            self.stopped = self.now() - self.began

    def text(self) -> str:
        """Return minutes and seconds, with a plus if the start was not seen."""
        seconds = self.stopped
        if seconds is None:
            seconds = 0.0 if self.began is None else self.now() - self.began
        return f"{int(seconds) // 60:02}:{int(seconds) % 60:02}{'' if self.whole else '+'}"


def time_of(room: JoinedRoom, seat: int | None) -> int | None:
    """Return the time of a finished seat in milliseconds, None while it plays."""
    players = (room.view or {}).get("players", [])
    ms = players[seat].get("ms") if seat is not None and seat < len(players) else None
    return ms if isinstance(ms, int) else None


# --- lines ---


def status(look: Appearance, room: JoinedRoom, board: Board, time: str, width: int) -> Text:
    """Return the status line: mines left, time, progress, lives, and whether odds rule out a record."""
    glyphs = look.glyphs
    parts = [look.text((glyphs.clock, "number_1"), f" {time}")]
    if board.mode == "duel":
        left = board.mines - sum(player.found for player in board.players)
        parts.insert(0, _figure(look, glyphs.mine, "flag", str(left), say("tui.mines.left", n=left)))
        parts.append(_figure(look, glyphs.flag, "gold", str(board.mines // 2 + 1), say("tui.mines.win")))
    else:
        if board.rows is not None:
            left = board.mines - board.count(FLAG + MINES)
            parts.insert(0, _figure(look, glyphs.flag, "flag", str(left), say("tui.mines.left", n=left)))
        parts.append(
            _figure(look, glyphs.progress, "safe", f"{_share(board, _opened(board)):.0%}", say("tui.mines.cleared"))
        )
    if board.lives is not None and room.table["options"].get("lives", 1) != 1:
        parts.append(_figure(look, glyphs.lives, "coral", str(board.lives), say("tui.mines.lives")))
    if room.helped and not room.remembered:
        parts.append(look.text((say("tui.mines.helped"), "dim")))
    return look.joined(*parts, gap=5 if width >= 70 else 2)


def seats(look: Appearance, room: JoinedRoom, board: Board, width: int, rows: int) -> list[Text]:
    """Return the zone of the seats in at most ``rows`` lines, none for a single player."""
    count = len(board.players)
    if count < 2 or not rows:
        return []
    columns = columns_for(count, width)
    places = columns * rows
    shown = _shown(room, board, places if count <= places else places - 1)
    across = (width - _GAP * (columns - 1)) // columns
    slots = [_seat(look, room, board, seat, across) for seat in shown]
    if len(shown) < count:
        slots.append(look.text((say("tui.mines.more", n=count - len(shown)), "dim")))
    slots += [Text()] * (-len(slots) % columns)
    padded = [slot + Text(" " * max(0, across - slot.cell_len)) for slot in slots]
    return [Text(" " * _GAP, end="").join(padded[first : first + columns]) for first in range(0, len(padded), columns)]


def columns_for(count: int, width: int) -> int:
    """Return the number of seats per line."""
    return max(1, min(count, (width + _GAP) // (SLOT + _GAP), 2 if count in (2, 4) else 3))


def _seat(look: Appearance, room: JoinedRoom, board: Board, seat: int, width: int) -> Text:
    """Return name, kind, bar and figures of a seat in ``width`` columns."""
    player, own, asked = board.players[seat], seat == room.seat, (room.view or {}).get("turn") == seat
    row = room.row(seat)
    away = row is not None and not row["here"]
    kind = "" if row is None else say("tui.away") if away else say("line.kind", kind=row["kind"])
    mark = f"{look.glyphs.pointer if asked else ' '}{'AB'[seat : seat + 1]} " if board.mode == "duel" else ""
    name = set_cell_size(clean(room.name(seat)), _NAMES[width >= _WIDE])
    line = look.text((mark, "gold"), (f"{name} ", "gold" if own or asked else "ink"), bold=own)
    line.append_text(look.text((f"{kind:<5} ", "coral" if away else "dim")))
    share, told, colour = _told(board, player, own, time_of(room, seat))
    length = width - line.cell_len - max(_TOLD, len(told)) - 1
    if length >= _BAR:
        line.append_text(look.bar(share, length, colour)).append(" ")
    return line.append_text(look.text((told, colour if own else "ink")))


def _told(board: Board, player: SeatView, own: bool, ms: int | None) -> tuple[float, str, str]:
    """Return the progress of a seat (0 to 1), the same as text, and the colour of its bar."""
    if board.mode == "duel":
        needed = board.mines // 2 + 1
        words = f"{player.found}, {say('tui.mines.bomb', bomb=player.bomb)}"
        return player.found / needed, words, "gold" if own else "number_6"
    share = _share(board, player.open)
    figure = str(player.open) if board.mode == "coop" else f"{share:.0%}"
    figures = {"in": figure, "done": say("line.seconds", ms=round(ms or 0, -2))}
    word = figures.get(player.state) or say("tui.mines.state", state=player.state)
    colour = {"out": "coral", "frozen": "coral", "done": "safe"}.get(player.state, "gold" if own else "number_1")
    return share, word, colour


def _shown(room: JoinedRoom, board: Board, places: int) -> list[int]:
    """Return the seats that fit, by number: ours, and the leading ones of the others."""
    everybody = range(len(board.players))
    ahead = sorted(everybody, key=lambda seat: (seat != room.seat, -board.players[seat].open, seat))
    return sorted(ahead[:places])


def _opened(board: Board) -> int:
    """Return the number of open safe cells on the visible board; without one, on the best board of a race."""
    return max(player.open for player in board.players) if board.rows is None else board.count(NUMBERS)


def _share(board: Board, cells: int) -> float:
    return cells / max(1, board.safe)


def _figure(look: Appearance, glyph: str, role: str, figure: str, what: str) -> Text:
    return look.joined(look.text((glyph, role)), look.text(figure, bold=True), look.text((what, "dim")), gap=1)


# --- widgets ---


class TextLines(Canvas):
    """Centred lines of text about a match."""

    DEFAULT_CSS = "TextLines { height: auto; width: 100%; }"

    def __init__(self, look: Appearance) -> None:
        super().__init__(look)
        self._match: tuple[JoinedRoom, Board] | None = None

    def made(self, room: JoinedRoom, board: Board, width: int) -> list[Text]:
        """Return the lines for a width, as many as the height of the widget."""
        raise NotImplementedError

    def show(self, room: JoinedRoom, board: Board) -> None:
        """Show the lines about a match."""
        self._match = room, board
        self.repaint()

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return the lines."""
        lines = self.made(*self._match, width) if self._match else []
        return [self.look.strip(line, width, align="center") for line in lines]


class StatusLine(TextLines):
    """The status line. It ticks during a match."""

    DEFAULT_CSS = "StatusLine { height: 1; }"

    def __init__(self, look: Appearance, now: Callable[[], float]) -> None:
        """``now``: a monotonic clock in seconds."""
        super().__init__(look)
        self.stopwatch = Stopwatch(now)

    def made(self, room: JoinedRoom, board: Board, width: int) -> list[Text]:
        """Return the line."""
        return [status(self.look, room, board, self.stopwatch.text(), width)]

    def follow(self, room: JoinedRoom, board: Board | None) -> None:
        """Let the stopwatch follow the match, and tick while it is in progress."""
        self.stopwatch.update(board, time_of(room, room.seat))
        tick(self, board is not None and board.phase == "playing")


class SeatLines(TextLines):
    """The zone of the seats."""

    rows = 0
    """The height of the zone."""

    def made(self, room: JoinedRoom, board: Board, width: int) -> list[Text]:
        """Return the lines of the seats, as many as fit."""
        return seats(self.look, room, board, width - 2, self.rows)

    def place(self, board: Board, size: Size) -> int:
        """Set and return the height of the zone. It depends only on the size of the widget and the number of seats."""
        count = len(board.players)
        self.rows = 0
        if count >= 2 and size.width:
            most = _SEAT_ROWS if size.height >= _SHORT else _SEAT_ROWS_SHORT
            self.rows = min(most, -(-count // columns_for(count, size.width - 2)))
        self.styles.height = self.rows
        return self.rows


_HEAD = (("time", 9), ("3BV", 5), ("3BV/s", 7), ("clicks", 8), ("efficiency", 8), ("flags", 7), ("open", 7))
"""The columns with their widths."""
_NAMED = 3
"""Guesses listed per seat."""


def standings(look: Appearance, room: JoinedRoom) -> list[Text]:
    """Return time and share of open cells by place, or those of the board that all clear; none for a duel."""
    told = _statistics(room)
    if told is None or room.over is None:
        return []
    time, share = say("tui.mines.head.time"), say("tui.mines.head.open")
    if len(told.seats) == 1 or room.table["options"].get("mode") == "coop":
        row = told.seats[0]
        return [look.text((f"{time} ", "dim"), f"{row.ms / 1000:.1f} s", (f"   {share} ", "dim"), f"{row.open} %")]
    ranks = room.over.result["ranks"]
    placed = sorted((ranks[str(seat)], seat) for seat in range(len(told.seats)) if str(seat) in ranks)
    lines = [look.text((f"{'':<17}{time:>9}{share:>7}", "dim"))]
    for rank, seat in placed:
        row, own = told.seats[seat], seat == room.seat
        figures = f"{row.ms / 1000:>7.1f} s{row.open:>5} %"
        lines.append(look.text((f"{f'{rank}.':<3}", "dim"), (_who(room, seat), "gold" if own else "ink"), figures))
    return lines


def statistics(look: Appearance, room: JoinedRoom) -> list[Text]:
    """Return the lines for the details of the results; none for a duel or without a board."""
    told, board = _statistics(room), board_of(room)
    if told is None:
        return []
    heads = "".join(f"{name if '3BV' in name else say(f'tui.mines.head.{name}'):>{width}}" for name, width in _HEAD)
    lines = [look.text((f"{'':<14}{heads}", "dim"))]
    lines += [_row(look, room, seat, row) for seat, row in enumerate(told.seats)]
    lines.append(look.wrapped((say("tui.mines.bbbv", n=told.bbbv), "dim")))
    lines += [look.wrapped(say("minesweeper.unspared", n=told.unspared))] if told.unspared else []
    lines += [look.wrapped(_judged(room, seat, row)) for seat, row in enumerate(told.seats) if row.clicks]
    return [*lines, *(legend(look, board) if board else [])]


def legend(look: Appearance, board: Board) -> list[Text]:
    """Return a legend of the finished board; none if all mines are flagged."""
    glyphs = look.glyphs
    signs = [
        ("F", glyphs.flag, "flag", "F"),
        ("M", glyphs.mine, "mine", "M"),
        ("*", f"{glyphs.mine}!", "coral", "set_off"),
        ("X", f"{glyphs.wrong_flag}x", "coral", "X"),
    ]
    shown = [
        look.text((sign, role), (f" {say(f'tui.mines.legend.{what}')}", "dim"))
        for char, sign, role, what in signs
        if board.count(char)
    ]
    return [look.joined(*shown, gap=3)] if any(map(board.count, "M*X")) else []


def _statistics(room: JoinedRoom) -> Statistics | None:
    stats = room.over.result.get("stats") if room.over else None
    return read(Statistics, stats) if stats and "bbbv" in stats else None


def _row(look: Appearance, room: JoinedRoom, seat: int, row: SeatStatistics) -> Text:
    figures = (
        f"{row.ms / 1000:>7.1f} s{row.bbbv:>5}{row.rate / 1000:>7.2f}{row.clicks:>8}"
        f"{row.efficiency:>6} %{row.flagged:>5} %{row.open:>5} %"
    )
    own = seat == room.seat
    return look.text((_who(room, seat), "gold" if own else "ink"), figures, bold=own)


def _judged(room: JoinedRoom, seat: int, row: SeatStatistics) -> str:
    """Return the openings of a seat: certain ones, guesses with their odds of being safe, and unjudged ones."""
    guesses = row.guesses
    named = [f"{name([x, y])} {odds / 100:.3g} %" for x, y, odds in guesses[:_NAMED]]
    named += [say("line.mines.more", n=len(guesses) - _NAMED)] if len(guesses) > _NAMED else []
    words = [say("line.mines.certain", n=row.forced)]
    words.append(say("line.mines.guesses", n=len(guesses), cells=", ".join(named)))
    words += [say("line.mines.unjudged", n=row.unjudged)] if row.unjudged else []
    return _who(room, seat) + ", ".join(words)


def _who(room: JoinedRoom, seat: int) -> str:
    return f"{say('you') if seat == room.seat else room.name(seat)[:13]:<14}"
