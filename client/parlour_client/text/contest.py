"""Contests and ladders as text: progress, standings and the confidence of a ranking for people, results as CSV.

Some formats decide the places. In the others two bots are ranked apart if their shares differ significantly, with
Bonferroni's correction for the number of pairs. So all ranges together are correct in at least 19 of 20 contests.
"""

import csv
import io
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from math import sqrt
from statistics import NormalDist
from typing import Any

import attrs

from parlour_client.core.phrases import say
from parlour_client.core.room import kind_of
from parlour_games.statistics import Deals, Interval
from parlour_protocol.messages import ContestView, MeetingRow, Plain, StandingsRow
from parlour_protocol.names import padded
from parlour_protocol.names import width as width_of

_WRONG = 0.05
"""The probability that any range is wrong."""
_NOTHING: Interval = (0.0, 1.0)


@attrs.frozen
class ContestRow:
    """A bot's row in a contest, the share of games it won with its interval, and its range of places, from 1."""

    row: StandingsRow
    rate: float | None
    within: Interval
    first: int
    last: int

    def plain(self) -> Plain:
        """Return it as plain data for JSON."""
        low, high = self.within
        return {"place": [self.first, self.last], **self.row, "rate": self.rate, "low": low, "high": high}


def places(rows: Sequence[StandingsRow]) -> list[ContestRow]:
    """Return the place of each row of a contest, in the order of the rows: its ``rank``, if the format gives one."""
    ranks = Counter(row["rank"] for row in rows if "rank" in row)
    known = [Deals(row["games"], row["wins"], row["wins"]) for row in rows]
    better = [[_above(one, other, len(rows)) for other in known] for one in known]
    return [
        ContestRow(
            row,
            rate=mine.mean if mine.count else None,
            within=mine.within(0.0, 1.0) if mine.count else _NOTHING,
            first=row.get("rank", 1 + sum(ahead[number] for ahead in better)),
            last=row["rank"] + ranks[row["rank"]] - 1 if "rank" in row else len(rows) - sum(better[number]),
        )
        for number, (row, mine) in enumerate(zip(rows, known, strict=True))
    ]


def _above(one: Deals, other: Deals, bots: int) -> bool:
    """Return whether ``one`` is significantly better than ``other``.

    A game won by one bot is lost by the others: shares in a contest of n bots have a correlation of -1 / (n - 1).
    """
    if bots < 2 or not (one.count and other.count):
        return False
    far = NormalDist().inv_cdf(1 - _WRONG / (bots * (bots - 1)))
    sizes = one.count + 2, other.count + 2
    alike = (one.total + other.total + 2) / sum(sizes)
    first, second = (sqrt(alike * (1 - alike) / size) for size in sizes)
    error = sqrt(first**2 + second**2 + 2 * first * second / (bots - 1))
    return (one.total + 1) / sizes[0] - (other.total + 1) / sizes[1] > far * error


_HEAD = ("place", "name", "games", "won", "share", "interval", "points", "forfeits", "faults")
_SHOWN = 8
"""Names per line."""


def table(name: str, view: ContestView, found: Sequence[ContestRow]) -> list[str]:
    """Return the standings of a contest as lines."""
    grouped = any("group" in each.row for each in found)
    columns = (*_HEAD, "division" if view.get("format") == "league" else "group") if grouped else _HEAD
    head = [say(f"line.contest.{column}") for column in columns]
    rows = [(*_cells(each), str(each.row.get("group", ""))) if grouped else _cells(each) for each in found]
    return [progress(name, view), *_aligned([head, *rows], (1,)), *_notes(found)]


def progress(name: str, view: ContestView) -> str:
    """Return the state of a contest in one line."""
    tables, done, away = view["tables"], view["done"], view["away"]
    if view["state"] == "finished":
        return say("line.contest.over", name=name, tables=tables, void=view["void"])
    running = view["state"] != "stopped"
    return say(
        "line.contest.going",
        name=name,
        state=view["state"],
        done=done,
        tables=tables,
        single=1 in (done, tables),
        playing=view["playing"],
        left=_time(view["left"]) if running and "left" in view else None,
        void=view["void"],
        away=", ".join(away[:_SHOWN]) if running and away else None,
        more=max(0, len(away) - _SHOWN),
    )


def cross(found: Sequence[ContestRow]) -> list[str]:
    """Return the cross table: a row for each bot, a numbered column for each opponent."""
    width = max(
        3, *(len(str(meeting["wins"])) + 1 for each in found for meeting in _met(each)), len(str(len(found))) + 1
    )
    longest = max(width_of(each.row["name"]) for each in found)
    head = " " * (longest + 5) + "".join(f"{number:>{width}}" for number in range(1, len(found) + 1))
    lines = [head]
    for number, each in enumerate(found, 1):
        wins = {meeting["name"]: str(meeting["wins"]) for meeting in _met(each)}
        cells = "".join(f"{wins.get(other.row['name'], '·'):>{width}}" for other in found)
        lines.append(f"{number:>3}  {padded(each.row['name'], longest)}{cells}")
    return lines


