import pytest

from parlour_client.text.profile import daily_table, lines, moment
from parlour_protocol.messages import DailyBoard, DailyRow, DailyRows, FinishRow, OwnDaily, ProfileRow

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


@pytest.mark.parametrize(("why", "word"), [("odds", "odds"), ("chosen", "practice")])
def test_a_profile_says_why_a_match_is_no_record(why: str, word: str) -> None:
    last: FinishRow = {"ago": 0, "rank": 1, "players": 1, "score": 71, "board": "beginner", "ms": 41_000}
    counted: ProfileRow = {
        "game": "minesweeper", "matches": 9, "wins": 5, "streak": 3, "longest": 3, "times": [], "last": [last],
    }  # fmt: skip
    helped: FinishRow = {**last, "unrated": why}  # type: ignore[typeddict-item]
    [told] = moment({**counted, "last": [helped]})
    assert word in told.lower()
    assert "3" in "".join(moment(counted))
    before, after = ([*lines("anna", [{**counted, "last": [row]}])][-1] for row in (last, helped))
    assert after.startswith(before)
    assert word in after
    assert word not in before
