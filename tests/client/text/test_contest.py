import random

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
        (view(left=290_000), "is running: 285 of 870 tables are done, 61 are being played, about 5 min left."),
        (view(playing=0, away=["x", "anna"]), "is running: 285 of 870 tables are done. It waits for x, anna."),
        (view(playing=1, left=4), "is running: 285 of 870 tables are done, 1 is being played, about 1 s left."),
        (view("stopped", playing=0), "was stopped: 285 of 870 tables are done."),
        (view("finished", void=2), "is over: all 870 tables are done. 2 do not count."),
        (view("finished", tables=1), "is over: its one table is done."),
        (view(tables=1, done=0, playing=0), "is running: 0 of 1 table is done."),
    ],
)
def test_progress_is_one_line(how: ContestView, line: str) -> None:
    assert contest.progress("friday", how) == f"friday {line}"


def test_of_many_who_are_away_some_are_named() -> None:
    away = contest.progress("friday", view(playing=0, away=[f"b{n}" for n in range(10)])).split(". ")[1]
    assert away == "It waits for b0, b1, b2, b3, b4, b5, b6, b7 and 2 more."


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


def row(name: str, wins: int, games: int) -> StandingsRow:
    return {"name": name, "kind": "bot", "games": games, "wins": wins, "points": 0}


def test_who_is_clearly_better_is_first_alone_and_equals_share_a_range() -> None:
    found = places([row("ada", 95, 100), row("bea", 50, 100), row("cid", 49, 100), row("dov", 6, 100)])
    assert [(each.first, each.last) for each in found] == [(1, 1), (2, 3), (2, 3), (4, 4)]
    assert [each.rate for each in found] == [0.95, 0.5, 0.49, 0.06]
    low, high = found[1].within
    assert (low, high) == pytest.approx((0.404, 0.596), abs=0.01)


@pytest.mark.parametrize(
    ("rows", "ranges"),
    [
        ([], []),
        ([row("ada", 0, 5)], [(1, 1)]),
        ([row("ada", 3, 3), row("bea", 0, 3)], [(1, 2), (1, 2)]),
        ([row("ada", 5, 5), row("bea", 0, 5)], [(1, 2), (1, 2)]),
        ([row("ada", 6, 6), row("bea", 0, 6)], [(1, 1), (2, 2)]),
        ([{**row("ada", 0, 3), "rank": rank} for rank in (1, 2, 3, 3)], [(1, 1), (2, 2), (3, 4), (3, 4)]),
    ],
)
def test_few_games_tell_nobody_apart_and_ranks_count(rows: list[StandingsRow], ranges: list[tuple[int, int]]) -> None:
    assert [(each.first, each.last) for each in places(rows)] == ranges


def test_who_has_not_played_may_be_anywhere() -> None:
    [one, other] = places([row("ada", 100, 100), row("bea", 0, 0)])
    assert (other.rate, other.within) == (None, (0.0, 1.0))
    assert (one.first, one.last) == (1, 2)


def test_among_equals_somebody_is_hardly_ever_told_apart() -> None:
    """Ten equals, everybody eight times against everybody: no pair differs in 19 of 20 contests at least."""
    rng, bots, wrong, contests = random.Random(1), 10, 0, 400
    for _ in range(contests):
        wins = [0] * bots
        for one in range(bots):
            for other in range(one):
                for _game in range(8):
                    wins[rng.choice((one, other))] += 1
        found = places([row(f"b{number}", won, 8 * (bots - 1)) for number, won in enumerate(wins)])
        wrong += any((each.first, each.last) != (1, bots) for each in found)
    assert wrong <= 0.05 * contests + 9
