"""The face as a picture: three sizes in truecolour, the other looks and other moments at 80×24."""

from collections.abc import Callable

import pytest
from tests.client.tui.games.uno.tables import Sitting, Table
from tests.client.tui.scripted_app import LOOKS
from tests.client.tui.snapshots import assert_plain, check

from parlour_client.tui.games.uno.widget import UnoWidget
from parlour_client.tui.theme import look_for

HAND = ["r7", "rs", "y3", "g7", "b+2", "w", "w+4"]
LARGE = [*HAND, "r1", "r2", "y4", "y8", "g1", "g5", "b9", "br"]
CLOCK = {"bank": 21_000, "add": 0}
NORMAL = (80, 24)


def playing(hand: list[str] = HAND, **more: object) -> Table:
    hands = {0: hand, 1: ["y1"], 2: ["b1"] * 2, 3: ["b3", "b4", "b5", "b6", "b7", "b8", "y5", "y6", "y7"]}
    return Table(**{"hands": hands, "top": "r5", "clock": CLOCK, **more})  # type: ignore[arg-type]


def penalty() -> Table:
    hands = {0: ["r+2", "g1", "y2"], 3: ["b+2", "b1", "b2"]}
    table = playing(hands=hands, turn=3, top="b5", stack2=True)
    table.act(3, do="play", card="b+2")
    return table


def breath() -> Table:
    """Return a table where one has forgotten to call, and may be caught."""
    table = playing(["r5", "g1"], top="r7")
    table.act(0, do="play", card="r5")
    return table


def marking() -> Table:
    return playing(["r5", "y5", "g5", "b+2"], top="r7", multi_play=True)


def watched() -> Table:
    table = playing()
    table.watch()
    return table


PICTURES: list[tuple[str, Callable[[], Sitting], tuple[int, int], str]] = [
    *(("uno-turn", lambda: Sitting(playing()), size, "right") for size in ((60, 20), NORMAL, (120, 40))),
    *(
        (f"uno-turn-{look}", lambda look=look: Sitting(playing(), look=LOOKS[look]), NORMAL, "right")
        for look in ("256", "mono", "light")
    ),
    ("uno-turn-ascii", lambda: Sitting(playing(), look=look_for({"TERM": "xterm-256color"}, "ascii")), NORMAL, "right"),
    ("uno-fifteen", lambda: Sitting(playing(LARGE)), NORMAL, "right right right right right right"),
    ("uno-colour", lambda: Sitting(playing()), NORMAL, "6"),
    ("uno-wait", lambda: Sitting(playing(turn=1)), NORMAL, ""),
    ("uno-ten", lambda: Sitting(playing(seats=10)), (60, 20), ""),
    ("uno-marked-mono", lambda: Sitting(marking(), look=LOOKS["mono"]), NORMAL, "m right m right"),
    ("uno-penalty", lambda: Sitting(penalty()), NORMAL, ""),
    ("uno-breath", lambda: Sitting(breath()), NORMAL, ""),
    ("uno-catch", lambda: Sitting(breath(), seat=2), NORMAL, ""),
    ("uno-watch", lambda: Sitting(watched(), seat=4), NORMAL, ""),
]


@pytest.mark.parametrize(
    ("name", "sitting", "size", "keys"), PICTURES, ids=[f"{name}-{size[0]}" for name, _, size, _ in PICTURES]
)
async def test_it_looks_right(name: str, sitting: Callable[[], Sitting], size: tuple[int, int], keys: str) -> None:
    async with sitting().shown(size) as (app, pilot):
        await pilot.press(*keys.split())
        check(app, name)


async def test_a_plain_screen_is_plain() -> None:
    table = playing(["g5", "g1"], deck=["y9"])
    async with Sitting(table, look=LOOKS["plain"]).shown() as (app, pilot):
        assert_plain(app)
        await pilot.press("d")
        assert_plain(app)
    assert all(key.isascii() and does.isascii() for key, does in UnoWidget.KEYS)
