"""How a contest goes, in words and as a table."""

import pytest

from parlour_client.text import contest
from parlour_client.text.contest import places
from parlour_protocol.messages import ContestView, StandingsRow


def view(state: str = "running", **more: object) -> ContestView:
    counts = {"tables": 870, "done": 285, "playing": 61, "void": 0}
    return {"state": state, "game": "uno", **counts, "away": [], **more}  # type: ignore[typeddict-item]


@pytest.mark.parametrize(
    ("how", "line"),
    [
        (
            view(left=290_000),
            "friday is running: 285 of 870 tables are done, 61 are being played, about 5 min left.",
        ),
        (
            view(playing=0, away=["x-hang", "anna"]),
            "friday is running: 285 of 870 tables are done. It waits for x-hang, anna.",
        ),
        (view(playing=1, left=4), "friday is running: 285 of 870 tables are done, 1 is being played, about 1 s left."),
        (view("stopped", playing=0), "friday was stopped: 285 of 870 tables are done."),
        (view("finished", void=2), "friday is over: all 870 tables are done. 2 do not count."),
        (view("finished", tables=1), "friday is over: its one table is done."),
        (view(tables=1, done=0, playing=0), "friday is running: 0 of 1 table is done."),
        (view(playing=0, away=[f"b{n}" for n in range(10)]), "friday is running: 285 of 870 tables are done."
            " It waits for b0, b1, b2, b3, b4, b5, b6, b7 and 2 more."),
    ],
)  # fmt: skip
def test_progress_is_one_line(how: ContestView, line: str) -> None:
    assert contest.progress("friday", how) == line


def test_groups_have_a_column_and_ranks_no_notes() -> None:
    rows: list[StandingsRow] = [{**row, "rank": at, "group": 1 + at % 2} for at, row in enumerate(ROWS, 1)]
    head, *lines = contest.table("cup", view(format="groups"), places(rows))[1:]
    assert head.split()[-1] == "group"
    assert [line.split()[-1] for line in lines] == ["2", "1", "2"]
    assert contest.comma_separated(places(rows)).splitlines()[0].split(",")[11:12] == ["group"]


ROWS: list[StandingsRow] = [
    {"name": "ada", "kind": "bot", "games": 40, "wins": 39, "points": 900, "forfeits": 0, "faults": 0,
     "against": [{"name": "bea", "games": 40, "wins": 39}]},
    {"name": "bea", "kind": "bot", "games": 40, "wins": 1, "points": 12, "forfeits": 30, "faults": 90,
     "against": [{"name": "ada", "games": 40, "wins": 1}]},
    {"name": "cid", "kind": "bot", "games": 0, "wins": 0, "points": 0, "forfeits": 0, "faults": 0, "against": []},
]  # fmt: skip


def test_the_table_shows_shares_intervals_and_faults() -> None:
    told = contest.table("friday", view("stopped"), places(ROWS))
    assert told[1].split()[:2] == ["place", "name"]
    assert told[2].split() == ["1–2", "ada", "40", "39", "97.5%", "89%", "to", "100%", "900"]
    assert told[3].split()[-3:] == ["12", "30", "90"]
    assert "–" in told[4].split()
    assert told[5] == "Not all have played the same number of games, so the order is by share of wins."
    assert told[6].startswith("A place such as 2–5 is a range")


def test_the_cross_table_has_a_column_for_each() -> None:
    head, ada, bea, cid = contest.cross(places(ROWS))
    assert head.split() == ["1", "2", "3"]
    assert ada.split() == ["1", "ada", "·", "39", "·"]
    assert bea.split() == ["2", "bea", "1", "·", "·"]
    assert cid.split() == ["3", "cid", "·", "·", "·"]


def test_nothing_played_is_said() -> None:
    assert contest.leaderboard([]) == ["No match has been played yet."]
    assert contest.leaderboard([], "chess") == ["No match of chess has been played yet."]


def test_ratings_have_a_column_where_there_are_some() -> None:
    head, *lines = contest.leaderboard(ROWS)
    assert (head.split()[-1], lines[1].split()) == ("points", ["2", "bea", "bot", "40", "1", "12"])
    head, *lines = contest.leaderboard([{**ROWS[0], "rating": 1500}, ROWS[1]])
    assert (head.split()[-1], lines[0].split()[-1], lines[1].split()[-1]) == ("rating", "1500", "12")


def test_a_spreadsheet_takes_no_result_for_a_date() -> None:
    assert "39 of 40" in contest.comma_separated(places(ROWS)).splitlines()[1]