def comma_separated(found: Sequence[ContestRow]) -> str:
    """Return the results as CSV: a row for each bot, a column ``against NAME`` (``3 of 4`` won) for each opponent."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = [each.row["name"] for each in found]
    head = ("place from", "place to", "name", "games", "wins", "share", "low", "high", "points", "forfeits", "faults")
    groups = ("group",) if any("group" in each.row for each in found) else ()
    writer.writerow([*head, *groups, *(f"against {name}" for name in names)])
    for each in found:
        met = {meeting["name"]: f"{meeting['wins']} of {meeting['games']}" for meeting in _met(each)}
        grouped = [each.row.get("group", "") for _ in groups]
        writer.writerow([*_fields(each), *grouped, *(met.get(name, "") for name in names)])
    return text.getvalue()


def _fields(each: ContestRow) -> list[Any]:
    row, (low, high) = each.row, each.within
    share = "" if each.rate is None else f"{each.rate:.4f}"
    counted = [row["name"], row["games"], row["wins"], share, f"{low:.4f}", f"{high:.4f}", row["points"]]
    return [each.first, each.last, *counted, row.get("forfeits", 0), row.get("faults", 0)]


def _met(each: ContestRow) -> list[MeetingRow]:
    return each.row.get("against", [])


def _cells(each: ContestRow) -> tuple[str, ...]:
    row, (low, high) = each.row, each.within
    place = str(each.first) if each.first == each.last else f"{each.first}–{each.last}"
    share, interval = (
        ("–", "–")
        if each.rate is None
        else (f"{each.rate:.1%}", say("line.ladder.between", low=f"{low:.0%}", high=f"{high:.0%}"))
    )
    forfeits, faults = row.get("forfeits", 0), row.get("faults", 0)
    counts = row["points"], forfeits or "", faults or ""
    return place, row["name"], str(row["games"]), str(row["wins"]), share, interval, *map(str, counts)


def _aligned(rows: Sequence[Sequence[str]], left: Container[int]) -> Iterator[str]:
    """Yield the rows of a table; the columns ``left`` begin at the left, numbers in the others end at the right."""
    widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, strict=True)
        yield "  ".join(
            padded(cell, width) if n in left else f"{cell:>{width}}" for n, (cell, width) in enumerate(cells)
        ).rstrip()


def leaderboard(rows: Sequence[StandingsRow], game: str | None = None) -> list[str]:
    """Return the standings of a server or of a game as lines."""
    if not rows:
        return [say("line.standings.none", game=game)]
    words = ("ladder.name", "ladder.kind", "contest.games", "standings.wins", "contest.points", "ladder.rating")
    cells = [["", *(say(f"line.{word}") for word in words)]]
    for place, row in enumerate(rows, 1):
        counts = (row["games"], row["wins"], row["points"], row.get("rating", ""))
        cells.append([str(place), row["name"], kind_of(row), *map(str, counts)])
    rated = any("rating" in row for row in rows)
    return [*_aligned(cells if rated else [each[:-1] for each in cells], (1, 2))]


def _notes(found: Sequence[ContestRow]) -> Iterator[str]:
    if any("rank" in each.row for each in found):
        return
    if len({each.row["games"] for each in found}) > 1:
        yield say("line.contest.unequal")
    if any(each.first < each.last for each in found):
        yield say("line.contest.range")


def _time(ms: int) -> str:
    seconds = ms / 1000
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{round(seconds / 60)} min"


_BARS = "▁▂▃▄▅▆▇█"


def ladder(rows: Sequence[StandingsRow]) -> Iterator[str]:
    """Yield the table: place, name, kind, matches, rating with its interval, and the ratings until now."""
    past = [points for row in rows for points in row.get("past", [])]
    head = ["", *(say(f"line.ladder.{part}") for part in ("name", "kind", "matches", "rating", "interval", "past"))]
    cells = [head, *(_ladder_cells(place, row, past) for place, row in enumerate(rows, 1))]
    yield from _aligned(cells, range(len(head)))


def _ladder_cells(place: int, row: StandingsRow, past: Sequence[int]) -> list[str]:
    interval = say("line.ladder.between", low=row.get("low", 0), high=row.get("high", 0))
    low, high = min(past, default=0), max(past, default=0)
    bars = (_BARS[(points - low) * (len(_BARS) - 1) // max(1, high - low)] for points in row.get("past", []))
    facts = [row["name"], kind_of(row), str(row["games"]), str(row.get("rating", "")), interval]
    return [f"{place}.", *facts, "".join(bars)]
