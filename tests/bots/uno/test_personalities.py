from collections.abc import Callable
from typing import Any

import pytest
from tests.bots.uno.decisions import words
from tests.bots.uno.test_search import asked
from tests.games.uno.tables import pick, table

from parlour_bots.sdk import Action, Turn
from parlour_bots.uno.personalities import Counter, attacker, guard, hoarder, shaper

BotSource = Callable[[Turn], Action]


def decided(player: BotSource, *hands: str, top: str = "r1", **more: Any) -> str:
    return words(player(asked(table(*hands, top=top, **more))))


FAR, NEAR = "g1 g2 g3 g4 g6", "g1 g2"


def test_the_attacker_hits_first() -> None:
    for face in ("r+2", "rs", "rr"):
        assert decided(attacker, f"{face} r7 r8 b1 b2", FAR) == face
    assert decided(attacker, "r+2 rs r7 b1", FAR) == "r+2"


def test_the_guard_waits_until_somebody_is_about_to_finish() -> None:
    for face in ("r+2", "rs", "rr"):
        assert decided(guard, f"{face} r7 r8 b1 b2", FAR) in {"r7", "r8"}
        assert decided(guard, f"{face} r7 r8 b1 b2", NEAR) == face


def test_the_guard_watches_the_seat_that_plays_next() -> None:
    assert decided(guard, "rs r7 r8 b1 b2", NEAR, FAR) == "rs"
    assert decided(guard, "rs r7 r8 b1 b2", FAR, NEAR) in {"r7", "r8"}


def test_the_hoarder_draws_rather_than_lay_a_wild() -> None:
    assert decided(hoarder, "w b2 b3 b4 y6", FAR) == "draw"
    assert decided(shaper, "w b2 b3 b4 y6", FAR) == "w blue"
    assert decided(hoarder, "w b2 b3 b4 y6", NEAR).startswith("w")
    assert decided(hoarder, "w b2 b3", FAR).startswith("w")


def test_the_shaper_stays_where_it_is_strong() -> None:
    assert decided(shaper, "r5 b1 b2 b3 b4", FAR) == "b1"
    assert decided(shaper, "b1 r2 r3 r4 r6", FAR) != "b1"
    assert decided(attacker, "w b2 b3 y6", FAR) == "w blue"


DEAL = {"e": "deal", "top": pick("r1")[0], "colour": "red"}


def counted(*events: dict[str, Any]) -> str:
    return words(Counter().play(asked(table("r5 b1", FAR, top="r1"), 0, [DEAL, *events])))


def test_the_counter_goes_where_the_next_seat_could_not_play() -> None:
    blue = {"e": "play", "seat": 0, "card": pick("b9")[0]}
    red = {"e": "play", "seat": 0, "card": pick("r9")[0]}
    drew = {"e": "draw", "seat": 1, "n": 1, "why": "turn"}
    assert (counted(blue, drew, red), counted(blue, red, drew)) == ("b1 uno", "r5 uno")


def test_the_counter_counts() -> None:
    blues = [{"e": "play", "seat": 1, "card": card} for card in range(77, 97)]
    reds = [{"e": "play", "seat": 1, "card": card} for card in range(12, 25)]
    assert counted(*blues, DEAL, *blues) == "b1 uno"
    assert counted(*blues, DEAL, *reds) == "r5 uno"
    assert counted(*blues, {"e": "reshuffle", "deck": 50}, *reds) == "r5 uno"


@pytest.mark.parametrize("player", [attacker, guard, hoarder, shaper])
def test_everybody_finishes_and_nobody_bluffs(player: BotSource) -> None:
    assert decided(player, "r2", FAR) == "r2"
    assert decided(player, "w", FAR).startswith("w ")
    assert decided(player, "w+4 r3 b1 b2 b3", FAR) != "w+4 blue"
    at = table("w+4 b1 b2", FAR, top="r1")
    at.play(0, "w+4", "blue")
    assert words(player(asked(at, 1))) == "accept"
