from random import Random

from hypothesis import given
from hypothesis import strategies as st
from tests.bots.minesweeper.planes import drawn, parts, union

from parlour_bots.minesweeper.playout import distinguishable, opened, outcomes, split
from parlour_games.minesweeper.board import neighbours


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
    assert sum(left) == worlds
    assert len(left) == len(expected)
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
