"""Draw a contest as SVG: ratings with their intervals, and a matrix of win rates."""

from collections.abc import Iterator, Sequence

from parlour_bots.arena.charts.svg import COLOURS, document, text
from parlour_bots.arena.league.figures import Pair, Row

PLOT, RIGHT = 440, 130
"""Pixels: the width of the rating scale, and the margin right of it."""
LETTER = 7.5
"""The approximate width of a letter in pixels."""
TOP, ROW, GAP, FOOT = 52, 26, 40, 24
CELL = 74
_STEPS = (10, 20, 50, 100, 200, 500, 1000)
_MOST_TICKS = 7


def svg(heading: str, rows: Sequence[Row], pairs: Sequence[Pair]) -> str:
    """Return the SVG document, the strongest bot first. ``heading`` says what was played."""
    order = sorted(rows, key=lambda row: -row.rating.value)
    left = 24 + LETTER * max(len(row.name) for row in order)
    drawn = [text(0, 20, "Ratings with their 95 % intervals", "t"), text(0, 40, heading, "q")]
    drawn += _ratings(order, left)
    top = TOP + ROW * len(order) + GAP + FOOT
    drawn.append(text(0, top, "Games won by the row against the column, per cent of a seat", "t"))
    drawn += _matrix(order, pairs, left, top + 12)
    width = max(left + PLOT + RIGHT, left + CELL * len(order), LETTER * len(heading))
    return document(width, top + ROW * (len(order) + 2), "Ratings of the bots, and who beat whom", drawn)


def _ratings(rows: Sequence[Row], left: float) -> Iterator[str]:
    low = min(row.rating.interval[0] for row in rows)
    high = max(row.rating.interval[1] for row in rows)
    step = next((step for step in _STEPS if (high - low) / step <= _MOST_TICKS), _STEPS[-1])
    ticks = range(int(low // step) * step, int(-(-high // step) + 1) * step, step)

    def x(rating: float) -> float:
        return left + PLOT * (rating - ticks[0]) / (ticks[-1] - ticks[0])

    foot = TOP + ROW * len(rows) + 6
    for tick in ticks:
        yield f'<path class="g" d="M{x(tick):.1f} {TOP}V{foot}"/>'
        yield text(x(tick), foot + 16, str(tick), "q", "middle")
    for number, row in enumerate(rows):
        y, colour = TOP + ROW * number + ROW / 2, COLOURS[(number + 1) % len(COLOURS)]
        ends = [x(end) for end in row.rating.interval]
        yield text(left - 12, y + 5, row.name, anchor="end")
        whisker = f"M{ends[0]:.1f} {y}H{ends[1]:.1f}" + "".join(f"M{end:.1f} {y - 4}v8" for end in ends)
        yield f'<path class="w" stroke="{colour}" d="{whisker}"/>'
        yield f'<circle cx="{x(row.rating.value):.1f}" cy="{y}" r="4.5" fill="{colour}"/>'
        yield text(ends[1] + 10, y + 5, f"{row.rating.value:.0f} ± {row.rating.interval[1] - row.rating.value:.0f}")


def _matrix(rows: Sequence[Row], pairs: Sequence[Pair], left: float, top: float) -> Iterator[str]:
    rates = {pair.names: pair.rates[0] for pair in pairs} | {pair.names[::-1]: pair.rates[1] for pair in pairs}
    for column, other in enumerate(rows):
        yield text(left + CELL * (column + 0.5), top + 12, _short(other.name), "q", "middle")
    for line, row in enumerate(rows):
        y = top + ROW * (line + 1)
        yield text(left - 12, y + 5, row.name, anchor="end")
        for column, other in enumerate(rows):
            rate, x = rates.get((row.name, other.name)), left + CELL * column
            if rate is None:
                yield text(x + CELL / 2, y + 5, "·", "q", "middle")
                continue
            back = rates[other.name, row.name]
            yield _shade(x, y - 12, rate / (rate + back) if rate + back else 0.5)
            yield text(x + CELL / 2, y + 5, f"{100 * rate:.1f}", "", "middle")


def _shade(x: float, y: float, share: float) -> str:
    """Return a cell's background: bluer the more of the wins are the row's, otherwise more orange."""
    colour, strength = ("#2563eb" if share > 0.5 else "#d97706"), min(1.0, abs(share - 0.5) * 2)
    size = f'width="{CELL - 4}" height="{ROW - 3}" rx="3"'
    return f'<rect x="{x + 2:.1f}" y="{y:.1f}" {size} fill="{colour}" fill-opacity="{strength * 0.6:.2f}"/>'


def _short(name: str) -> str:
    longest = int(CELL / LETTER)
    return name if len(name) <= longest else name[: longest - 1] + "…"
