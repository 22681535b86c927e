"""The bundled players at tables with house rules: they finish every match and make no mistake."""

import pytest

from parlour_bots.errors import Mistake
from parlour_bots.play.in_process import play_match
from parlour_bots.play.player import SeatPlayer
from parlour_bots.profiles import play_at_random
from parlour_bots.sdk import Answer, Turn, bot_spec
from parlour_bots.uno import painfirst
from parlour_games.uno.options import PRESETS


class Reacting:
    """Takes every chance out of turn as well, wrong catches included."""

    def play(self, turn: Turn) -> Answer:
        return play_at_random(turn)

    def may(self, turn: Turn) -> Answer:
        return play_at_random(turn)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", [2, 4])
def test_they_play_every_preset(preset: str, seats: int) -> None:
    mistakes: list[Mistake] = []
    bots = [bot_spec(painfirst.play, "painfirst"), bot_spec(play_at_random, "random"), bot_spec(Reacting, "reacting")]
    for seed in range(4):
        players = [SeatPlayer(bots[(seed + seat) % 3], f"{seed}/{seat}", mistakes.append) for seat in range(seats)]
        match = play_match(players, seed, {"preset": preset, "scoring": "single"})
        assert sorted(match.ranks)[0] == 1
        assert match.view["phase"] == "over"
    assert mistakes == []
