from functools import cache
from itertools import combinations
from random import Random

import pytest
from tests.games.minesweeper.inference.boards import completions

from parlour_bots.minesweeper.exact.endgame import OutOfNodes, Search, solve
from parlour_bots.minesweeper.exact.worlds import Outcomes, outcomes, worlds
from parlour_games.minesweeper.grid import CLOSED, neighbours
from parlour_games.minesweeper.inference import Engine, Odds

Open = frozenset[tuple[int, int]]
"""Open cells and their numbers."""


class Minimax:
    """Perfect play by trying every cell in every position, without any of the search's short cuts."""

    def __init__(self, width: int, height: int, mines: int) -> None:
        self.around = neighbours(width, height)
        self.boards = [frozenset(placed) for placed in combinations(range(width * height), mines)]
        self.safe = width * height - mines
        self.wins = cache(self._wins)

    def fits(self, shown: Open) -> list[frozenset[int]]:
        return [
            mines
            for mines in self.boards
            if all(cell not in mines and len(mines.intersection(self.around[cell])) == v for cell, v in shown)
        ]

    def after(self, shown: Open, cell: int) -> set[Open]:
        return {
            shown | {(cell, len(mines.intersection(self.around[cell])))}
            for mines in self.fits(shown)
            if cell not in mines
        }

    def closed(self, shown: Open) -> list[int]:
        return [cell for cell in range(len(self.around)) if cell not in dict(shown)]

    def _wins(self, shown: Open) -> int:
        """Return how many boards that fit are won."""
        if len(shown) == self.safe:
            return 1
        return max(sum(map(self.wins, self.after(shown, cell))) for cell in self.closed(shown))


def odds_of(width: int, height: int, mines: int, shown: Open) -> Odds:
    cells = [dict(shown).get(cell, CLOSED) for cell in range(width * height)]
    return Engine(width, height, mines).read(cells)


@pytest.mark.parametrize(
    ("width", "height", "mines"), [(2, 2, 1), (2, 2, 2), (3, 2, 2), (4, 2, 2), (4, 2, 3), (3, 3, 2), (7, 1, 3)]
)
def test_as_good_as_trying_everything(width: int, height: int, mines: int) -> None:
    full = Minimax(width, height, mines)
    waiting: list[Open] = [frozenset()]
    seen = set(waiting)
    judged = 0
    while waiting:
        shown = waiting.pop()
        odds = odds_of(width, height, mines, shown)
        if not odds.safe and len(shown) < full.safe:
            judged += 1
            found = solve(width, height, odds)
            assert found is not None
            cell, wins = found
            count = odds.solutions
            assert round(wins * count) == full.wins(shown)
            assert sum(map(full.wins, full.after(shown, cell))) == full.wins(shown)
        for cell in full.closed(shown):
            new = full.after(shown, cell) - seen
            seen |= new
            waiting += new
    assert judged > 3


Shows = tuple[int | None, ...]
"""What a cell shows in each world; None where it is a mine."""


@cache
def plainly(shows: tuple[Shows, ...], worlds: frozenset[int]) -> int:
    """Return how many of the worlds perfect play wins, with every cell tried to the end."""
    most = 1
    for shown in shows:
        parts: dict[int, set[int]] = {}
        for world in worlds:
            number = shown[world]
            if number is not None:
                parts.setdefault(number, set()).add(world)
        if len(parts) > 1:
            most = max(most, sum(plainly(shows, frozenset(part)) for part in parts.values()))
    return most


def told(seed: int, count: int = 24) -> tuple[tuple[Shows, ...], Outcomes]:
    """Return what eight cells show in that many worlds, drawn by lot, in both ways to write it."""
    chance = Random(seed)
    shows = tuple(tuple(chance.choice([None, None, 1, 2]) for _ in range(count)) for _ in range(8))
    found = {
        cell: {
            number: sum(1 << world for world in range(count) if shown[world] == number)
            for number in {number for number in shown if number is not None}
        }
        for cell, shown in enumerate(shows)
    }
    return shows, found


@pytest.mark.parametrize("seed", range(60))
def test_bounds_change_no_value(seed: int) -> None:
    shows, found = told(seed)
    best = Search(found, 24, 100_000).best()
    assert (1 if best is None else best[1]) == plainly(shows, frozenset(range(24)))


@pytest.mark.parametrize("seed", range(20))
def test_what_is_kept_as_a_bound_is_never_too_low(seed: int) -> None:
    shows, found = told(seed)
    search = Search(found, 24, 100_000)
    true = plainly(shows, frozenset(range(24)))
    for least in range(24, -1, -1):
        value = search.value((1 << 24) - 1, search.live, least)
        assert value == true if value > least else value >= true


def test_worlds_that_cannot_be_told_apart() -> None:
    odds = odds_of(2, 2, 1, frozenset({(0, 1), (1, 1)}))
    assert solve(2, 2, odds) == (2, 0.5)


def test_too_many_worlds_are_left_alone() -> None:
    assert solve(9, 9, odds_of(9, 9, 10, frozenset())) is None


def test_too_few_nodes() -> None:
    cells = [CLOSED] * 16
    odds = Engine(4, 4, 3).read(cells)
    found = worlds(odds)
    assert len(found) == len(completions(4, 4, 3, cells))
    search = Search(outcomes(range(16), neighbours(4, 4), found), len(found), 10)
    with pytest.raises(OutOfNodes):
        search.best()
