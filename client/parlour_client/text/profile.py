"""Profiles as lines of text: best times, wins, streaks, and what the end of a match adds to them."""

from collections.abc import Iterator
from datetime import date

from parlour_client.core.room import JoinedRoom
from parlour_client.core.sanitize import clean
from parlour_games.plural import counted
from parlour_protocol.messages import DailyRows, FinishRow, ProfileRow

_MINUTE, _HOUR, _DAY = 60_000, 3_600_000, 86_400_000
_STREAK = 2
"""Wins in a row from which on a streak is worth a line."""


def clock(ms: int) -> str:
    """Return a time as minutes and seconds, rounded down: 0:41."""
    return f"{ms // _MINUTE}:{ms // 1000 % 60:02}"


def lines(name: str, rows: list[ProfileRow]) -> Iterator[str]:
    """Yield the lines of a profile."""
    yield name if rows else f"{name}: no match has been finished yet."
    for row in rows:
        rating = f", rating {row['rating']}" if "rating" in row else ""
        share = 100 * row["wins"] // row["matches"] if row["matches"] else 0
        yield ""
        yield f"{row['game']}: {counted(row['matches'], 'match', 'matches')}, {row['wins']} won ({share} %){rating}"
        yield f"  wins in a row: {row['streak']} now, {row['longest']} at most"
        for best in row["times"]:
            yield f"  best time {best['board'].replace('_', ' ')}: {clock(best['ms'])}"
        yield from (f"  {_finish(each)}" for each in row["last"])


def moment(row: ProfileRow) -> Iterator[str]:
    """Yield what the last match of ``row`` has brought: a record, a streak."""
    last = row["last"][0]
    if last.get("record") and "ms" in last:
        before = f", before {clock(last['before'])}" if "before" in last else ""
        yield f"New best time {clock(last['ms'])}{before}."
    if row["streak"] >= _STREAK:
        longest = ", your longest streak" if row["streak"] == row["longest"] else ""
        yield f"{row['streak']} wins in a row{longest}."


def daily(table: DailyRows) -> Iterator[str]:
    """Yield the line to share, and the place among those who have cleared the board."""
    you = table.you or {"played": False, "days": 0}
    if "ms" not in you:
        yield f"parlour daily {_day(table)}: not cleared." if you["played"] else "Practice: nothing counts."
        return
    row = f", {you['days']} days in a row" if you["days"] > 1 else ""
    yield f"parlour daily {_day(table)}: {clock(you['ms'])}{row}"
    place = 1 + sum(each["ms"] < you["ms"] for each in table.rows)
    yield f"Place {place} of {len(table.rows)} today."


def daily_table(table: DailyRows) -> Iterator[str]:
    """Yield the table of a daily board, and how its fairness is checked."""
    cleared = counted(len(table.rows), "player has", "players have")
    yield f"Daily board {_day(table)}, {table.board}: {cleared} cleared it."
    for number, each in enumerate(table.rows, 1):
        bot = "  bot" if each["kind"] == "bot" else ""
        yield f"{number:>3}. {clean(each['name'], 20):<20} {clock(each['ms'])}{bot}"
    if table.you and table.you["played"]:
        yield from daily(table)
    yield f"Commitment {table.commit}" + (f", secret {table.secret}" if table.secret else "")


def _day(table: DailyRows) -> str:
    found = date.fromisoformat(table.day)
    level = "" if table.board == "beginner" else f" {table.board}"
    return f"{found.day} {found:%b}{level}"


def evening(room: JoinedRoom) -> str:
    """Return how many matches of this room each player has won, "" if that says nothing."""
    rows = room.table["seats"]
    if len(rows) < 2 or not any("wins" in row for row in rows):
        return ""
    best = sorted(rows, key=lambda row: -row.get("wins", 0))
    return "Won here: " + ", ".join(f"{clean(row['name'])} {row.get('wins', 0)}" for row in best)


def _finish(row: FinishRow) -> str:
    how = "won" if row["rank"] == 1 else "lost" if row["players"] == 1 else f"place {row['rank']}"
    among = f" of {row['players']}" if row["players"] > 1 else ""
    time = f", {row['board'].replace('_', ' ')} in {clock(row['ms'])}" if "board" in row and "ms" in row else ""
    return f"{_ago(row['ago']):>10}  {how}{among}{time}{', a record' if row.get('record') else ''}"


def _ago(ms: int) -> str:
    for unit, name in ((_DAY, "d"), (_HOUR, "h"), (_MINUTE, "min")):
        if ms >= unit:
            return f"{ms // unit} {name} ago"
    return "just now"
