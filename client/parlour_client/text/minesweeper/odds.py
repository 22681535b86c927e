"""Hints with odds, computed from the visible board alone.

Flags are ignored, as they are only opinions: flagged cells have odds like other closed cells.
"""

import attrs

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.minesweeper.board import CLOSED, FLAG, NUMBERS, At, Board
from parlour_games.minesweeper.board import known
from parlour_games.minesweeper.constraints import Impossible, TooLarge
from parlour_games.minesweeper.inference import Engine

SAFE, MINED = "ok", "!!"
"""Certain hints."""
BUDGET = 60_000
"""Work limit for one component, in the engine's units: about 50 ms. Expert boards stay far below."""
MIXED = 4 * BUDGET
"""Work limit for all components and their combination. Beyond it only certain cells are shown."""


@attrs.frozen
class Hints:
    """Hints for closed cells. ``risks``: the chance of a mine in per cent, 1–99, for cells next to numbers."""

    safe: frozenset[At] = frozenset()
    mines: frozenset[At] = frozenset()
    risks: dict[At, int] = attrs.field(factory=dict)
    best: frozenset[At] = frozenset()
    """The best cells if none is certain: those with the least risk, in a duel the greatest."""
    elsewhere: int | None = None
    """The risk of cells that are not next to a number, in per cent."""
    trouble: str = ""
    """Why there are no hints."""

    def cell_text(self, at: At) -> str:
        """Return the hint for a cell in two characters, "" if there is none."""
        if at in self.safe:
            return SAFE
        return MINED if at in self.mines else f"{self.risks[at]:>2}" if at in self.risks else ""

    def cells(self) -> frozenset[At]:
        """Return the cells with a hint."""
        return self.safe | self.mines | self.risks.keys()

    def summary(self) -> str:
        """Return a short summary of the hints, or why there are none."""
        if self.trouble:
            return self.trouble
        best = not (self.safe or self.mines or self.best) and bool(self.risks)
        counts = {"safe": len(self.safe), "mines": len(self.mines), "elsewhere": self.elsewhere}
        return say("tui.mines.odds", counts, best=best)


class HintEngine:
    """Computes hints for one board at a time, in any thread."""

    def __init__(self) -> None:
        self._engine: Engine | None = None

    def hints(self, board: Board) -> Hints:
        """Return the hints for ``board``, which has rows. Takes at most a fraction of a second."""
        if board.count(CLOSED + FLAG) == board.width * board.height:
            return Hints(trouble=say("tui.mines.odds.none"))
        try:
            return self._read(board)
        except TooLarge:
            return Hints(trouble=say("tui.mines.odds.many"))
        except Impossible:
            return Hints(trouble=say("tui.mines.odds.impossible"))

    def _read(self, board: Board) -> Hints:
        engine = self._engine
        if engine is None or (engine.width, engine.height, engine.mines) != (board.width, board.height, board.mines):
            engine = self._engine = Engine(board.width, board.height, board.mines, budget=BUDGET)
        odds = engine.read(known(board.rows or ()))
        safe, mines = _cells(board, odds.safe), _cells(board, odds.mines)
        if odds.work > MIXED:
            return Hints(safe, mines)
        risks = {
            at: max(1, min(99, round(100 * odds.risks[at[1] * board.width + at[0]])))
            for at in frontier(board)
            if at not in safe and at not in mines
        }
        elsewhere = next((round(100 * odds.risks[cell]) for cell in odds.spare), None)
        return Hints(safe, mines, risks, _best(board, safe, mines, risks, elsewhere), elsewhere)


def frontier(board: Board) -> list[At]:
    """Return the closed cells next to open numbers, row by row."""
    return [
        (x, y)
        for y, row in enumerate(board.rows or ())
        for x, char in enumerate(row)
        if char in CLOSED + FLAG and any(board.at(*near) in NUMBERS for near in board.around(x, y))
    ]


def withheld(room: JoinedRoom) -> str:
    """Return why this room shows no odds, "" if it shows them."""
    table = room.table
    if not table["hints"]:
        return say("line.no_hints")
    timed = table.get("size") == 1 and table.get("unrated") in (None, "alone")
    return say("line.hints_counted") if timed and room.remembered else ""


def next_cell(board: Board, cursor: At, hints: Hints | None) -> At | None:
    """Return the next closed cell after ``cursor``, row by row, wrapping around.

    Prefers safe cells, then cells beside a number, then any without a flag. None if there is none.
    """
    closed = [(x, y) for y, row in enumerate(board.rows or ()) for x, char in enumerate(row) if char == CLOSED]
    near = set(frontier(board))
    wanted = (
        [at for at in closed if hints and at in hints.safe]
        or [at for at in closed if at in near and not (hints and at in hints.mines)]
        or closed
    )
    here = (cursor[1], cursor[0])
    return min(wanted, key=lambda at: ((at[1], at[0]) <= here, at[1], at[0]), default=None)


def first_number(board: Board, cursor: At) -> At | None:
    """Return the number beside closed cells that is nearest to ``cursor``: a press there sets off no mine."""
    beside = {near for at in frontier(board) for near in board.around(*at) if board.at(*near) in NUMBERS}
    return min(sorted(beside), key=lambda at: max(abs(at[0] - cursor[0]), abs(at[1] - cursor[1])), default=None)


def _cells(board: Board, cells: tuple[int, ...]) -> frozenset[At]:
    return frozenset((cell % board.width, cell // board.width) for cell in cells)


def _best(
    board: Board, safe: frozenset[At], mines: frozenset[At], risks: dict[At, int], elsewhere: int | None
) -> frozenset[At]:
    duel = board.mode == "duel"
    if (mines if duel else safe) or not risks:
        return frozenset()
    choose = max if duel else min
    wanted = choose(risks.values())
    if elsewhere is not None and choose(wanted, elsewhere) != wanted:
        return frozenset()
    return frozenset(at for at, risk in risks.items() if risk == wanted)
