"""The results of a finished match: ranks and scores, a review of its openings, and statistics.

The review tells which openings were certain, which were guesses, and with what odds.

The odds are those that the player could have computed from the cells open before the action; for the action that placed
the mines, from what the first click keeps free.

3BV (Bechtel's Board Benchmark Value) is the minimum number of openings that clears a board: one for each connected area
of zeros, and one for each safe cell that touches no zero.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import TypeAlias

from parlour_games.game import Plain
from parlour_games.minesweeper.board import IS_MINE, Board, VisibleBoard, around, known, neighbours
from parlour_games.minesweeper.constraints import TooLarge
from parlour_games.minesweeper.inference import Engine
from parlour_games.minesweeper.options import Shape, reach
from parlour_games.minesweeper.state import DONE, OUT, Player, State


def ranks(state: State, tie_break: Callable[[Player], int] = attrgetter("clicks")) -> tuple[int, ...]:
    """Return the rank of each seat. Ties share a rank.

    In a race, seats that cleared the board come first, by time with penalties, then by fewer clicks (``tie_break``);
    then the others by open cells, then by fewer clicks.
    """
    seats = range(len(state.players))
    if state.mode == "race":
        keys = [_race_key(state, seat, tie_break) for seat in seats]
        return tuple(1 + sum(other < key for other in keys) for key in keys)
    if state.mode == "duel":
        return tuple(1 if state.players[seat].status == DONE else 2 for seat in seats)
    return tuple(1 if state.why == "won" and state.players[seat].status != OUT else 2 for seat in seats)


def scores(state: State) -> tuple[int, ...]:
    """Return each seat's score: mines found in a duel, open cells in a race, cells opened by that seat otherwise."""
    if state.mode == "duel":
        return tuple(player.found for player in state.players)
    if state.mode == "race":
        return tuple(visible.open for visible in state.visible_boards)
    return tuple(player.opened for player in state.players)


def _race_key(state: State, seat: int, tie_break: Callable[[Player], int]) -> tuple[int, int, int]:
    player = state.players[seat]
    if player.status == DONE:
        return (0, state.time_of(seat), tie_break(player))
    return (1, -state.visible_boards[seat].open, player.clicks)


BUDGET = 20_000
"""Units of work for one component, as in ``inference.Engine``. Openings that need more are not judged."""
WORK = 4_000_000
"""The maximum of cells times actions. Openings after that are not judged."""
CERTAIN = 10_000
"""Odds are reported in ten-thousandths, rounded down. A guess always has fewer than this."""
GUESSES = 1_000
"""The maximum number of guesses reported per seat."""

Log: TypeAlias = Sequence[tuple[int, Sequence[int]]]
"""Actions in order: the seat, and the cells it opened directly."""


