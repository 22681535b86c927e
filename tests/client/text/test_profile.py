"""The table of a day in lines."""

from parlour_client.text.profile import daily_table
from parlour_protocol.messages import DailyBoard, DailyRow, DailyRows, OwnDaily

UNO: DailyBoard = {"board": "uno", "game": "uno", "best": "fewest"}


def test_points_rank_a_day_where_they_count() -> None:
    rows: list[DailyRow] = [
        {"name": "anna", "kind": "human", "ms": 90_000, "points": 7},
        {"name": "bert", "kind": "human", "ms": 60_000, "points": 12},
    ]
    you: OwnDaily = {"played": True, "days": 1, "ms": 60_000, "points": 12}
    lines = list(daily_table(DailyRows("2026-11-22", "uno", "c0ffee", "daily", 1, rows, you, boards=[UNO])))
    assert [line.split()[1::2] for line in lines[1:3]] == [["anna", "points"], ["bert", "points"]]
    assert "12 points" in lines[3]
    assert "1:00" not in "".join(lines)
    assert "2 of 2" in lines[4]
