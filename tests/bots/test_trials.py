import itertools
import re
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_bots.loader import find
from parlour_bots.mistakes import Mistake
from parlour_bots.sdk import Choice, Entrant, Turn, entrant
from parlour_bots.trials import arena, check, one_match, wilson

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


@pytest.mark.parametrize("bot", [PAINFIRST, RANDOM], ids=lambda bot: bot.name)
def test_check_finds_nothing_in_sound_bots(bot: Entrant) -> None:
    found = check(bot, RANDOM, range(4), fail)
    assert found.sound
    assert (found.matches, found.mistakes, found.differs) == (4, 0, None)
    assert found.answers > 50
    assert 0 < found.typical <= found.longest


def test_check_finds_illegal_answers() -> None:
    told: list[Mistake] = []
    found = check(entrant(lambda turn: {"do": "pass"}, "passer"), RANDOM, range(2), told.append)
    assert found.mistakes == len(told) > 4
    assert not found.sound
    assert found.differs is None


def test_check_finds_exceptions_on_rare_turns() -> None:
    def play(turn: Turn) -> Choice:
        if any(action["do"] == "challenge" for action in turn.legal):
            raise NotImplementedError
        return turn.rng.choice(turn.legal)

    told: list[Mistake] = []
    assert not check(entrant(play, "unready"), RANDOM, range(8), told.append).sound
    assert {mistake.what for mistake in told} == {"NotImplementedError: "}


def test_check_finds_chance_that_does_not_come_from_the_seed() -> None:
    calls = itertools.count()

    def play(turn: Turn) -> Choice:
        return turn.legal[next(calls) % 7 % len(turn.legal)]

    found = check(entrant(play, "moody"), RANDOM, range(4), fail)
    assert found.differs is not None
    assert re.match(r"under seed \d answer \d+ was .* and the second time ", found.differs)
    assert not found.sound


def test_check_measures_the_time_to_think() -> None:
    def play(turn: Turn) -> Choice:
        if len(turn.view["hand"]) == 7:
            until = perf_counter() + 0.002
            while perf_counter() < until:
                pass
        return turn.legal[0]

    assert check(entrant(play, "slow"), RANDOM, range(2), fail).longest >= 2000


class Catcher:
    """Notes what it could have caught."""

    offers = 0

    def play(self, turn: Turn) -> Choice:
        return turn.legal[0]

    def may(self, turn: Turn) -> None:
        Catcher.offers += 1


def test_check_gives_occasion_to_catch() -> None:
    Catcher.offers = 0
    check(entrant(Catcher, "catcher"), RANDOM, range(8), fail)
    assert Catcher.offers > 0
