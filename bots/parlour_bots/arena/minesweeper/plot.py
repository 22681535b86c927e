"""Draw the table of the articles as SVG: a bar per bot and level, a dot per run."""

from collections.abc import Iterable, Iterator

from parlour_bots.arena.charts.svg import COLOURS, document, text
from parlour_bots.arena.minesweeper.articles_table import HUNDRED, LEVELS, Figures

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
