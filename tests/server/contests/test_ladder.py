"""The ladder: the Bradley–Terry fit finds known strengths, and its intervals hold."""

from collections.abc import Sequence
from math import exp
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_server.contests.ladder import ELO, PAST, Row, ladder

STRENGTHS = {"ada": 1.5, "bea": 0.5, "cid": 0.0, "dov": -0.5, "eli": -1.5}


def match(*names: str, kind: str = "bot", style: str | None = None) -> Sequence[Row]:
    """Return the players of a match, the winner first."""
    return [[name, kind, style, rank, 0] for rank, name in enumerate(names, 1)]


def duel(rng: Random) -> Sequence[Row]:
    """Return a match of two, by STRENGTHS."""
    one, other = rng.sample(sorted(STRENGTHS), 2)
    wins = rng.random() < 1 / (1 + exp(STRENGTHS[other] - STRENGTHS[one]))
    return match(one, other) if wins else match(other, one)


def test_known_strengths_are_found_and_intervals_hold(seed: int) -> None:
    rng, missed = Random(seed), 0
    for _ in range(20):
        rows = ladder([(at, duel(rng)) for at in range(400)], "all")["rows"]
        missed += sum(not row["low"] <= 1500 + ELO * STRENGTHS[row["name"]] <= row["high"] for row in rows)
        assert {row["games"] for row in rows} <= set(range(100, 240))
    assert missed <= 15  # 5 of 100 are expected
    assert all(row["high"] - row["low"] < 250 for row in rows)
    assert [row["name"] for row in rows][::4] == ["ada", "eli"]


def test_two_with_known_results() -> None:
    """A prior with a standard deviation of 350 points on each, and three wins to one."""
    rows = ladder([(at, match("ada", "bea") if at else match("bea", "ada")) for at in range(4)], "all")["rows"]
    ahead = (rows[0]["rating"] - rows[1]["rating"]) / ELO
    assert rows[0]["rating"] - 1500 == 1500 - rows[1]["rating"]
    slope = 3 - 4 / (1 + exp(-ahead)) - ahead / 2 / (350 / ELO) ** 2
    assert slope == pytest.approx(0, abs=0.02)


@given(st.permutations(["ada", "bea", "cid", "dov"]))
def test_a_ranking_orders_all_its_players(names: list[str]) -> None:
    rows = ladder([(0, match(*names))], "all")["rows"]
    assert [row["name"] for row in rows] == names
    assert all(row["low"] < row["rating"] < row["high"] for row in rows)


def test_equal_ranks_leave_players_equal() -> None:
    [one, other] = ladder([(0, [["ada", "bot", None, 1, 0], ["bea", "bot", None, 1, 0]])], "all")["rows"]
    assert one["rating"] == other["rating"] == 1500


def test_people_bots_and_models_are_rated_apart_and_together() -> None:
    people, bots = match("ann", "bob", kind="human"), match("ada", "bea")
    models: list[Row] = [["gpt", "bot", "llm", 2, 0], ["ada", "bot", None, 3, 0]]
    mixed = [*match("ann", kind="human"), *models]
    played = [(1, people), (2, bots), (3, mixed)]

    def names(among: str) -> list[str]:
        return sorted(row["name"] for row in ladder(played, among)["rows"])

    assert names("all") == ["ada", "ann", "bea", "bob", "gpt"]
    assert (names("human"), names("bot"), names("llm")) == (["ann", "bob"], ["ada", "bea"], [])


def test_the_history_ends_with_the_rating_and_begins_with_the_first_match() -> None:
    early, late = [(at, match("ada", "bea")) for at in range(100)], [(1_000, match("cid", "ada"))]
    found = ladder(early + late, "all")
    assert (len(found["times"]), found["times"][0], found["times"][-1]) == (PAST, 0, 1_000)
    past = {row["name"]: row["past"] for row in found["rows"]}
    assert {name: len(points) for name, points in past.items()} == {"ada": PAST, "bea": PAST, "cid": 1}
    assert all(row["past"][-1] == row["rating"] for row in found["rows"])
    assert past["ada"][0] < past["ada"][1] > past["ada"][-1]


def test_no_match_is_an_empty_ladder() -> None:
    assert ladder([], "all") == {"rows": [], "times": []}
    assert ladder([(0, match("ann", kind="human"))], "all")["rows"] == []
