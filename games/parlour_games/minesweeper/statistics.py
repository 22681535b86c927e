"""Statistics of a finished match. All are integers: rates are per 1,000 seconds, shares are percentages.

3BV (Bechtel's Board Benchmark Value) is the minimum number of openings that clears a board: one for each connected area
of zeros, and one for each safe cell that touches no zero.
"""

from parlour_games.game import Plain
from parlour_games.minesweeper.board import IS_MINE, Board
from parlour_games.minesweeper.grid import neighbours
from parlour_games.minesweeper.review import Log
from parlour_games.minesweeper.state import State


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
    hit a mine, and the 3BV is that of the last layout.
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
    spared = {"spared": state.spared} if state.options.kind else {}
    return {"bbbv": measure.bbbv, "seats": seats, **spared}


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
