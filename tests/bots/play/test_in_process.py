import itertools

import pytest
from tests.bots.rooms import fail

from parlour_bots.arena.series import play_series
from parlour_bots.loading import find
from parlour_bots.play.in_process import MatchStuck, MatchTooLong, play_bots, play_match, valid_name
from parlour_bots.play.player import SeatPlayer
from parlour_bots.sdk import BotSpec, Choice, Turn, bot_spec
from parlour_bots.tools.check import random_move
from parlour_client.core.errors import Usage
from parlour_protocol.messages import Plain

SINGLE: Plain = {"scoring": "single"}


def players(*specs: BotSpec) -> list[SeatPlayer]:
    return [SeatPlayer(bot, seat, fail) for seat, bot in enumerate(specs)]


PAINFIRST, RANDOM = find("painfirst"), find("random")


@pytest.mark.parametrize("seats", [2, 3, 4, 10])
def test_match_is_played_to_its_end(seats: int) -> None:
    match = play_match(players(PAINFIRST, *[RANDOM] * (seats - 1)), seed=seats)
    assert len(match.names) == len(match.ranks) == len(match.scores) == len(match.acts) == seats
    assert max(match.scores) >= 500
    assert match.ranks[match.scores.index(max(match.scores))] == 1
    assert match.moves == sum(map(len, match.acts)) > 50
    assert match.view["phase"] == "over"


def test_same_seed_plays_the_same_match_and_another_seed_another() -> None:
    first, again, other = [play_match(players(PAINFIRST, RANDOM), seed, SINGLE) for seed in (5, 5, 6)]
    assert first == again
    assert first.view != other.view


def test_options_reach_the_game_or_are_refused() -> None:
    assert play_match(players(PAINFIRST, RANDOM), 1, SINGLE).view["round"] == 1
    with pytest.raises(Usage, match="target"):
        play_match(players(PAINFIRST, RANDOM), 1, {"target": 0})


def test_nobody_waits_for_real_time() -> None:
    """Half a minute of pauses between rounds, and a breath whenever somebody forgets to call, take no time."""
    options: Plain = {"pause": 60_000, "breath": 5_000, "target": 2000}
    forgetful = bot_spec(lambda turn: turn.legal[-1 if len(turn.legal) < 2 else -2], "forgetful", call_uno=False)
    assert play_match(players(forgetful, RANDOM), 3, options).view["round"] > 3


def test_bot_can_catch_who_forgot_to_call() -> None:
    caught: list[Plain] = []

    class Watchful:
        def play(self, turn: Turn) -> Choice:
            caught.extend(event for event in turn.events if event["e"] == "caught")
            return turn.rng.randrange(len(turn.legal))

        def may(self, turn: Turn) -> Choice | None:
            return 0 if turn.legal[0]["do"] == "catch" else None

    forgetful = bot_spec(find("random").make().play, "forgetful", call_uno=False)
    for seed in range(10):
        play_match(players(bot_spec(Watchful, "watchful"), forgetful), seed, SINGLE)
    assert len(caught) > 3


def test_match_that_cannot_go_on_is_an_error() -> None:
    class Deaf(SeatPlayer):
        def receive(self, message: object) -> list[object]:  # type: ignore[override]
            return []

    with pytest.raises(MatchStuck, match="seed 1"):
        play_match([Deaf(RANDOM, 0, lambda _: None), *players(RANDOM)], 1)


def test_match_of_too_many_answers_is_stopped() -> None:
    whole = play_match(players(PAINFIRST, RANDOM), 1, SINGLE)
    assert play_match(players(PAINFIRST, RANDOM), 1, SINGLE, whole.moves) == whole
    with pytest.raises(MatchTooLong, match="seed 1: the match is not over after 5 answers"):
        play_match(players(PAINFIRST, RANDOM), 1, SINGLE, 5)


@pytest.mark.parametrize(
    ("name", "ending", "valid"),
    [
        ("hello", "", "hello"),
        ("my bot!", "-1", "my-bot-1"),
        ("x" * 40, "-12", "x" * 17 + "-12"),
        ("-c", "", "c"),
        ("möwe", "", "möwe"),
        ("…", "-0", "bot-0"),
    ],
)
def test_name_is_made_valid(name: str, ending: str, valid: str) -> None:
    assert valid_name(name, ending) == valid


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
