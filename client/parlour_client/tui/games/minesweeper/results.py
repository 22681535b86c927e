"""The end of a match: places with times, a table of statistics, guesses, and a legend of the board."""

from rich.text import Text

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.minesweeper.board import Board, board_of, name, read
from parlour_client.text.minesweeper.review import SeatStatistics, Statistics
from parlour_client.tui.theme.theme import Look

_HEAD = (("time", 9), ("clicks", 8), ("efficiency", 8), ("flags", 7), ("open", 7))
"""The columns that have words, with their widths."""
_NAMED = 3
"""Guesses listed per seat."""


def standings(look: Look, room: JoinedRoom) -> list[Text]:
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


def statistics(look: Look, room: JoinedRoom) -> list[Text]:
    """Return the lines for the details of the results; none for a duel or without a board."""
    told, board = _statistics(room), board_of(room)
    if told is None:
        return []
    head = ((say(f"tui.mines.head.{name}"), width) for name, width in _HEAD[:1])
    counts = ((say(f"tui.mines.head.{name}"), width) for name, width in _HEAD[1:])
    heads = "".join(f"{word:>{width}}" for word, width in (*head, ("3BV", 5), ("3BV/s", 7), *counts))
    lines = [look.text((f"{'':<14}{heads}", "dim"))]
    lines += [_row(look, room, seat, row) for seat, row in enumerate(told.seats)]
    lines.append(look.text((say("tui.mines.bbbv", n=told.bbbv), "dim")))
    lines += [_judged(look, room, seat, row) for seat, row in enumerate(told.seats) if row.clicks]
    return [*lines, *(legend(look, board) if board else [])]


def legend(look: Look, board: Board) -> list[Text]:
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


def _row(look: Look, room: JoinedRoom, seat: int, row: SeatStatistics) -> Text:
    figures = (
        f"{row.ms / 1000:>7.1f} s{row.bbbv:>5}{row.rate / 1000:>7.2f}{row.clicks:>8}"
        f"{row.efficiency:>6} %{row.flagged:>5} %{row.open:>5} %"
    )
    own = seat == room.seat
    return look.text((_who(room, seat), "gold" if own else "ink"), figures, bold=own)


def _judged(look: Look, room: JoinedRoom, seat: int, row: SeatStatistics) -> Text:
    """Return the openings of a seat: certain ones, guesses with their odds of being safe, and unjudged ones."""
    guesses = row.guesses
    named = [f"{name([x, y])} {odds / 100:.3g} %" for x, y, odds in guesses[:_NAMED]]
    named += [say("line.mines.more", n=len(guesses) - _NAMED)] if len(guesses) > _NAMED else []
    words = [say("line.mines.certain", n=row.forced)]
    words.append(say("line.mines.guesses", n=len(guesses), cells=", ".join(named)))
    words += [say("line.mines.unjudged", n=row.unjudged)] if row.unjudged else []
    return look.text(_who(room, seat), ", ".join(words))


def _who(room: JoinedRoom, seat: int) -> str:
    return f"{say('you') if seat == room.seat else room.name(seat)[:13]:<14}"
