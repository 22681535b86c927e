"""Review of a finished Minesweeper match: legend of the board and statistics."""

from collections.abc import Iterator

import attrs

from parlour_client.core.room import JoinedRoom
from parlour_client.text.minesweeper.board import Board, name, read
from parlour_client.text.minesweeper.words import some
from parlour_protocol.messages import Over

_LEGEND = {"F": "mine", "M": "mine that nobody marked", "X": "wrong flag", "*": "mine that was set off"}
_NAMED = 12
"""Guesses listed per seat."""


@attrs.frozen
class SeatStatistics:
    """Statistics of a seat from ``result.stats``. ``rate``: 3BV per 1,000 s. ``guesses``: x, y, odds in 1/10,000."""

    ms: int
    clicks: int
    bbbv: int
    rate: int
    efficiency: int
    flagged: int
    open: int
    forced: int = 0
    unjudged: int = 0
    guesses: list[tuple[int, int, int]] = attrs.field(factory=list)


@attrs.frozen
class Statistics:
    """Statistics of a board from ``result.stats``. ``bbbv`` is its 3BV."""

    bbbv: int
    seats: list[SeatStatistics]


def legend(board: Board) -> list[str]:
    """Return a legend of the characters of a finished board; nothing during the match."""
    if board.phase != "over":
        return []
    shown = [f"{char} {meaning}" for char, meaning in _LEGEND.items() if board.count(char)]
    return [f"On the board: {', '.join(shown)}."] if shown else []


def statistics(room: JoinedRoom, over: Over) -> list[str]:
    """Return the statistics of the board and of each seat; nothing for a duel or without a board."""
    stats = over.result.get("stats")
    if not stats or "bbbv" not in stats:
        return []
    told = read(Statistics, stats)
    lines = [f"The board has a 3BV of {told.bbbv}, the least number of openings that clears it."]
    for seat, row in enumerate(told.seats):
        lines += _seat("you" if seat == room.seat else room.name(seat), row)
    return lines


def _seat(who: str, row: SeatStatistics) -> Iterator[str]:
    clicks = some(row.clicks, "click", "clicks")
    yield (
        f"{who}: {row.ms / 1000:.1f} s, 3BV {row.bbbv} ({row.rate / 1000:.2f}/s), {clicks}, efficiency "
        f"{row.efficiency} %, {row.flagged} % of the mines flagged, {row.open} % of the safe cells open."
    )
    yield f"{who}: {_openings(row)}."


def _openings(row: SeatStatistics) -> str:
    """Return how many openings were certain, and the odds of the others."""
    parts = [f"{row.forced} certain"]
    if row.guesses:
        named = ", ".join(f"{name([x, y])} at {odds / 100:.4g} %" for x, y, odds in row.guesses[:_NAMED])
        more = f" and {len(row.guesses) - _NAMED} more" if len(row.guesses) > _NAMED else ""
        parts.append(f"{some(len(row.guesses), 'guess', 'guesses')} ({named}{more})")
    else:
        parts.append("no guess")
    if row.unjudged:
        parts.append(f"{row.unjudged} not judged")
    return f"openings: {', '.join(parts)}"
