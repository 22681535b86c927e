"""Profiles as lines of text: best times, wins, streaks, and what the end of a match adds to them."""

from collections.abc import Iterator
from datetime import date

from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.core.room import Attempt, JoinedRoom
from parlour_games.registry import title
from parlour_protocol.messages import DailyRows, FinishRow, Over, ProfileRow

_MINUTE, _HOUR, _DAY = 60_000, 3_600_000, 86_400_000
_STREAK = 2
"""Wins in a row from which on a streak is worth a line."""


def clock(ms: int) -> str:
    """Return a time as minutes and seconds, rounded down: 0:41."""
    return f"{ms // _MINUTE}:{ms // 1000 % 60:02}"


def lines(name: str, rows: list[ProfileRow]) -> Iterator[str]:
    """Yield the lines of a profile."""
    yield name if rows else say("line.profile.none", name=name)
    for row in rows:
        yield ""
        yield _counts(row)
        yield f"  {say('line.profile.streak', n=row['streak'], most=row['longest'])}"
        yield from (f"  {line}" for line in [*_times(row), *map(_finish, row["last"])])


def own_lines(game: str, rows: list[ProfileRow]) -> Iterator[str]:
    """Yield what has been done in ``game``, briefly: matches and wins, and the best times."""
    for row in rows:
        if row["game"] == game:
            yield from [_counts(row), *_times(row)]


def moment(row: ProfileRow) -> Iterator[str]:
    """Yield the achievements of the last match of ``row``: a record, a streak."""
    last = row["last"][0]
    if why := last.get("unrated"):
        yield say("line.profile.unrated", unrated=why)
        return
    if last.get("record") and "ms" in last:
        before = clock(last["before"]) if "before" in last else None
        yield say("line.profile.record", time=clock(last["ms"]), before=before)
    if row["streak"] >= _STREAK:
        yield say("line.profile.row", n=row["streak"], longest=row["streak"] == row["longest"])


def win(room: JoinedRoom, over: Over) -> str:
    """Return a win as a line to share."""
    options, rows, time = room.table["options"], room.table["seats"], over.result.get("time")
    name, level = title(room.game), options.get("level")
    if level is not None and len(rows) == 1:
        board = f"{options['width']}×{options['height']}" if level == "custom" else _board(level)
        name = f"{name} {board}"
    return say("room.share.win", name=name, time=clock(time["ms"]) if time else None, n=len(rows) - 1)


def daily(table: DailyRows) -> Iterator[str]:
    """Yield the line to share, and the place among those who have finished the board."""
    you = table.you or {"played": False, "days": 0}
    if "ms" not in you:
        share = say("room.share.daily", date=_date(table), level=table.board, time=None, days=None)
        yield share if you["played"] else say("line.daily.practice")
        return
    ours = you.get("points"), you["ms"]
    yield say("room.share.daily", date=_date(table), level=table.board, time=_of_the_day(*ours), days=you["days"])
    places = [place for place, each in enumerate(table.rows, 1) if (each.get("points"), each["ms"]) == ours]
    yield from [say("line.daily.place", place=places[0], n=len(table.rows))] if places else []


def attempt(table: DailyRows, room: JoinedRoom) -> Attempt | None:
    """Return which attempt at the match of the day ``room`` is, None if the server does not say."""
    you = table.you
    if you is None or "room" not in you:
        return None
    result = _of_the_day(you.get("points"), you["ms"]) if "ms" in you else None
    return Attempt(you["room"] == room.code, result)


def daily_table(table: DailyRows) -> Iterator[str]:
    """Yield the table of a daily board, and how its fairness is checked."""
    level = say("line.mines.board_name", level=table.board)
    yield say("line.daily.table", day=_date(table), level=level, n=len(table.rows), points=counts_points(table))
    for number, each in enumerate(table.rows, 1):
        bot = f"  {say('line.daily.bot')}" if each["kind"] == "bot" else ""
        yield f"{number:>3}. {clean(each['name'], 20):<20} {_of_the_day(each.get('points'), each['ms'])}{bot}"
    if table.you and table.you["played"]:
        yield from daily(table)
    yield say("line.daily.commit", commit=table.commit, secret=table.secret or None)


def counts_points(table: DailyRows) -> bool:
    """Whether points rank a daily board, not times."""
    return any(each["board"] == table.board and each["best"] != "time" for each in table.boards or ())


def _of_the_day(points: int | None, ms: int) -> str:
    return clock(ms) if points is None else say("line.daily.points", n=points)


def _date(table: DailyRows) -> str:
    found = date.fromisoformat(table.day)
    return say("line.day", day=found.day, month=say(f"line.month.{found.month}"))


def evening(room: JoinedRoom) -> str:
    """Return how many matches of this room each player has won, "" if that says nothing."""
    rows = room.table["seats"]
    if len(rows) < 2 or not any("wins" in row for row in rows):
        return ""
    best = sorted(rows, key=lambda row: -row.get("wins", 0))
    wins = ", ".join(f"{clean(row['name'])} {row.get('wins', 0)}" for row in best)
    return say("line.profile.evening", wins=wins)


def _counts(row: ProfileRow) -> str:
    share = 100 * row["wins"] // row["matches"] if row["matches"] else 0
    counts = {"n": row["matches"], "wins": row["wins"], "share": share, "rating": row.get("rating")}
    return say("line.profile.game", counts, game=title(row["game"]))


def _times(row: ProfileRow) -> list[str]:
    return [say("line.profile.best", board=_board(each["board"]), time=clock(each["ms"])) for each in row["times"]]


def _finish(row: FinishRow) -> str:
    how = "won" if row["rank"] == 1 else "lost" if row["players"] == 1 else "place"
    timed = "board" in row and "ms" in row
    board, time = (_board(row["board"]), clock(row["ms"])) if timed else ("", None)
    fields = {"how": how, "rank": row["rank"], "players": row["players"], "board": board, "time": time}
    fields |= {"record": row.get("record", False), "unrated": row.get("unrated")}
    return f"{_ago(row['ago']):>10}  {say('line.profile.finish', fields)}"


def _board(name: str) -> str:
    level, _, more = name.partition("_")
    return " ".join([say("line.mines.board_name", level=level), *([more.replace("_", " ")] if more else [])])


def _ago(ms: int) -> str:
    units = ((_DAY, "d"), (_HOUR, "h"), (_MINUTE, "min"))
    n, unit = next(((ms // length, name) for length, name in units if ms >= length), (0, ""))
    return say("line.ago", n=n, unit=unit)
