"""Review of a finished Minesweeper match: legend of the board and statistics."""

from collections.abc import Iterator
from itertools import pairwise

import attrs

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import Course
from parlour_client.text.minesweeper.board import Board, name, read
from parlour_protocol.messages import Over

_LEGEND = {"F": "F", "M": "M", "X": "X", "*": "set_off"}
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
    unspared: int = 0
    """On a kind board, how often a mine went off because the guess took too long to judge."""


_SLICES, _BARS = 12, "▁▂▃▄▅▆▇█"


def in_characters(room: JoinedRoom, over: Over, course: Course) -> list[str]:
    """Return 3BV and 3BV/s of our seat, and a bar for each twelfth of its time: how many cells were opened then."""
    stats = over.result.get("stats")
    if not stats or "bbbv" not in stats or room.seat is None:
        return []
    row = read(Statistics, stats).seats[room.seat]
    line = f"3BV {row.bbbv} · 3BV/s {row.rate / 1000:.2f}"
    if not course or not row.ms:
        return [line]
    reached = [max([n for at, n in course if at <= row.ms * part / _SLICES], default=0) for part in range(_SLICES + 1)]
    reached[0], reached[-1] = 0, max(reached[-1], course[-1][1])
    slices = [after - before for before, after in pairwise(reached)]
    return [line, "".join(_BARS[-(-(len(_BARS) - 1) * n // max(1, *slices))] for n in slices)]


def legend(board: Board) -> list[str]:
    """Return a legend of the characters of a finished board; nothing during the match."""
    if board.phase != "over":
        return []
    shown = [f"{char} {say(f'line.mines.legend.{what}')}" for char, what in _LEGEND.items() if board.count(char)]
    return [say("line.mines.legend", signs=", ".join(shown))] if shown else []


def review(room: JoinedRoom, over: Over) -> list[str]:
    """Return the statistics of the board and of each seat; nothing for a duel or without a board."""
    stats = over.result.get("stats")
    if not stats or "bbbv" not in stats:
        return []
    told = read(Statistics, stats)
    lines = [say("line.mines.bbbv", n=told.bbbv)]
    lines += [say("minesweeper.unspared", n=told.unspared)] if told.unspared else []
    for seat, row in enumerate(told.seats):
        lines += _seat(say("you") if seat == room.seat else room.name(seat), row)
    return lines


def _seat(who: str, row: SeatStatistics) -> Iterator[str]:
    figures = attrs.asdict(row)
    yield say("line.mines.seat", figures, who=who, time=f"{row.ms / 1000:.1f}", rate=f"{row.rate / 1000:.2f}")
    yield say("line.mines.openings", who=who, how=", ".join(_openings(row)))


def _openings(row: SeatStatistics) -> Iterator[str]:
    """Yield how many openings were certain, and the odds of the others."""
    yield say("line.mines.certain", n=row.forced)
    named = [
        say("line.mines.guess", cell=name([x, y]), odds=f"{odds / 100:.4g}") for x, y, odds in row.guesses[:_NAMED]
    ]
    named += [say("line.mines.more", n=len(row.guesses) - _NAMED)] if len(row.guesses) > _NAMED else []
    yield say("line.mines.guesses", n=len(row.guesses), cells=", ".join(named))
    if row.unjudged:
        yield say("line.mines.unjudged", n=row.unjudged)
