from collections import Counter
from itertools import combinations

import attrs
import pytest

from parlour_bots.arena.league import game as matches
from parlour_bots.arena.league.game import FAULTS, LeagueOutcome, Schedule, lineups, play
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


SHAPES = [(2, 2), (3, 2), (7, 2), (3, 3), (5, 3), (4, 4), (2, 4), (3, 4), (3, 6), (2, 10), (10, 10)]


@pytest.mark.parametrize(("bots", "players"), SHAPES)
def test_in_each_deal_a_line_up_plays_once_from_every_rotation(bots: int, players: int) -> None:
    schedule = Schedule(bots, players)
    for deal in range(4):
        games = [schedule.game(deal * schedule.a_deal + number) for number in range(schedule.a_deal)]
        assert {game.deal for game in games} == {deal}
        for number, lineup in enumerate(schedule.lineups):
            mine = [game for game in games if game.lineup == number]
            for bot in set(lineup):
                in_each_seat = [sum(game.seats[seat] == bot for game in mine) for seat in range(players)]
                assert in_each_seat == [lineup.count(bot)] * players


@pytest.mark.parametrize(("bots", "players"), [(3, 2), (7, 2), (5, 3), (6, 4), (4, 4)])
def test_every_two_bots_meet_equally_often(bots: int, players: int) -> None:
    schedule = Schedule(bots, players)
    met = Counter(pair for game in schedule.games(0, 1) for pair in combinations(sorted(game.seats), 2))
    assert (len(met), len(set(met.values()))) == (bots * (bots - 1) // 2, 1)


@pytest.mark.parametrize(("bots", "players"), [(2, 4), (3, 4), (4, 10), (3, 10), (2, 10)])
def test_with_fewer_bots_than_seats_the_first_sits_alone_and_the_others_share(bots: int, players: int) -> None:
    chosen = list(lineups(bots, players))
    assert all(lineup.count(0) == 1 and len(lineup) == players for lineup in chosen)
    seats = Counter(bot for lineup in chosen for bot in lineup)
    assert len({seats[bot] for bot in range(1, bots)}) == 1
    shares = [[lineup.count(bot) for bot in range(1, bots)] for lineup in chosen]
    assert all(max(share) - min(share) <= 1 for share in shares)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_who_sits_next_to_whom_changes_through_all_orders(players: int) -> None:
    schedule = Schedule(players, players)
    neighbours = Counter[tuple[int, int]]()
    for game in schedule.games(0, 24):
        neighbours.update(zip(game.seats, game.seats[1:] + game.seats[:1], strict=True))
    assert (len(neighbours), len(set(neighbours.values()))) == (players * (players - 1), 1)


def test_games_are_rounded_up_to_whole_deals_and_can_go_on_anywhere() -> None:
    schedule = Schedule(3, 2)
    assert (schedule.deals(99), schedule.deals(100)) == (50, 50)
    games = list(schedule.games(0, 3))
    assert [game.number for game in games] == list(range(18))
    assert list(schedule.games(7, 3)) == games[7:]
