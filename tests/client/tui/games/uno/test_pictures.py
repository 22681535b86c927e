"""The face as a picture: three sizes in truecolour, the other looks and other moments at 80×24."""

import pytest
from tests.client.tui.games.uno.tables import Sitting, Table
from tests.client.tui.snapshots import assert_plain, check
from textual.pilot import Pilot

from parlour_client.tui.games.uno.widget import UnoWidget
from parlour_client.tui.theme import look_for

HAND = ["r7", "rs", "y3", "g7", "b+2", "w", "w+4"]
LARGE = [*HAND, "r1", "r2", "y4", "y8", "g1", "g5", "b9", "br"]
CLOCK = {"bank": 21_000, "add": 0}


def playing(hand: list[str] = HAND, **more: object) -> Table:
    hands = {0: hand, 1: ["y1"], 2: ["b1"] * 2, 3: ["b3", "b4", "b5", "b6", "b7", "b8", "y5", "y6", "y7"]}
    return Table(**{"hands": hands, "top": "r5", "clock": CLOCK, **more})  # type: ignore[arg-type]


async def pictured(app: Sitting, name: str, size: tuple[int, int] = (80, 24), *keys: str) -> None:
    async with app.run_test(size=size) as pilot:
        await settled(pilot, *keys)
        check(app, name)


async def settled(pilot: Pilot[int], *keys: str) -> None:
    await pilot.pause()
    await pilot.press(*keys)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_our_turn(size: tuple[int, int]) -> None:
    await pictured(Sitting(playing()), "uno-turn", size, "right")


@pytest.mark.parametrize("choice", ["256", "mono", "light", "ascii"])
async def test_our_turn_in_another_look(choice: str) -> None:
    look = look_for({"TERM": "xterm-256color"}, choice)
    await pictured(Sitting(playing(), look=look), f"uno-turn-{choice}", (80, 24), "right")


async def test_a_plain_screen_is_plain() -> None:
    table = playing(["g5", "g1"], deck=["y9"])
    async with Sitting(table, look=look_for({"TERM": "xterm-256color"}, "ascii,mono")).shown() as (app, pilot):
        for key in ("", "d"):
            await settled(pilot, *filter(None, [key]))
            assert_plain(app)
    assert all(key.isascii() and does.isascii() for key, does in UnoWidget.KEYS)


async def test_fifteen_cards() -> None:
    await pictured(Sitting(playing(LARGE)), "uno-fifteen", (80, 24), *["right"] * 6)


async def test_a_colour_is_asked() -> None:
    await pictured(Sitting(playing()), "uno-colour", (80, 24), "6")


async def test_another_has_the_turn() -> None:
    await pictured(Sitting(playing(turn=1)), "uno-wait")


async def test_ten_players() -> None:
    await pictured(Sitting(playing(seats=10)), "uno-ten", (60, 20))


async def test_cards_are_marked() -> None:
    table = playing(["r5", "y5", "g5", "b+2"], top="r7", multi_play=True)
    mono = look_for({"TERM": "xterm-256color"}, "mono")
    await pictured(Sitting(table, look=mono), "uno-marked-mono", (80, 24), "m", "right", "m", "right")


async def test_a_penalty_is_stacked() -> None:
    hands = {0: ["r+2", "g1", "y2"], 3: ["b+2", "b1", "b2"]}
    table = playing(hands=hands, turn=3, top="b5", stack2=True)
    table.act(3, do="play", card="b+2")
    await pictured(Sitting(table), "uno-penalty")


async def test_a_forgotten_call_and_somebody_to_catch() -> None:
    table = playing(["r5", "g1"], top="r7")
    table.act(0, do="play", card="r5")
    await pictured(Sitting(table), "uno-breath")
    await pictured(Sitting(table, seat=2), "uno-catch")


async def test_a_watcher() -> None:
    table = playing()
    table.watch()
    await pictured(Sitting(table, seat=4), "uno-watch")
