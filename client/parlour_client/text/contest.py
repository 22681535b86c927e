"""Contests as text: progress and standings for people, results as CSV."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from parlour_client.core.phrases import say
from parlour_client.core.ranking import Place
from parlour_protocol.messages import ContestView, MeetingRow
from parlour_protocol.names import padded
from parlour_protocol.names import width as width_of

_HEAD = ("place", "name", "games", "won", "share", "interval", "points", "forfeits", "faults")
_SHOWN = 8
"""Names per line."""


def table(name: str, view: ContestView, found: Sequence[Place]) -> list[str]:
    """Return the standings of a contest as lines."""
    grouped = any("group" in each.row for each in found)
    columns = (*_HEAD, "division" if view.get("format") == "league" else "group") if grouped else _HEAD
    head = [say(f"line.contest.{column}") for column in columns]
    rows = [(*_cells(each), str(each.row.get("group", ""))) if grouped else _cells(each) for each in found]
    widths = [max(map(width_of, column)) for column in zip(head, *rows, strict=True)]
    return [progress(name, view), *_aligned(widths, [head, *rows]), *_notes(found)]


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


def cross(found: Sequence[Place]) -> list[str]:
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


def comma_separated(found: Sequence[Place]) -> str:
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


def _fields(each: Place) -> list[Any]:
    row, (low, high) = each.row, each.within
    share = "" if each.rate is None else f"{each.rate:.4f}"
    counted = [row["name"], row["games"], row["wins"], share, f"{low:.4f}", f"{high:.4f}", row["points"]]
    return [each.first, each.last, *counted, row.get("forfeits", 0), row.get("faults", 0)]


def _met(each: Place) -> list[MeetingRow]:
    return each.row.get("against", [])


def _cells(each: Place) -> tuple[str, ...]:
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


def _aligned(widths: Sequence[int], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for row in rows:
        place, name, *rest = (f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        yield "  ".join((place, padded(name.strip(), widths[1]), *rest)).rstrip()


def _notes(found: Sequence[Place]) -> Iterator[str]:
    if any("rank" in each.row for each in found):
        return
    if len({each.row["games"] for each in found}) > 1:
        yield say("line.contest.unequal")
    if any(each.first < each.last for each in found):
        yield say("line.contest.range")


def _time(ms: int) -> str:
    seconds = ms / 1000
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{round(seconds / 60)} min"
