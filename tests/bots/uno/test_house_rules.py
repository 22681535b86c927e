"""The bundled players at tables with house rules: they finish every match and make no mistake."""

from typing import Any

import pytest
from tests.conftest import SEED

from parlour_bots.errors import Mistake
from parlour_bots.play.in_process import play_match
from parlour_bots.play.player import SeatPlayer
from parlour_bots.profiles import play_at_random
from parlour_bots.sdk import Answer, Turn, bot_spec
from parlour_bots.uno import painfirst
from parlour_bots.uno.personalities import Counter, attacker, guard, hoarder, shaper
from parlour_bots.uno.search import Search
from parlour_games.uno.options import PRESETS


class Reacting:
    """Takes every chance out of turn as well, wrong catches included."""

    def play(self, turn: Turn) -> Answer:
        return play_at_random(turn)

    def may(self, turn: Turn) -> Answer:
        return play_at_random(turn)


class QuickSearch(Search):
    def __init__(self) -> None:
        super().__init__(worlds=8)


QUICK: list[Any] = [play_at_random, Reacting, attacker, guard, hoarder, shaper, Counter]


def mistakes(bot: Any, preset: str, seats: int, seed: int) -> list[Mistake]:
    """Return the mistakes in a short match in which every other seat is painfirst's."""
    found: list[Mistake] = []
    bots = [bot_spec(bot, "own"), bot_spec(painfirst.play, "painfirst", call_uno=seed % 2 == 0)]
    players = [SeatPlayer(bots[seat % 2], f"{seed}/{seat}", found.append) for seat in range(seats)]
    match = play_match(players, seed, {"preset": preset, "scoring": "race", "target": 60})
    assert min(match.ranks) == 1
    return found


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("bot", QUICK, ids=lambda bot: bot.__name__)
def test_they_play_every_preset(bot: Any, preset: str) -> None:
    assert [mistake for seats in (2, 3, 5) for mistake in mistakes(bot, preset, seats, SEED + seats)] == []


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", [3, *(pytest.param(each, marks=pytest.mark.long) for each in (2, 5))])
def test_who_searches_plays_every_preset(preset: str, seats: int) -> None:
    assert [mistake for number in range(2) for mistake in mistakes(QuickSearch, preset, seats, SEED + number)] == []


@pytest.mark.torture
@pytest.mark.parametrize("preset", PRESETS)
def test_who_searches_plays_very_many_matches(preset: str) -> None:
    for number in range(200):
        assert mistakes(QuickSearch, preset, 2 + number % 4, SEED + number) == []
