from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.examples import seeds

from parlour_bots.minesweeper.endgame import EndgameSearch
from parlour_bots.minesweeper.playout import DIGITS, Cell, Playouts, distinguishable, opened, outcomes, split
from parlour_bots.minesweeper.worlds import OutOfWork, WorkBudget
from parlour_games.minesweeper.board import neighbours

Shows = tuple[int | None, ...]
"""What a cell shows in each world; None where it is a mine."""


def drawn(rng: Random, worlds: int = 24, cells: int = 8) -> tuple[tuple[Shows, ...], list[Cell]]:
    """Return what cells show in that many worlds, in both ways to write it; the safest cell comes first.

    No cell is a mine in all of them.
    """
    shows: list[Shows] = [(1, *[rng.choice([None, None, 1, 2]) for _ in range(worlds - 1)]) for _ in range(cells)]
    shows.sort(key=lambda shown: shown.count(None))
    return tuple(shows), [_cell(place, shown) for place, shown in enumerate(shows)]


def _cell(place: int, shown: Shows) -> Cell:
    where = {number: sum(1 << world for world, value in enumerate(shown) if value == number) for number in (None, 1, 2)}
    return place, where.pop(None), [worlds for worlds in where.values() if worlds]


def parts(shown: Shows, worlds: frozenset[int]) -> list[frozenset[int]]:
    """Return the worlds in which a cell is safe, by what it shows."""
    safe = {number for world in worlds if (number := shown[world]) is not None}
    return [frozenset(world for world in worlds if shown[world] == number) for number in sorted(safe)]


@cache
def perfectly(shows: tuple[Shows, ...], worlds: frozenset[int]) -> int:
    """Return how many of the worlds perfect play wins."""
    most = 1
    for shown in shows:
        if len(told := parts(shown, worlds)) > 1:
            most = max(most, sum(perfectly(shows, part) for part in told))
    return most


@cache
def simply(shows: tuple[Shows, ...], worlds: frozenset[int]) -> int:
    """Return how many are won by whoever opens the safest cell that tells something."""
    telling = [told for shown in shows if len(told := parts(shown, worlds)) > 1]
    if not telling:
        return 1
    return sum(simply(shows, part) for part in max(telling, key=lambda told: sum(map(len, told))))


def improved(shows: tuple[Shows, ...], worlds: frozenset[int]) -> int:
    """Return how many ``simply`` wins once the best cell is opened, after those that are safe and tell something."""
    telling = [told for shown in shows if len(told := parts(shown, worlds)) > 1]
    for told in telling:
        if sum(map(len, told)) == len(worlds):
            return sum(improved(shows, part) for part in told)
    return max((sum(simply(shows, part) for part in told) for told in telling), default=1)


def union(worlds: int) -> frozenset[int]:
    """Return the worlds of an int as ``drawn`` numbers them."""
    return frozenset(index for index in range(worlds.bit_length()) if worlds >> index & 1)


EVERY = frozenset(range(24))
ALL = (1 << 24) - 1


def playouts(live: list[Cell], work: int = 1_000_000) -> Playouts:
    """Return the playouts over 24 worlds that are all there are."""
    return Playouts(live, [1 - mines.bit_count() / 24 for _, mines, _ in live], WorkBudget(work))


@given(st.randoms(use_true_random=False))
def test_the_simple_player_wins_what_it_wins_one_by_one(rng: Random) -> None:
    shows, live = drawn(rng)
    assert playouts(live).wins(ALL, live) == simply(shows, EVERY)


@given(st.randoms(use_true_random=False))
def test_the_next_guess_may_be_the_best(rng: Random) -> None:
    shows, live = drawn(rng)
    assert playouts(live).improved(ALL, live) == improved(shows, EVERY)


@given(st.randoms(use_true_random=False))
def test_the_best_cell_is_the_best_of_all(rng: Random) -> None:
    shows, live = drawn(rng)
    found = playouts(live).best()
    values = [sum(simply(shows, part) for part in parts(shown, EVERY)) / 24 for shown in shows]
    assert found is not None
    place, value = found
    assert value == pytest.approx(max(values))
    assert values[place] == pytest.approx(value)


@given(st.randoms(use_true_random=False))
def test_counting_again_never_makes_it_worse_and_promises_no_more_than_can_be_won(rng: Random) -> None:
    shows, live = drawn(rng)
    both = playouts(live)
    first, again = both.best(), both.recounted()
    assert first is not None
    assert again is not None
    assert simply(shows, EVERY) / 24 <= first[1] + 1e-9 <= again[1] + 2e-9
    told = parts(shows[again[0]], EVERY)
    assert again[1] == pytest.approx(sum(improved(shows, part) for part in told) / 24)
    assert again[1] <= perfectly(shows, EVERY) / 24 + 1e-9


def test_counting_again_pays() -> None:
    gained = 0.0
    for seed in range(40):
        both = playouts(drawn(Random(seed))[1])
        first, again = both.best(), both.recounted()
        gained += again[1] - first[1] if first and again else 0
    assert gained > 0.1


def test_the_best_is_counted_again_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_bots.minesweeper.playout.RECOUNTED", 1)
    monkeypatch.setattr("parlour_bots.minesweeper.playout.CLOSE", 0.8)
    shows, live = drawn(Random(19))
    both = playouts(live)
    first, again = both.best(), both.recounted()
    assert first is not None
    assert again is not None
    told = parts(shows[first[0]], EVERY)
    assert again == (first[0], round(sum(improved(shows, part) for part in told) / 24, DIGITS))
    assert again[1] > first[1]


