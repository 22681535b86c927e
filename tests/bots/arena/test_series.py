import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_bots.errors import Mistake
from parlour_bots.loading.loader import find
from parlour_bots.play.in_process import Endless
from parlour_bots.sdk import Choice, Turn, entrant
from parlour_bots.tools.check import by_chance
from parlour_bots.tools.series import arena, one_match, wilson

PAINFIRST, RANDOM = find("painfirst"), find("random")


def fail(mistake: Mistake) -> None:
    raise AssertionError(str(mistake))


def test_one_match_seats_the_bots_in_their_order() -> None:
    match = one_match([PAINFIRST, RANDOM, PAINFIRST], 4, fail, {"scoring": "single"})
    assert match.names == ("painfirst-0", "random-1", "painfirst-2")


def test_arena_tells_a_good_player_from_chance() -> None:
    series = arena(PAINFIRST, RANDOM, range(12), fail)
    assert series.games == 12
    assert series.rate > 0.8
    assert series.low < series.rate <= series.high


def test_arena_alternates_the_seats_and_is_the_same_under_the_same_seeds() -> None:
    seats: list[int] = []

    def play(turn: Turn) -> Choice:
        seats.append(turn.seat)
        return turn.legal[0]

    series = arena(entrant(play, "noted"), RANDOM, range(4), fail)
    assert [seat for seat, _ in itertools.groupby(seats)] == [0, 1, 0, 1]
    assert arena(entrant(play, "noted"), RANDOM, range(4), fail) == series


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (50, 100, 0.4038, 0.5962),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (1, 1, 0.2065, 1.0),
        (8, 20, 0.2188, 0.6134),
    ],
)
def test_wilson_interval_has_its_published_values(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 10_000), st.data())
def test_wilson_interval_holds_the_rate_within_0_and_1(games: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, 2 * games)) / 2
    low, high = wilson(wins, games)
    assert 0 <= low <= wins / games
    assert wins / games <= high <= 1


def test_minesweeper_is_played_alone_or_as_a_race() -> None:
    mines = entrant(by_chance, "chance", "minesweeper")
    assert len(one_match([mines], 1, fail).names) == 1
    assert len(one_match([mines, mines], 1, fail).names) == 2
    alone = arena(mines, None, range(6), fail)
    assert (alone.games, alone.wins) == (6, 0)


def test_match_in_which_nothing_happens_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_bots.tools.series.ANSWERS", 500)
    with pytest.raises(Endless):
        one_match([entrant(lambda turn: 0, "stubborn", "minesweeper")], 1, fail)
