import itertools

from tests.bots.rooms import fail

from parlour_bots.arena.series import play_series
from parlour_bots.loading import find
from parlour_bots.play.in_process import play_bots
from parlour_bots.sdk import Choice, Turn, bot_spec
from parlour_bots.tools.check import random_move

PAINFIRST, RANDOM = find("painfirst"), find("random")


def test_arena_tells_a_good_player_from_chance() -> None:
    result = play_series(PAINFIRST, RANDOM, range(12), fail, fail)
    assert result.games == 12
    assert result.rate > 0.8
    assert result.low < result.rate <= result.high


def test_arena_alternates_the_seats_and_is_the_same_under_the_same_seeds() -> None:
    seats: list[int] = []

    def play(turn: Turn) -> Choice:
        seats.append(turn.seat)
        return turn.legal[0]

    result = play_series(bot_spec(play, "noted"), RANDOM, range(4), fail, fail)
    assert [seat for seat, _ in itertools.groupby(seats)] == [0, 1, 0, 1]
    assert play_series(bot_spec(play, "noted"), RANDOM, range(4), fail, fail) == result


def test_minesweeper_is_played_alone_or_as_a_race() -> None:
    mines = bot_spec(random_move, "chance", "minesweeper")
    assert len(play_bots([mines], 1, fail).names) == 1
    assert len(play_bots([mines, mines], 1, fail).names) == 2
    alone = play_series(mines, None, range(6), fail, fail)
    assert (alone.games, alone.wins) == (6, 0)
