"""The options of a Minesweeper match: mode, board, first click, and what a mine costs."""

from typing import NamedTuple

import attrs

from parlour_games.game import BadOptions
from parlour_games.options import Between, OneOf, Switch, option

MODES = ("solo", "race", "coop", "duel")
LEVELS = {"beginner": (9, 9, 10), "intermediate": (16, 16, 40), "expert": (30, 16, 99), "custom": None}
"""Width, height, mines."""
DUEL = (16, 16, 51)
FIRSTS = ("any", "safe", "opening", "radius")
SIDES = (2, 100)
"""The minimum and maximum of columns and of rows."""
MAX_SEATS = 10
SEATS = {"solo": (1, 1), "race": (2, MAX_SEATS), "coop": (2, MAX_SEATS), "duel": (2, 2)}
MAX_LIVES = 1_000
MAX_PENALTY = 600_000


KIND_STATES = 20_000
"""The maximum number of states to count in a position, about a fifth of a second. Beyond, a mine goes off."""


class KindLimits(NamedTuple):
    """How large a position may be for a forced guess to be spared."""

    cells: int | None = None
    """The maximum number of cells in a component of the frontier, None for no maximum."""
    states: int = KIND_STATES


@attrs.frozen
class Shape:
    """The size of a board in cells, and its number of mines."""

    width: int
    height: int
    mines: int

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.width * self.height

    @property
    def safe(self) -> int:
        """The number of cells without a mine."""
        return self.cells - self.mines


@attrs.frozen(kw_only=True)
class Options:
    """The options of a match. Raises BadOptions for values out of range and for combinations that cannot be played."""

    mode: str = option(
        "solo",
        OneOf(MODES),
        "solo: alone. race: the same board for each, the first to clear it wins. coop: one board for all. duel: two"
        " take turns at finding mines.",
    )
    level: str = option(
        "beginner",
        OneOf(tuple(LEVELS)),
        "The board: 9×9 with 10 mines, 16×16 with 40, 30×16 with 99, or custom. A duel that is not custom has 16×16"
        " with 51.",
    )
    width: int = option(0, Between(0, SIDES[1]), "Columns of a custom board, 2–100.")
    height: int = option(0, Between(0, SIDES[1]), "Rows of a custom board, 2–100.")
    mines: int = option(0, Between(0, SIDES[1] ** 2), "Mines of a custom board, at least 1. An odd number in a duel.")
    first: str = option(
        "opening",
        OneOf(FIRSTS),
        "What the first click keeps free of mines: nothing, itself, the 3×3 around it, or all within an eighth of the"
        " width. Where the server opens the first cell, and with no_guess, any means safe. A duel keeps nothing free.",
    )
    no_guess: bool = option(False, Switch(), "The board can be cleared without guessing after the first click.")
    kind: bool = option(
        False,
        Switch(),
        "solo and coop: a forced guess never sets off a mine. A guess is forced if no closed cell is certainly safe.",
    )
    lives: int = option(1, Between(1, MAX_LIVES), "coop: how many mines lose the match.")
    penalty: int = option(
        0,
        Between(0, MAX_PENALTY),
        "race: milliseconds that a mine adds to a player's time. 0: a mine puts them out.",
        unit="ms",
    )
    first_cell: int = option(
        -1,
        Between(-1, SIDES[1] ** 2 - 1),
        "solo: the cell that the server opens at the start, y · width + x. -1: the player opens the first cell.",
    )

    def __attrs_post_init__(self) -> None:
        self._check_size()
        self._check_mines()
        if self.mode == "duel" and self.no_guess:
            raise BadOptions("no_guess is not available in a duel", "guess_duel")
        self._check_kind()
        self._check_only("lives", "coop", self.lives > 1)
        self._check_only("penalty", "race", self.penalty > 0)
        self._check_only("first_cell", "solo", self.first_cell >= 0)
        if self.first_cell >= self.shape.cells:
            raise BadOptions(
                f"first_cell must be below {self.shape.cells}, the number of cells, not {self.first_cell}",
                "first_cell",
                cells=self.shape.cells,
                value=self.first_cell,
            )

    @property
    def server_begins(self) -> bool:
        """Whether the server opens the first cell."""
        return self.mode == "race" or self.first_cell >= 0

    @property
    def shape(self) -> Shape:
        """The size of the board."""
        if self.level == "custom":
            return Shape(self.width, self.height, self.mines)
        return Shape(*(DUEL if self.mode == "duel" else LEVELS[self.level] or DUEL))

    @property
    def promise(self) -> str:
        """The cells that the first click keeps free of mines in this mode, one of FIRSTS."""
        if self.mode == "duel":
            return "any"
        return "safe" if self.first == "any" and (self.server_begins or self.no_guess) else self.first

    def _check_only(self, name: str, only: str, given: bool) -> None:
        """Raise BadOptions for an option of another mode."""
        if given and self.mode != only:
            reason = f"{name} is only for mode {only}, not for {self.mode}"
            raise BadOptions(reason, "mode", name=name, only=only, mode=self.mode)

    def _check_kind(self) -> None:
        if not self.kind:
            return
        if self.mode == "race":
            raise BadOptions(
                "kind is not available in a race, where all have the same mines: use no_guess instead", "kind_race"
            )
        if self.mode == "duel":
            raise BadOptions("kind is not available in a duel, where you look for mines", "kind_duel")
        if self.no_guess:
            raise BadOptions(
                "kind has no effect with no_guess, where no guess is forced: use one of them", "kind_guess"
            )

    def _check_size(self) -> None:
        if self.level != "custom":
            if self.width or self.height or self.mines:
                raise BadOptions(
                    f"level {self.level} has its own size: width, height and mines are for level custom",
                    "own_size",
                    level=self.level,
                )
        elif min(self.width, self.height) < SIDES[0]:
            raise BadOptions(
                f"width and height must be whole numbers from {SIDES[0]} to {SIDES[1]} on a custom board",
                "custom_size",
                low=SIDES[0],
                high=SIDES[1],
            )

    def _check_mines(self) -> None:
        shape = self.shape
        most = shape.cells - largest_free(shape, self.promise)
        if not 1 <= shape.mines <= most:
            raise BadOptions(
                f"mines must be a whole number from 1 to {most} on {shape.width}×{shape.height} cells"
                f" with first {self.promise}, not {shape.mines}",
                "mines",
                most=most,
                width=shape.width,
                height=shape.height,
                first=self.promise,
                value=shape.mines,
            )
        if self.mode == "duel" and shape.mines % 2 == 0:
            raise BadOptions(
                f"mines must be odd in a duel, so that there is a majority, not {shape.mines}", "odd", value=shape.mines
            )


def reach(shape: Shape, promise: str) -> int:
    """Return the Chebyshev distance in which the first click keeps cells free of mines; -1 for none at all."""
    return {"any": -1, "safe": 0, "opening": 1, "radius": shape.width // 8}[promise]


def largest_free(shape: Shape, promise: str) -> int:
    """Return the maximum number of cells that the first click keeps free, at least 1: a board is never all mines."""
    side = 2 * reach(shape, promise) + 1
    return max(1, min(side, shape.width) * min(side, shape.height)) if side > 0 else 1