def review(
    board: Board, promise: str, start: int | None, logs: Sequence[Log], ends: Sequence[str], seats: int
) -> Plain:
    """Judge all openings. Return ``{"seats": [{"forced", "unjudged", "guesses": [[x, y, odds], …]}, …]}``.

    ``start`` is the cell that the server opened, None if it opened none; ``ends`` are the final visible boards, one
    character per cell. ``forced`` counts the certain openings, ``unjudged`` those whose odds would take too long.
    """
    rows = [{"forced": 0, "unjudged": 0, "guesses": []} for _ in range(seats)]
    for log, end in zip(logs, ends, strict=True):
        _judge(board, promise, start, log, end, rows, WORK // len(logs))
    return {"seats": rows}


def _judge(board: Board, promise: str, start: int | None, log: Log, end: str, rows: list[Plain], work: int) -> None:
    shape = board.shape
    visible = VisibleBoard(shape.width, shape.height)
    engine = Engine(shape.width, shape.height, shape.mines, budget=BUDGET)
    for cell in _kept(log, end):
        visible.flag(cell, True)
    if start is not None:
        visible.open_cell(board, start)
    for number, (seat, cells) in enumerate(log):
        unknown: list[Fraction | None] = [None] * len(cells)
        judged = _odds(engine, visible, promise, cells) if number * shape.cells < work else unknown
        for cell, odds in zip(cells, judged, strict=True):
            _enter(rows[seat], shape, cell, odds)
        for cell in cells:
            visible.flag(cell, False)
            if board.numbers[cell] == IS_MINE:
                visible.explode(cell)
            else:
                visible.open_cell(board, cell)


def _kept(log: Log, end: str) -> list[int]:
    """Return the cells that did not open as neighbours of a 0: those left closed, and those opened directly."""
    closed = [cell for cell, char in enumerate(end) if char in ".F"]
    return closed + [cell for _, cells in log for cell in cells]


def _odds(engine: Engine, visible: VisibleBoard, promise: str, cells: Sequence[int]) -> list[Fraction | None]:
    """Return the probability of each cell to be safe, None where computing it would take too long."""
    if not visible.open and promise != "any":
        return _promised(Shape(engine.width, engine.height, engine.mines), promise, cells)
    try:
        read = engine.read(known(visible.rows()))
    except TooLarge:
        return [None] * len(cells)
    return [1 - read.mine(cell) for cell in cells]


def _promised(shape: Shape, promise: str, cells: Sequence[int]) -> list[Fraction | None]:
    """Return the odds of cells opened by the action that placed the mines."""
    free = set(around(shape.width, shape.height, cells[0], reach(shape, promise)))
    elsewhere = 1 - Fraction(shape.mines, shape.cells - len(free))
    return [Fraction(1) if cell in free else elsewhere for cell in cells]


def _enter(row: Plain, shape: Shape, cell: int, odds: Fraction | None) -> None:
    if odds is None or (odds < 1 and len(row["guesses"]) >= GUESSES):
        row["unjudged"] += 1
    elif odds == 1:
        row["forced"] += 1
    else:
        y, x = divmod(cell, shape.width)
        row["guesses"].append([x, y, int(odds * CERTAIN)])


class Measure:
    """The parts of a board that 3BV counts. ``part_of`` maps a cell to its part; opening any of its cells does it."""

    def __init__(self, board: Board) -> None:
        around, numbers = neighbours(board.shape.width, board.shape.height), board.numbers
        self.part_of: dict[int, int] = {}
        self.bbbv = 0
        """The 3BV of the board: its number of parts."""
        for cell, number in enumerate(numbers):
            if number == 0 and cell not in self.part_of:
                self._add(_area(cell, numbers, around))
        for cell, number in enumerate(numbers):
            if 0 < number < IS_MINE and all(numbers[near] for near in around[cell]):
                self._add([cell])

    def done(self, log: Log, seats: int) -> list[int]:
        """Return the number of parts that each seat has done, given the actions in order."""
        counts = [0] * seats
        gone: set[int] = set()
        for seat, cells in log:
            new = {part for cell in cells if (part := self.part_of.get(cell)) is not None} - gone
            counts[seat] += len(new)
            gone |= new
        return counts

    def _add(self, cells: list[int]) -> None:
        self.part_of |= dict.fromkeys(cells, self.bbbv)
        self.bbbv += 1


def _area(start: int, numbers: bytes, around: tuple[tuple[int, ...], ...]) -> list[int]:
    """Return the zeros connected with ``start``."""
    area, seen = [start], {start}
    for cell in area:
        for near in around[cell]:
            if not numbers[near] and near not in seen:
                seen.add(near)
                area.append(near)
    return area


def statistics(state: State) -> Plain | None:
    """Return the statistics of a finished match, None if no mines were placed.

    ``ms`` is the time of the seat, penalties included; ``bbbv`` the part of the 3BV that its own openings did; ``rate``
    that part per 1,000 s; ``efficiency`` that part as a percentage of its clicks; ``flagged`` and ``open`` are
    percentages of all mines and of all safe cells. On a kind board ``spared`` is the number of forced guesses that
    hit a mine, ``unspared`` (absent: 0) that of mines that went off because the position was too large to judge the
    guess, and the 3BV is that of the last layout.
    """
    board = state.board
    if board is None:
        return None
    if state.mode == "duel":
        return {"seats": [{"found": player.found, "opened": player.opened} for player in state.players]}
    measure = Measure(board)
    seats = [_seat(state, board, seat, done) for seat, done in enumerate(_done(state, measure))]
    for row, judged in zip(seats, (state.reviewed or {}).get("seats", ()), strict=False):
        row |= judged
    return {"bbbv": measure.bbbv, "seats": seats, **state.kind_counts}


def _done(state: State, measure: Measure) -> list[int]:
    """Return the part of the 3BV that each seat did by its own openings."""
    counts = [measure.done(log, len(state.players)) for log in state.openings]
    return [sum(column) for column in zip(*counts, strict=True)]


def _seat(state: State, board: Board, seat: int, done: int) -> Plain:
    player, visible, ms = state.players[seat], state.visible_board_of(seat), state.time_of(seat)
    won = visible.open == board.shape.safe
    return {
        "ms": ms,
        "clicks": player.clicks,
        "opened": player.opened,
        "bbbv": done,
        "rate": done * 1_000_000 // ms if ms else 0,
        "efficiency": 100 * done // player.clicks if player.clicks else 0,
        "flagged": 100 if won else 100 * visible.flagged(board) // board.shape.mines,
        "open": 100 * visible.open // board.shape.safe,
    }