def test_the_chances_need_not_be_those_of_the_worlds() -> None:
    # Two worlds tell of a cell that it is safe in both and tells them apart, yet it is risky.
    live: list[Cell] = [(0, 0b01, [0b10]), (1, 0, [0b01, 0b10])]
    assert Playouts(live, [0.9, 0.5], WorkBudget(100)).best() == (0, 0.9)
    assert Playouts(live, [0.4, 0.5], WorkBudget(100)).best() == (1, 0.5)


def test_a_cell_that_is_a_mine_in_all_worlds_at_hand_is_none_to_open() -> None:
    live: list[Cell] = [(0, 0b11, []), (1, 0b01, [0b10])]
    assert Playouts(live, [0.9, 0.5], WorkBudget(100)).best() == (1, 0.5)


@pytest.mark.parametrize("work", [0, 30, 100, 300, 1_000, 10_000])
def test_a_spent_budget_leaves_the_best_so_far(work: int) -> None:
    shows, live = drawn(Random(5))
    short, long = playouts(live, work), playouts(live)
    found, full = [short.best(), short.recounted()][-1], [long.best(), long.recounted()][-1]
    assert (found is None) == (work == 0)
    if found and full:
        assert found[1] <= full[1]
        assert found[1] <= sum(perfectly(shows, part) for part in parts(shows[found[0]], EVERY)) / 24 + 1e-9


@pytest.mark.parametrize("seed", seeds(60))
def test_bounds_change_no_value(seed: int) -> None:
    shows, live = drawn(Random(seed))
    found = EndgameSearch(live, WorkBudget(1_000_000)).better(ALL, 1)
    assert found is not None
    place, wins = found
    assert wins == perfectly(shows, EVERY)
    assert wins == sum(perfectly(shows, part) for part in parts(shows[place], EVERY))
    assert EndgameSearch(live, WorkBudget(1_000_000)).better(ALL, wins) is None
    assert EndgameSearch(live, WorkBudget(1_000_000)).better(ALL, wins - 1) == found


@pytest.mark.parametrize("seed", seeds(20))
def test_what_is_kept_as_a_bound_is_never_too_low(seed: int) -> None:
    shows, live = drawn(Random(seed))
    search = EndgameSearch(live, WorkBudget(1_000_000))
    true = perfectly(shows, EVERY)
    for least in range(24, -1, -1):
        value = search.value(ALL, search.live, least)
        assert value == true if value > least else value >= true


def test_all_that_a_cell_leaves_may_be_won() -> None:
    assert EndgameSearch([(0, 0b001, [0b010, 0b100])], WorkBudget(100)).better(0b111, 1) == (0, 2)


def test_too_little_work() -> None:
    with pytest.raises(OutOfWork):
        EndgameSearch(drawn(Random(1))[1], WorkBudget(20)).better(ALL, 1)


@given(st.randoms(use_true_random=False), st.integers(1, 60))
def test_each_world_is_where_its_mines_say(rng: Random, count: int) -> None:
    around, found = neighbours(4, 4), [rng.getrandbits(16) for _ in range(count)]
    cells = rng.sample(range(16), 9)
    for place, mines, sets in outcomes(cells, around, found):
        by_number: dict[int, int] = {}
        for index, world in enumerate(found):
            if not world >> cells[place] & 1:
                number = sum(world >> near & 1 for near in around[cells[place]])
                by_number[number] = by_number.get(number, 0) | 1 << index
        assert sorted(sets) == sorted(by_number.values())
        assert mines == sum(1 << index for index, world in enumerate(found) if world >> cells[place] & 1)


@given(st.randoms(use_true_random=False), st.integers(2, 5), st.integers(1, 2**5 - 1))
def test_opened_tells_apart_what_safe_cells_do(rng: Random, count: int, some: int) -> None:
    shows, live = drawn(rng, count)
    worlds = some & (1 << count) - 1 or 1
    alive = union(worlds)
    safe = [shown for shown in shows if not any(shown[world] is None for world in alive)]
    expected = {tuple(shown[world] for shown in safe) for world in alive}
    left, unsure = opened(worlds, live)
    assert (sum(left), len(left)) == (worlds, len(expected))
    risks = [(sum(shown[world] is None for world in alive), place) for place, shown in enumerate(shows)]
    assert [(risk, cell[0]) for risk, cell in unsure] == sorted(r for r in risks if 0 < r[0] < len(alive))


@given(st.randoms(use_true_random=False))
def test_split_keeps_what_is_safe(rng: Random) -> None:
    shows, live = drawn(rng)
    worlds = rng.getrandbits(24) | 1
    for shown, cell in zip(shows, live, strict=True):
        assert sorted(map(sorted, map(union, split(worlds, cell)))) == sorted(map(sorted, parts(shown, union(worlds))))


@given(st.randoms(use_true_random=False))
def test_two_worlds_are_told_apart_by_a_cell_safe_in_both(rng: Random) -> None:
    shows, live = drawn(rng, 2, 3)
    assert distinguishable(0b11, live) == any(None not in shown and shown[0] != shown[1] for shown in shows)
