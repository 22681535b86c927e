"""The report of a contest: text for people, plain data for programs, and a chart as SVG."""

from collections.abc import Iterable, Iterator, Sequence

from parlour_bots.arena.league.figures import Pair, Row
from parlour_bots.arena.league.game import FAULTS
from parlour_bots.arena.league.run import LeagueContest
from parlour_bots.arena.measures import COLOURS, document, models, table, text
from parlour_bots.loading import LANGUAGE_MODEL, is_outside, split
from parlour_bots.profiles import profile
from parlour_bots.tools.reports import Report
from parlour_games.plural import noun
from parlour_games.registry import title as title_of
from parlour_protocol.messages import Plain

PLOT, RIGHT = 440, 130
"""Pixels: the width of the rating scale, and the margin right of it."""
LETTER = 7.5
"""The approximate width of a letter in pixels."""
TOP, ROW, GAP, FOOT = 52, 26, 40, 24
CELL = 74
_STEPS = (10, 20, 50, 100, 200, 500, 1000)
_MOST_TICKS = 7


def svg(league: LeagueContest) -> str:
    """Return the chart of a contest as an SVG document, the strongest bot first."""
    standings, names, played = league.standings, league.settings.names, heading(league)
    order = sorted(standings.rows(names), key=lambda row: -row.rating)
    left = 24 + LETTER * max(len(row.name) for row in order)
    drawn = [text(0, 20, "Ratings with their 95 % intervals", "t"), text(0, 40, played, "q")]
    drawn += _ratings(order, left)
    top = TOP + ROW * len(order) + GAP + FOOT
    drawn.append(text(0, top, "Games won by the row against the column, per cent of a seat", "t"))
    drawn += _win_rates(order, standings.pairs(names), left, top + 12)
    width = max(left + PLOT + RIGHT, left + CELL * len(order), LETTER * len(played))
    return document(width, top + ROW * (len(order) + 2), "Ratings of the bots, and who beat whom", drawn)


def _ratings(rows: Sequence[Row], left: float) -> Iterator[str]:
    low = min(row.rating_ci95[0] for row in rows)
    high = max(row.rating_ci95[1] for row in rows)
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
        ends = [x(end) for end in row.rating_ci95]
        yield text(left - 12, y + 5, row.name, anchor="end")
        whisker = f"M{ends[0]:.1f} {y}H{ends[1]:.1f}" + "".join(f"M{end:.1f} {y - 4}v8" for end in ends)
        yield f'<path class="w" stroke="{colour}" d="{whisker}"/>'
        yield f'<circle cx="{x(row.rating):.1f}" cy="{y}" r="4.5" fill="{colour}"/>'
        yield text(ends[1] + 10, y + 5, f"{row.rating:.0f} ± {row.rating_ci95[1] - row.rating:.0f}")


def _win_rates(rows: Sequence[Row], pairs: Sequence[Pair], left: float, top: float) -> Iterator[str]:
    rates = dict(each for pair in pairs for each in zip((pair.bots, pair.bots[::-1]), pair.win_rates, strict=True))
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


MODEL = "Luce (of two seats: Bradley-Terry), average 1500, 400 to tenfold odds; intervals clustered by deal"


def of_league(league: LeagueContest) -> Report:
    """Return the report of the games played so far."""
    standings, names = league.standings, league.settings.names
    if not standings.deals:
        return Report("interrupted before any deal was played from every seat", _head(league, [], []))
    bots, meetings = standings.rows(names), standings.pairs(names)
    whole = _many(league.deals, "deal")
    lines = [
        *([f"Interrupted after {standings.deals:,} of {whole}."] if league.interrupted else []),
        heading(league),
        "",
        _table(bots),
        "",
        _conduct(bots),
        *_used(bots),
        *(_compared(pair) for pair in meetings),
        *(["", _matrix(names, meetings)] if len(names) > 2 else []),
        "",
        *_notes(league, bots),
    ]
    return Report("\n".join(lines), _head(league, bots, meetings))


def heading(league: LeagueContest) -> str:
    """Return one line that says what was played."""
    settings, standings = league.settings, league.standings
    games = standings.deals * league.schedule.a_deal
    matches = _many(games, "match", "matches")
    if settings.match is not None:
        matches = f"{matches} to {settings.match} points"
    elif profile(settings.game).contest:
        matches = _many(games, "round")
    rules = [] if settings.rules is None else [f"{settings.rules} rules"]
    rules += [f"{name} {value}" for name, value in settings.option.items()]
    return (
        f"{', '.join([title_of(settings.game), *rules, f'{settings.players} players'])}: {matches} on "
        f"{_many(standings.deals, 'deal')}, each from every seat; seed {settings.seed}"
    )


