"""The table of the articles on solving Minesweeper: runs of a hundred boards a level, and what part of them was done.

For each bot and level: the share of boards solved in every run and in all of them, the share of mines flagged, and
the share of safe cells revealed. The test of three hundred is one figure: the boards solved among 300 others, a
hundred of each level. All bots play the same boards, whose first click keeps free what the first article kept free.
"""

from collections.abc import Sequence
from statistics import fmean

import attrs
from rich import box
from rich.table import Table

from parlour_bots.arena.minesweeper.boards import Board, fresh
from parlour_bots.arena.minesweeper.summary import Result
from parlour_games.minesweeper.options import Options
from parlour_protocol.messages import Plain

LEVELS = ("beginner", "intermediate", "expert")
BOTS = ("article", "adjacency", "exact")
PROMISE = "radius"
HUNDRED = 100
"""How many boards of each level the test of three hundred has."""


@attrs.frozen
class Row:
    """How one bot did on one level. Shares from 0 to 1; ``runs`` holds those solved, run by run."""

    bot: str
    level: str
    runs: tuple[float, ...]
    solved: float
    flagged: float
    revealed: float


@attrs.frozen
class Figures:
    """The table: rows by bot, then level, and of 300 boards how many each bot solved."""

    rows: list[Row]
    three_hundred: dict[str, int]

    def plain(self) -> Plain:
        """Return the table for machines."""
        return {"rows": [attrs.asdict(row) for row in self.rows], "three_hundred": self.three_hundred}


def boards(games: int, runs: int, seed: int, promise: str, start: str | None) -> list[Board]:
    """Return the boards of the table: for each level ``runs`` times ``games``; then those of the 300, by level."""
    options = [Options(level=level, first=promise) for level in LEVELS]
    made = [board for each in options for board in fresh(each, start, seed, games * runs)]
    return made + [board for each in options for board in fresh(each, start, seed + 1, HUNDRED)]


def figures(names: Sequence[str], results: Sequence[Sequence[Result]], games: int, runs: int) -> Figures:
    """Return the table of what each bot has played, in the order of ``boards``; what is missing is left out."""
    size = games * runs
    rows = [
        _row(name, level, part, games)
        for name, each in zip(names, results, strict=True)
        for number, level in enumerate(LEVELS)
        if (part := each[number * size : (number + 1) * size])
    ]
    last = {name: each[len(LEVELS) * size :] for name, each in zip(names, results, strict=True)}
    full = {name: sum(result.won for result in each) for name, each in last.items() if len(each) == 3 * HUNDRED}
    return Figures(rows, full)


def _row(bot: str, level: str, results: Sequence[Result], games: int) -> Row:
    parts = [results[start : start + games] for start in range(0, len(results), games)]
    return Row(
        bot,
        level,
        tuple(_solved(part) for part in parts),
        _solved(results),
        fmean(result.flagged for result in results),
        fmean(result.open for result in results),
    )


def _solved(results: Sequence[Result]) -> float:
    return fmean(result.won for result in results)


def drawn(figures: Figures, games: int, runs: int, *, ruled: bool) -> Table:
    """Return the table as it is printed, with rules where a terminal shows them."""
    title = f"{runs} × {games} boards a level, in per cent"
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD if ruled else None)
    for heading in ("bot", "level"):
        table.add_column(heading, no_wrap=True)
    for heading in ("solved, run by run", "solved", "mines flagged", "revealed"):
        table.add_column(heading, justify="right")
    for row in figures.rows:
        shares = [f"{100 * share:.1f}" for share in (row.solved, row.flagged, row.revealed)]
        table.add_row(row.bot, row.level, " ".join(f"{100 * share:.0f}" for share in row.runs), *shares)
    for bot, solved in figures.three_hundred.items():
        table.add_row(bot, "300 boards", f"{solved} of {3 * HUNDRED}", f"{solved / (3 * HUNDRED):.1%}"[:-1], "", "")
    return table
