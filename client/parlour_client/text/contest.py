"""Contests as text: progress and standings for people, results as CSV."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from parlour_client.core.ranking import Place
from parlour_games.plural import counted, share
from parlour_protocol.messages import ContestView, MeetingRow
from parlour_protocol.names import padded
from parlour_protocol.names import width as width_of

_HEAD = ("place", "name", "games", "won", "share", "95 % interval", "points", "forfeits", "faults")
_SHOWN = 8
"""Names per line."""


def table(name: str, view: ContestView, found: Sequence[Place]) -> list[str]:
    """Return the standings of a contest as lines."""
    grouped = any("group" in each.row for each in found)
    head = (*_HEAD, "division" if view.get("format") == "league" else "group") if grouped else _HEAD
    rows = [(*_cells(each), str(each.row.get("group", ""))) if grouped else _cells(each) for each in found]
    widths = [max(map(width_of, column)) for column in zip(head, *rows, strict=True)]
    return [progress(name, view), *_aligned(widths, [head, *rows]), *_notes(found)]


def progress(name: str, view: ContestView) -> str:
    """Return the state of a contest in one line."""
    tables, done, playing = view["tables"], view["done"], view["playing"]
    void = f" {counted(view['void'], 'counts', 'count')} for nobody." if view["void"] else ""
    if view["state"] == "finished":
        return f"{name} is over: {'its one table is' if tables == 1 else f'all {tables} tables are'} done.{void}"
    so_far = f"{share(done, tables, 'table')} done"
    under_way = f", {counted(playing, 'is', 'are')} being played" if playing else ""
    if view["state"] == "stopped":
        return f"{name} was stopped: {so_far}{under_way}.{void}"
    left = f", about {_time(view['left'])} left" if "left" in view else ""
    return f"{name} is running: {so_far}{under_way}{left}.{void}{_waits(view['away'])}"


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
    share, interval = ("–", "–") if each.rate is None else (f"{each.rate:.1%}", f"{low:.0%} to {high:.0%}")
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
        yield "Their numbers of games are unequal: the order is by the share that was won."
    if any(each.first < each.last for each in found):
        yield "A place like 2–5 is a range: these games do not tell them apart; more games (--games) might."


def _waits(away: Sequence[str]) -> str:
    if not away:
        return ""
    more = f" and {len(away) - _SHOWN} more" if len(away) > _SHOWN else ""
    return f" It waits for {', '.join(away[:_SHOWN])}{more}."


def _time(ms: int) -> str:
    seconds = ms / 1000
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{round(seconds / 60)} min"
