"""Formats of contests: who meets whom in each round, and how the entrants rank."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from parlour_server.contests.formats import (
    DECIDERS,
    DoubleElimination,
    Format,
    Groups,
    League,
    SingleElimination,
    bracket,
)
from parlour_server.contests.pairing import Pairing, PairingResult

Judge = Callable[[Pairing], int]
"""Returns the seat that wins a pairing."""


def better_seed(pairing: Pairing) -> int:
    return pairing.index(min(pairing))


def played(form: Format, judge: Judge = better_seed) -> list[list[Pairing]]:
    """Play a contest to its end; return the pairings of each round."""
    course, found = form.rounds(), list[list[Pairing]]()
    results: list[PairingResult] | None = None
    while True:
        try:
            pairings = next(course) if results is None else course.send(results)
        except StopIteration:
            return found
        found.append(pairings)
        results = [result(pairing, judge(pairing)) for pairing in pairings]


def result(pairing: Pairing, winner: int) -> PairingResult:
    """Return the result of a pairing that a seat has won; -1: it is void."""
    if winner < 0:
        return PairingResult()
    ranks = tuple(1 if seat == winner else 2 for seat in range(len(pairing)))
    return PairingResult(ranks, tuple(5 if rank == 1 else 0 for rank in ranks))


def flat(ranking: list[list[int]]) -> list[int]:
    return [entrant for equals in ranking for entrant in equals]


@given(st.integers(2, 40))
def test_the_best_seeds_of_a_bracket_meet_last_and_have_the_byes(entrants: int) -> None:
    slots = bracket(range(entrants))
    assert sorted(slot for slot in slots if slot is not None) == list(range(entrants))
    ties = list(zip(slots[::2], slots[1::2], strict=True))
    assert {one for one, other in ties if other is None} == set(range(len(slots) - entrants))
    assert (slots.index(0) < len(slots) / 2) != (slots.index(1) < len(slots) / 2)


@given(st.integers(2, 24), st.integers(1, 3), st.randoms(use_true_random=False))
def test_who_loses_a_tie_is_out(entrants: int, games: int, rng: "object") -> None:
    form = SingleElimination(range(entrants), games)
    rounds = played(form, lambda _: rng.randrange(2))  # type: ignore[attr-defined]
    assert [len(equals) for equals in form.ranking()[:2]] == [1, 1]
    assert sorted(flat(form.ranking())) == list(range(entrants))
    left = set(range(entrants))
    for pairings in rounds:
        assert all(set(pairing) <= left for pairing in pairings)
        seated = Counter(frozenset(pairing) for pairing in pairings)
        assert set(seated.values()) <= {games, 1}
        still = {entrant for later in rounds[rounds.index(pairings) + 1 :] for pairing in later for entrant in pairing}
        left = left & still | (left - {entrant for pairing in pairings for entrant in pairing})


def test_the_better_seeds_win_through() -> None:
    form = SingleElimination(range(8), 1)
    assert played(form) == [[(0, 7), (3, 4), (1, 6), (2, 5)], [(0, 3), (1, 2)], [(0, 1)]]
    assert form.ranking() == [[0], [1], [3, 2], [7, 4, 6, 5]]


def test_a_level_tie_is_decided_by_more_games_then_by_the_seeds() -> None:
    form = SingleElimination(range(2), 2)
    assert played(form, lambda _: 0) == [[(0, 1), (1, 0)], [(0, 1)]]
    assert form.ranking() == [[0], [1]]
    form = SingleElimination([1, 0], 2)
    assert len(played(form, lambda _: -1)) == 1 + DECIDERS
    assert form.ranking() == [[1], [0]]


@given(st.integers(2, 24), st.randoms(use_true_random=False))
def test_who_loses_two_ties_is_out(entrants: int, rng: "object") -> None:
    lost = Counter[int]()

    def judge(pairing: Pairing) -> int:
        seat: int = rng.randrange(2)  # type: ignore[attr-defined]
        assert all(lost[entrant] < 2 for entrant in pairing)
        lost[pairing[1 - seat]] += 1
        return seat

    form = DoubleElimination(range(entrants), 1)
    rounds = played(form, judge)
    [winner], *rest = form.ranking()
    assert sorted([winner, *flat(rest)]) == list(range(entrants))
    assert lost[winner] < 2
    assert all(lost[entrant] == 2 for entrant in flat(rest))
    assert form.tables <= sum(map(len, rounds)) <= form.tables + 1


@given(st.integers(4, 20), st.integers(1, 2), st.data())
def test_the_best_of_each_group_reach_the_play_offs(entrants: int, games: int, data: st.DataObject) -> None:
    groups = data.draw(st.integers(2, entrants // 2))
    advance = data.draw(st.integers(1, entrants // groups))
    form = Groups(range(entrants), groups, advance, games)
    first, *playoffs = played(form)
    members = [{each for each in range(entrants) if form.group(each) == number} for number in range(1, groups + 1)]
    assert max(map(len, members)) - min(map(len, members)) <= 1
    together = Counter(frozenset(pairing) for pairing in first)
    assert together == {frozenset(pair): games for group in members for pair in combinations(group, 2)}
    qualified = {entrant for group in members for entrant in sorted(group)[:advance]}
    assert {entrant for pairings in playoffs for pairing in pairings for entrant in pairing} == qualified
    assert form.ranking()[0] == [0]
    assert set(flat(form.ranking())[: len(qualified)]) == qualified


def test_the_first_two_of_a_group_meet_again_only_in_the_final() -> None:
    form = Groups(range(8), 2, 2, 1)
    _, semifinals, final = played(form)
    assert all(form.group(one) != form.group(other) for one, other in semifinals)
    assert final == [(0, 1)]


def test_the_best_of_a_division_change_places_with_the_last_above() -> None:
    form = League(range(6), divisions=2, moving=1, players=2, games=1, seasons=3)
    rounds = played(form, lambda pairing: pairing.index(max(pairing)))
    assert [{entrant for pairing in season for entrant in pairing} for season in rounds] == [set(range(6))] * 3
    first = [{frozenset(pairing) for pairing in season} for season in rounds]
    assert frozenset((0, 1)) in first[0]
    assert frozenset((5, 2)) in first[1]  # the best of the second division beside the two best of the first
    assert frozenset((4, 5)) in first[2]
    assert form.ranking() == [[5], [4], [2], [3], [1], [0]]
    assert [form.group(entrant) for entrant in (5, 4, 2, 3, 1, 0)] == [1, 1, 1, 2, 2, 2]
