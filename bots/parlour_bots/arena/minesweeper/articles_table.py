"""The benchmark of published articles on solving Minesweeper: runs of a hundred boards per level.

For each bot and level, it gives the share of boards solved in each run and in total, of mines flagged, and of safe
cells revealed. The test of 300 counts the boards solved among another hundred per level. All bots play the same boards,
with the first click guaranteed as in the first article.
"""

from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean

import attrs
from rich import box
from rich.table import Table

from parlour_bots.arena.measures import COLOURS, document, text
from parlour_bots.arena.minesweeper.game import ArenaBoard, fresh
from parlour_bots.arena.minesweeper.summary import BoardResult
from parlour_games.minesweeper.options import Options
from parlour_protocol.messages import Plain

LEVELS = ("beginner", "intermediate", "expert")
BOTS = ("article", "adjacency", "exact")
PROMISE = "radius"
HUNDRED = 100
"""Boards per level in the test of 300."""


@attrs.frozen
class LevelFigures:
    """The figures of one bot on one level, from 0 to 1; ``runs`` has the share solved in each run."""

    bot: str
    level: str
    runs: tuple[float, ...]
    solved: float
    flagged: float
    revealed: float


@attrs.frozen
class Figures:
    """The table: rows by bot and level, and the boards that each bot solved in the test of 300."""

    rows: list[LevelFigures]
    three_hundred: dict[str, int]

    def plain(self) -> Plain:
        """Return the table as plain data."""
        return {"rows": [attrs.asdict(row) for row in self.rows], "three_hundred": self.three_hundred}


def boards(games: int, runs: int, seed: int, promise: str, start: str | None) -> list[ArenaBoard]:
    """Return the boards: ``runs`` times ``games`` per level, then those of the test of 300 by level."""
    options = [Options(level=level, first=promise) for level in LEVELS]
    made = [board for each in options for board in fresh(each, start, seed, games * runs)]
    return made + [board for each in options for board in fresh(each, start, seed + 1, HUNDRED)]


def figures(names: Sequence[str], results: Sequence[Sequence[BoardResult]], games: int, runs: int) -> Figures:
    """Return the table of these results, which are in the order of ``boards`` and may be incomplete."""
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


def _row(bot: str, level: str, results: Sequence[BoardResult], games: int) -> LevelFigures:
    parts = [results[start : start + games] for start in range(0, len(results), games)]
    return LevelFigures(
        bot,
        level,
        tuple(_solved(part) for part in parts),
        _solved(results),
        fmean(result.flagged for result in results),
        fmean(result.open for result in results),
    )


def _solved(results: Sequence[BoardResult]) -> float:
    return fmean(result.won for result in results)


def drawn(figures: Figures, games: int, runs: int, *, ruled: bool) -> Table:
    """Return the table for printing; ``ruled`` for a terminal."""
    title = f"{runs} × {games} boards per level, in per cent"
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


WIDTH, LEFT, RIGHT = 760, 190, 70
"""Pixels: the total width, and the margins left and right of the bars."""
TOP, ROW, BAR, GAP, BOTTOM = 48, 24, 14, 16, 34
"""Pixels: above the first group, of a row and its bar, between groups, and for the axis."""
TICKS = (0, 25, 50, 75, 100)


def svg(figures: Figures, games: int) -> str:
    """Return the SVG document, with an axis from 0 to 100 per cent."""
    groups = list(_groups(figures))
    height = TOP + sum(ROW * len(rows) + GAP for _, rows in groups) + BOTTOM
    drawn = [text(0, 20, f"Minesweeper boards solved, in per cent; a dot is a run of {games} boards", "t")]
    drawn += _axis(height)
    y = TOP
    for heading, rows in groups:
        drawn.append(text(0, y + 14, heading, "q"))
        for number, (bot, share, runs) in enumerate(rows):
            drawn += _bar(y + number * ROW, bot, share, runs, COLOURS[number % len(COLOURS)])
        y += ROW * len(rows) + GAP
    return document(WIDTH, height, "Boards solved by each bot at each level", drawn)


def _groups(figures: Figures) -> Iterator[tuple[str, list[tuple[str, float, tuple[float, ...]]]]]:
    """Yield each group of bars: its heading, and per bot the name, the share, and the shares of the runs."""
    for level in LEVELS:
        if rows := [(row.bot, row.solved, row.runs) for row in figures.rows if row.level == level]:
            yield level, rows
    if figures.three_hundred:
        whole = len(LEVELS) * HUNDRED
        yield f"{whole} boards", [(bot, solved / whole, ()) for bot, solved in figures.three_hundred.items()]


def _axis(height: int) -> list[str]:
    foot = height - BOTTOM
    lines = [f'<path class="g" d="M{_x(tick / 100):.1f} {TOP - 8}V{foot}"/>' for tick in TICKS]
    return lines + [text(_x(tick / 100), foot + 18, f"{tick} %", "q", "middle") for tick in TICKS]


def _bar(y: int, bot: str, share: float, runs: Iterable[float], colour: str) -> list[str]:
    middle = y + BAR / 2 + 3
    runs = tuple(runs)
    bar = f'<rect x="{LEFT}" y="{y + 3}" width="{_x(share) - LEFT:.1f}" height="{BAR}" rx="2" fill="{colour}"/>'
    dots = [f'<circle class="d" cx="{_x(run):.1f}" cy="{middle}" r="2.5"/>' for run in runs]
    label = text(_x(max([share, *runs])) + 8, y + 15, f"{100 * share:.1f} %")
    return [text(LEFT - 8, y + 15, bot, anchor="end"), bar, *dots, label]


def _x(share: float) -> float:
    return LEFT + share * (WIDTH - LEFT - RIGHT)
