"""The ladder of a game as lines of text."""

from collections.abc import Iterator, Sequence

from parlour_client.core.phrases import say
from parlour_client.core.room import kind_of
from parlour_protocol.messages import StandingsRow
from parlour_protocol.names import padded, width

_BARS = "▁▂▃▄▅▆▇█"


def table(rows: Sequence[StandingsRow]) -> Iterator[str]:
    """Yield the table: place, name, kind, matches, rating with its interval, and the ratings until now."""
    past = [points for row in rows for points in row.get("past", [])]
    head = ["", *(say(f"line.ladder.{part}") for part in ("name", "kind", "matches", "rating", "interval", "past"))]
    cells = [head, *(_cells(place, row, past) for place, row in enumerate(rows, 1))]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        yield "  ".join(padded(cell, size) for cell, size in zip(line, widths, strict=True)).rstrip()


def _cells(place: int, row: StandingsRow, past: Sequence[int]) -> list[str]:
    interval = say("line.ladder.between", low=row.get("low", 0), high=row.get("high", 0))
    history = "".join(_bar(points, min(past), max(past)) for points in row.get("past", []))
    facts = [row["name"], kind_of(row), str(row["games"]), str(row.get("rating", "")), interval]
    return [f"{place}.", *facts, history]


def _bar(points: int, low: int, high: int) -> str:
    return _BARS[(points - low) * (len(_BARS) - 1) // max(1, high - low)]
