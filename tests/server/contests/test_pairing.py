"""Pairings: round robins are balanced, and Swiss rounds pair entrants with similar scores."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_server.contests.pairing import pairs, round_robin, swiss_round


@given(st.integers(2, 30), st.integers(1, 4))
def test_every_pair_meets_equally_often_and_has_each_seat_as_often(entrants: int, games: int) -> None:
    tables = round_robin(entrants, 2, games)
    met = Counter(pair for table in tables for pair in pairs(table))
    assert met == dict.fromkeys(combinations(range(entrants), 2), games)
    if games % 2 == 0:
        first = Counter(tables)
        assert all(first[a, b] == first[b, a] for a, b in met)


@given(st.integers(2, 20))
def test_with_one_game_the_first_seat_is_balanced(entrants: int) -> None:
    first = Counter(table[0] for table in round_robin(entrants, 2, 1))
    assert max(first.values()) - min(first[entrant] for entrant in range(entrants)) <= 3


@given(st.integers(4, 30))
def test_in_a_round_of_pairs_everybody_plays_once(entrants: int) -> None:
    tables, half = round_robin(entrants, 2, 1), entrants // 2
    for start in range(0, len(tables), half):
        seated = [entrant for table in tables[start : start + half] for entrant in table]
        assert len(seated) == len(set(seated)) == 2 * half


@pytest.mark.parametrize(("entrants", "players", "games"), [(4, 3, 1), (6, 4, 2), (5, 5, 5), (10, 4, 1)])
def test_larger_pairings_are_all_combinations_with_rotating_seats(entrants: int, players: int, games: int) -> None:
    tables = round_robin(entrants, players, games)
    assert len(tables) == games * comb(entrants, players)
    assert Counter(frozenset(table) for table in tables).most_common()[-1][1] == games
    if games == players:
        assert len({table[0] for table in tables}) == entrants


@given(st.integers(2, 25), st.integers(2, 5), st.randoms(use_true_random=False))
def test_a_swiss_round_seats_everybody_once(entrants: int, players: int, rng: "object") -> None:
    standing = list(range(entrants))
    rng.shuffle(standing)  # type: ignore[attr-defined]
    tables = swiss_round(standing, set(), set(), players)
    assert sorted(entrant for table in tables for entrant in table) == list(range(entrants))
    assert len(tables) == -(-entrants // players)


def test_entrants_with_equal_scores_meet() -> None:
    assert swiss_round([3, 1, 0, 2], set(), set(), 2) == [(3, 1), (0, 2)]


def test_entrants_do_not_meet_again_while_there_are_others() -> None:
    assert swiss_round([3, 1, 0, 2], {(1, 3)}, set(), 2) == [(3, 0), (1, 2)]
    assert swiss_round([0, 1], {(0, 1)}, set(), 2) == [(0, 1)]


def test_the_lowest_without_a_bye_has_it() -> None:
    assert swiss_round([2, 0, 1], set(), {1}, 2) == [(0,), (2, 1)]
