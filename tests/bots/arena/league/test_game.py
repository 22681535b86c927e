import attrs
import pytest

from parlour_bots.arena.league import game as matches
from parlour_bots.arena.league.game import FAULTS, LeagueOutcome, Schedule, play
from parlour_bots.arena.pool import PlayedGame
from parlour_bots.errors import Late
from parlour_bots.loading import find
from parlour_bots.sdk import BotSpec, Choice, Function, Turn, bot_spec
from parlour_protocol.messages import Plain

PAINFIRST, RANDOM = find("painfirst"), find("random")
SINGLE: Plain = {"scoring": "single"}


def played(*bots: BotSpec, number: int = 0) -> PlayedGame[LeagueOutcome]:
    game = Schedule(len(bots), len(bots)).game(number)
    return play(bots, game, 7, SINGLE)


def test_game_tells_who_won_and_how_long_they_thought() -> None:
    told = played(PAINFIRST, RANDOM).outcome
    assert sorted(told.ranks) == [1, 2]
    assert max(told.points) == told.points[told.ranks.index(1)] > 0
    assert told.faults == ({}, {})
    assert sum(count for times in told.times for count in times[2::2]) == told.answers


def test_same_game_is_played_again_and_another_deal_is_another() -> None:
    games = [played(PAINFIRST, RANDOM, number=number).outcome for number in (0, 0, 2)]
    first, again, other = (attrs.evolve(game, times=()) for game in games)
    assert first == again
    assert other.answers != first.answers or other.points != first.points


class Witness:
    """Remembers the first hand, the dealer and the first chance that each seat met, and lays what it can."""

    def __init__(self, met: dict[int, Plain]) -> None:
        self.met = met

    def play(self, turn: Turn) -> Choice:
        if not any(event["e"] in ("played", "drew") and event["seat"] == turn.seat for event in turn.events):
            self.met.setdefault(
                turn.seat, {"hand": turn.view["hand"], "dealer": turn.view["dealer"], "chance": turn.rng.random()}
            )
        return 0


def test_deal_does_not_depend_on_who_sits_where() -> None:
    tables = []
    for number, names in enumerate([("a", "b", "c"), ("some-other-name", "x", "y"), ("b", "c", "a")]):
        met: dict[int, Plain] = {}
        bots = [BotSpec(name, lambda met=met: Witness(met)) for name in names]  # type: ignore[misc]
        play(bots, Schedule(3, 3).game(number), 7, SINGLE)
        tables.append(met)
    assert len(tables[0]) == 3
    assert tables[0] == tables[1] == tables[2]


def test_mirror_games_of_one_bot_are_won_once_by_each() -> None:
    """The cards and the chances belong to the seat: the same bot there plays the same game."""
    first, second = (played(PAINFIRST, PAINFIRST, number=number).outcome for number in (0, 1))
    assert (first.ranks, first.points) == (second.ranks, second.points)
    assert first.seats == second.seats[::-1]


def test_third_fault_loses_the_game() -> None:
    wrong = bot_spec(lambda turn: 99, "wrong")
    told = played(wrong, PAINFIRST)
    assert told.outcome.faults == ({"illegal": FAULTS}, {})
    assert told.outcome.ranks == (2, 1)
    assert len(told.mistakes) == FAULTS
    assert "there is no action 99" in told.mistakes[0]


def test_faults_are_counted_by_kind_and_chance_answers_for_the_first() -> None:
    asked = []

    def late_once(turn: Turn) -> Choice:
        asked.append(turn)
        if len(asked) == 1:
            raise Late("no answer")
        if len(asked) == 2:
            raise ZeroDivisionError
        return PAINFIRST.make().play(turn)

    told = played(bot_spec(late_once, "tired"), PAINFIRST).outcome
    assert told.faults == ({"late": 1, "broken": 1}, {})
    assert len(asked) > 2


def test_bot_that_cannot_be_made_loses() -> None:
    def fail() -> Function:
        raise RuntimeError("no model")

    told = played(PAINFIRST, BotSpec("heavy", fail)).outcome
    assert (told.faults, told.ranks) == (({}, {"broken": FAULTS}), (1, 2))


def test_game_without_end_is_stopped_and_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    def dull(turn: Turn) -> Choice:
        verbs = [action["do"] for action in turn.legal]
        return verbs.index(next(do for do in ("draw", "pass", "accept", "colour", "play") if do in verbs))

    monkeypatch.setattr(matches, "ANSWERS", 10)
    told = played(bot_spec(dull, "dull"), bot_spec(dull, "dull")).outcome
    assert (told.stopped, told.ranks, told.points) == (True, (1, 1), (0, 0))
    assert [told.share(seat) for seat in (0, 1)] == [0.5, 0.5]
