"""What a game is measured by once it is over. Whole numbers only: rates are per 1,000 seconds, shares in per cent.

3BV (Bechtel's Board Benchmark Value) is the least number of openings that clears a board: one for each connected area
of zeros, and one for each safe cell that touches no zero.
"""

from parlour_games.game import Plain
from parlour_games.minesweeper.board import IS_MINE, Board
from parlour_games.minesweeper.field import Field
from parlour_games.minesweeper.grid import neighbours
from parlour_games.minesweeper.state import State


class Measure:
    """The parts of a board that 3BV counts: each a group of cells, done when one of them is open."""

    def __init__(self, board: Board) -> None:
        around, numbers = neighbours(board.shape.width, board.shape.height), board.numbers
        self.parts: list[list[int]] = []
        seen: set[int] = set()
        for cell, number in enumerate(numbers):
            if number == 0 and cell not in seen:
                self.parts.append(_area(cell, numbers, around, seen))
        alone = (c for c, n in enumerate(numbers) if 0 < n < IS_MINE and all(numbers[near] for near in around[c]))
        self.parts += [[cell] for cell in alone]

    @property
    def bbbv(self) -> int:
        """Return the 3BV of the board."""
        return len(self.parts)

    def done(self, field: Field) -> int:
        """Return how much of it is done on ``field``."""
        return sum(any(field.is_number(cell) for cell in part) for part in self.parts)


def _area(start: int, numbers: bytes, around: tuple[tuple[int, ...], ...], seen: set[int]) -> list[int]:
    """Return the connected zeros around ``start``."""
    area = [start]
    seen.add(start)
    for cell in area:
        for near in around[cell]:
            if not numbers[near] and near not in seen:
                seen.add(near)
                area.append(near)
    return area


def statistics(state: State) -> Plain | None:
    """Return the statistics of a finished game; None if there never was a board.

    ``ms`` is the time of the seat, penalties included; ``rate`` its 3BV per 1,000 s; ``efficiency`` its 3BV in per cent
    of its clicks; ``flagged`` and ``open`` are shares of all mines and of all safe cells of the field it played on.
    """
    board = state.board
    if board is None:
        return None
    if state.mode == "duel":
        return {"seats": [{"found": player.found, "opened": player.opened} for player in state.players]}
    measure = Measure(board)
    seats = [_seat(state, board, measure, seat) for seat in range(len(state.players))]
    for row, judged in zip(seats, (state.reviewed or {}).get("seats", ()), strict=False):
        row |= judged
    return {"bbbv": measure.bbbv, "seats": seats}


def _seat(state: State, board: Board, measure: Measure, seat: int) -> Plain:
    player, field = state.players[seat], state.field_of(seat)
    done, ms = measure.done(field), state.time_of(seat)
    won = field.open == board.shape.safe
    return {
        "ms": ms,
        "clicks": player.clicks,
        "opened": player.opened,
        "bbbv": done,
        "rate": done * 1_000_000 // ms if ms else 0,
        "efficiency": 100 * done // player.clicks if player.clicks else 0,
        "flagged": 100 if won else 100 * field.flagged(board) // board.shape.mines,
        "open": 100 * field.open // board.shape.safe,
    }
