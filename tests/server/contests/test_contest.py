"""A contest as the fold of its stored results."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_server.contests.contest import FORMATS, SEEDED, BadPlan, Contest, Entrant, Plan, read
from parlour_server.contests.pairing import PairingResult
from parlour_server.persistence import SavePairing


def plan(entrants: int = 4, **more: Any) -> Plan:
    people = tuple(Entrant(f"id-{number}", f"bot{number}") for number in range(entrants))
    return Plan(name="friday", game="uno", options={}, entrants=people, **more)


def some_plan(form: str, entrants: int, players: int = 2) -> Plan:
    """Return a plan that is valid for the format."""
    if form in SEEDED and form != "league":
        players = 2
    groups = {"groups": max(2, entrants // 3), "league": 2}.get(form, 0)
    entrants = max(entrants, players, groups * max(2, players))
    found = plan(entrants, players=players, format=form, rounds=3, groups=groups, advance=min(groups, 1))
    found.check()
    return found


def play(contest: Contest, number: int, winner: int = 0) -> list[SavePairing]:
    """Let the entrant with the lowest number, or at seat ``winner``, win a pairing; return the stored result."""
    table = contest.pairings[number]
    changes = [contest.begun(number, f"R{number}")]
    contest.follow(changes[0])
    ranks = tuple(1 if seat == winner else 2 for seat in range(len(table)))
    changes.append(contest.ended(number, f"R{number}", PairingResult(ranks, tuple(10 - rank for rank in ranks))))
    contest.follow(changes[1])
    return changes


def test_all_pairings_of_a_round_robin_are_due_from_the_start_and_with_the_last_it_is_over() -> None:
    contest = Contest(plan(3, games=2))
    contest.follow(contest.begun(3, "R3"))
    assert [number for number, _ in contest.due()] == [0, 1, 2, 4, 5]
    for number in (5, 3, 1, 0, 4, 2):
        assert not contest.over
        play(contest, number)
    assert contest.over
    assert list(contest.due()) == []


def test_standings_are_by_wins_then_points_without_void_pairings() -> None:
    contest = Contest(plan(3))
    for number, (a, b) in enumerate(contest.pairings):
        if {a, b} == {0, 1}:
            contest.follow(contest.ended(number, "", PairingResult()))
        else:
            play(contest, number, winner=(a, b).index(2))
    rows = contest.standings()
    found = [(row["name"], row["games"], row["wins"], row["points"]) for row in rows]
    assert found == [("bot2", 2, 2, 18), ("bot0", 1, 0, 8), ("bot1", 1, 0, 8)]


def test_a_swiss_round_begins_when_the_one_before_is_complete() -> None:
    contest = Contest(plan(4, format="swiss", rounds=3))
    assert [number for number, _ in contest.due()] == [0, 1]
    play(contest, 1)
    assert [number for number, _ in contest.due()] == [0]
    play(contest, 0)
    winners = {contest.pairings[0][0], contest.pairings[1][0]}
    assert [number for number, _ in contest.due()] == [2, 3]
    assert set(contest.pairings[2]) == winners


def test_a_bye_is_a_win_and_byes_are_spread_evenly() -> None:
    contest = Contest(plan(3, format="swiss", rounds=3))
    while not contest.over:
        play(contest, next(number for number, _ in contest.due()))
    byes = [table[0] for table in contest.pairings if len(table) == 1]
    assert sorted(byes) == [0, 1, 2]
    assert sum(row["wins"] for row in contest.standings()) == 6


@given(st.integers(2, 9), st.integers(2, 3), st.sampled_from(FORMATS), st.data())
def test_whatever_was_stored_it_is_the_same_contest(entrants: int, players: int, form: str, data: Any) -> None:
    contest = Contest(some_plan(form, entrants, players))
    stored: dict[int, SavePairing] = {}
    for _ in range(data.draw(st.integers(0, 30))):
        if not (due := [number for number, _ in contest.due()]):
            break
        number = data.draw(st.sampled_from(due))
        stored[number] = play(contest, number, data.draw(st.integers(0, 1)))[-1]
    again = read(contest.save())
    for number in sorted(stored):
        again.follow(stored[number])
    assert (again.plan, again.pairings, again.results) == (contest.plan, contest.pairings, contest.results)
    assert again.standings() == contest.standings()


@given(st.integers(2, 7), st.sampled_from(FORMATS), st.data())
def test_what_could_not_be_stored_has_not_happened(entrants: int, form: str, data: Any) -> None:
    contest = Contest(some_plan(form, entrants))
    for _ in range(data.draw(st.integers(0, 8))):
        if not (due := [number for number, _ in contest.due()]):
            return
        play(contest, data.draw(st.sampled_from(due)))
    if not (due := [number for number, _ in contest.due()]):
        return
    before = json.dumps([contest.pairings, sorted(contest.results), sorted(contest.rooms)])
    for change in reversed(play(contest, due[0])):
        contest.undo(change)
    assert json.dumps([contest.pairings, sorted(contest.results), sorted(contest.rooms)]) == before


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"format": "knockout"}, "format must be one of round-robin, swiss"),
        ({"players": 5}, "5 play in a match, but 4 bots are available"),
        ({"format": "swiss"}, "a Swiss contest needs rounds"),
        ({"format": "single-elimination", "players": 3}, "two play in a match of format single-elimination, not 3"),
        ({"format": "groups", "groups": 3, "advance": 1}, "groups needs 2 to 2 of them with 4 bots"),
        ({"format": "league", "players": 3, "groups": 2}, "league needs at least 6 bots for two groups, not 4"),
        ({"format": "groups", "groups": 2}, "advance: 1 to 2 of each group"),
        ({"format": "league", "groups": 2, "advance": 2, "rounds": 2}, "advance: 1 to 1 of each group"),
        ({"format": "league", "groups": 2, "advance": 1}, "a league needs rounds"),
        ({"games": 0}, "games must be at least 1"),
        ({"games": 5_000}, "more than 20000 tables"),
    ],
)
def test_nonsense_is_refused_with_a_reason(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(BadPlan, match=words):
        plan(4, **fields).check()


def test_dropped_entrants_are_restored_from_the_store() -> None:
    contest = Contest(plan(4, format="swiss", rounds=3))
    contest.dropped.add(contest.pairings[0][1])
    stored = contest.forfeited(0, "", contest.dropped)
    assert json.loads(stored.result or "")["ranks"] == [1, 2], "the present one wins"
    contest.follow(stored)
    again = read(contest.save())
    again.follow(stored)
    assert again.dropped == contest.dropped == {contest.pairings[0][1]}
    assert again.results == contest.results
    again.undo(stored)
    assert again.dropped == set()
    assert again.rooms == {}


@pytest.mark.parametrize(
    ("ranks", "forfeits", "winners"),
    [
        ((1, 2), (), [0]),
        ((1, 1), (), []),
        ((2, 2), (), []),
        ((2, 1), (1,), [0]),
        ((1, 2), (0, 1), []),
        ((1, 3, 2), (0,), [2]),
        ((1, 2, 2), (0,), []),
        ((), (0,), []),
    ],
)
def test_a_win_is_an_unshared_first_place_among_those_who_did_not_forfeit(
    ranks: tuple[int, ...], forfeits: tuple[int, ...], winners: list[int]
) -> None:
    result = PairingResult(ranks, (0,) * len(ranks), forfeits)
    assert [seat for seat in range(len(ranks)) if result.won(seat)] == winners
