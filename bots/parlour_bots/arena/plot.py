"""The articles' table as a picture: a bar for each bot and level, a dot for each run, in SVG.

It has no background and takes its text colour from the reader's colour scheme, so that it reads on light and dark.
"""

from collections.abc import Iterable, Iterator
from html import escape

from parlour_bots.arena.table import HUNDRED, LEVELS, Figures

WIDTH, LEFT, RIGHT = 760, 190, 70
"""Pixels: of the whole, and left and right of the bars."""
TOP, ROW, BAR, GAP, BOTTOM = 48, 24, 14, 16, 34
"""Pixels: above the first group, a row and its bar, between two groups, and for the axis."""
COLOURS = ("#8b949e", "#d97706", "#2563eb", "#16a34a", "#c026d3", "#0891b2")
"""By bot, over again if there are more."""
TICKS = (0, 25, 50, 75, 100)

_STYLE = (
    "text{font:13px system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif;fill:#1f2328}"
    ".t{font-size:15px;font-weight:600}.q{fill:#59636e}.g{stroke:#59636e;stroke-opacity:.25}"
    ".d{fill:#fff;stroke:#1f2328;stroke-width:1}"
    "@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.q{fill:#9198a1}.g{stroke:#9198a1}"
    ".d{fill:#0d1117;stroke:#f0f6fc}}"
)


def svg(figures: Figures, games: int) -> str:
    """Return the picture. Shares are drawn from 0 to 100 per cent."""
    groups = list(_groups(figures))
    height = TOP + sum(ROW * len(rows) + GAP for _, rows in groups) + BOTTOM
    drawn = [_text(0, 20, f"Minesweeper boards solved, in per cent; a dot is a run of {games} boards", "t")]
    drawn += _axis(height)
    y = TOP
    for heading, rows in groups:
        drawn.append(_text(0, y + 14, heading, "q"))
        for number, (bot, share, runs) in enumerate(rows):
            drawn += _bar(y + number * ROW, bot, share, runs, COLOURS[number % len(COLOURS)])
        y += ROW * len(rows) + GAP
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    title = "<title>Boards solved by each bot at each level</title>"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">{title}<style>{_STYLE}</style>'
    return "\n".join([head, *drawn, "</svg>"]) + "\n"


def _groups(figures: Figures) -> Iterator[tuple[str, list[tuple[str, float, tuple[float, ...]]]]]:
    """Yield each group of bars: its heading, and for each bot its name, its share, and those of its runs."""
    for level in LEVELS:
        if rows := [(row.bot, row.solved, row.runs) for row in figures.rows if row.level == level]:
            yield level, rows
    if figures.three_hundred:
        whole = len(LEVELS) * HUNDRED
        yield f"{whole} boards", [(bot, solved / whole, ()) for bot, solved in figures.three_hundred.items()]


def _axis(height: int) -> list[str]:
    foot = height - BOTTOM
    lines = [f'<path class="g" d="M{_x(tick / 100):.1f} {TOP - 8}V{foot}"/>' for tick in TICKS]
    return lines + [_text(_x(tick / 100), foot + 18, f"{tick} %", "q", "middle") for tick in TICKS]


def _bar(y: int, bot: str, share: float, runs: Iterable[float], colour: str) -> list[str]:
    middle = y + BAR / 2 + 3
    runs = tuple(runs)
    bar = f'<rect x="{LEFT}" y="{y + 3}" width="{_x(share) - LEFT:.1f}" height="{BAR}" rx="2" fill="{colour}"/>'
    dots = [f'<circle class="d" cx="{_x(run):.1f}" cy="{middle}" r="2.5"/>' for run in runs]
    label = _text(_x(max([share, *runs])) + 8, y + 15, f"{100 * share:.1f} %")
    return [_text(LEFT - 8, y + 15, bot, anchor="end"), bar, *dots, label]


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y}"{named} text-anchor="{anchor}">{escape(text)}</text>'


def _x(share: float) -> float:
    return LEFT + share * (WIDTH - LEFT - RIGHT)