def _head(league: LeagueContest, bots: Sequence[Row], meetings: Sequence[Pair]) -> Plain:
    settings, standings = league.settings, league.standings
    return {
        "game": settings.game,
        "games": standings.deals * league.schedule.a_deal,
        "deals": standings.deals,
        "players": settings.players,
        "match": settings.match,
        "rules": settings.rules,
        "seed": settings.seed,
        "think": settings.think,
        "budget": settings.budget,
        "reproducible": _reproducible(league, bots),
        "interrupted": league.interrupted,
        "stopped": standings.stopped,
        "bots": [bot.plain() for bot in bots],
        "pairs": [pair.plain() for pair in meetings],
        "rating_model": MODEL,
    }


def _many(number: int, one: str, more: str | None = None) -> str:
    """Return a number with thousands separators and its noun."""
    return f"{number:,} {noun(number, one, more)}"


def _reproducible(league: LeagueContest, bots: Iterable[Row]) -> bool:
    """Return whether no result depended on a clock: no bot had a time limit to think, and none was late."""
    named = league.settings.bots
    timed = any(split(bot)[1].get("think") is not None for bot in named if not is_outside(bot))
    return (
        not timed
        and not any(bot.startswith(LANGUAGE_MODEL) for bot in named)
        and not any("late" in bot.fault_kinds for bot in bots)
    )


def _table(bots: Iterable[Row]) -> str:
    heads = ("bot", "games", "won", "rate", "95 % interval", "rating", "95 % interval")
    rows = (
        (
            bot.name,
            f"{bot.games:,}",
            f"{bot.wins:,g}" if bot.wins < 100_000 else f"{bot.wins:,.0f}",
            f"{bot.win_rate:.1%}",
            f"{bot.ci95[0]:.1%}–{bot.ci95[1]:.1%}",
            f"{bot.rating:.0f}",
            f"{bot.rating_ci95[0]:.0f}–{bot.rating_ci95[1]:.0f}",
        )
        for bot in bots
    )
    return table(heads, rows, (0, 4, 6))


def _conduct(bots: Iterable[Row]) -> str:
    """Return the table of points, times and faults, apart so that each table fits into 80 columns."""
    rows = (
        (
            bot.name,
            f"{bot.points_per_game:.1f}",
            *(_ms(time) for time in (bot.ms_mean, bot.ms_p50, bot.ms_p99)),
            ", ".join(f"{count:,} {kind}" for kind, count in bot.fault_kinds.items()) or "0",
        )
        for bot in bots
    )
    return table(("bot", "points a game", "ms mean", "p50", "p99", "faults"), rows)


def _used(bots: Sequence[Row]) -> list[str]:
    """Return the table of what language models have used, if there are any."""
    used = [(bot.name, bot.usage, bot.ms_mean) for bot in bots if bot.usage]
    return ["", models(used)] if used else []


def _compared(pair: Pair) -> str:
    one, other = pair.bots
    low, high = (f"{100 * end:+.2f}" for end in pair.ci95)
    points = "" if pair.points_ci95 is None else " ({:+.1f} to {:+.1f})".format(*pair.points_ci95)
    return (
        f"{one} against {other}: {pair.difference * 100:+.2f} percentage points (95 % interval {low} to {high}), "
        f"{pair.points_difference:+.1f} points a game{points}, on {_many(pair.deals, 'deal')}: {pair.verdict}"
    )


def _matrix(names: Sequence[str], meetings: Iterable[Pair]) -> str:
    rates = {}
    for pair in meetings:
        for between, rate, (low, high) in zip(
            (pair.bots, pair.bots[::-1]), pair.win_rates, pair.win_rates_ci95, strict=True
        ):
            rates[between] = f"{100 * rate:.1f} ± {50 * (high - low):.1f}"
    rows = ((name, *(rates.get((name, other), "·") for other in names)) for name in names)
    return table(("% won by, against", *names), rows)


def _notes(league: LeagueContest, bots: Sequence[Row]) -> list[str]:
    settings, notes = league.settings, []
    if settings.players > 2:
        notes.append("Rates are per seat.")
    notes.append("Intervals are clustered by deal. Ratings are Bradley-Terry with average 1500.")
    if any(bot.fault_kinds for bot in bots):
        notes.append(f"Random moves replaced faulty answers; the {FAULTS}rd fault lost the game.")
    if league.standings.stopped:
        notes.append(f"{_many(league.standings.stopped, 'game')} had no end; the win was shared.")
    if _reproducible(league, bots):
        notes.append(f"Repeat these deals with --seed {settings.seed}")
    else:
        notes.append(f"NOT reproducible, since clocks mattered. Repeat these deals with --seed {settings.seed}")
    return notes


def _ms(time: float | None) -> str:
    return "–" if time is None else f"{time:.2f}" if time < 10 else f"{time:.0f}"
