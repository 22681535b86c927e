"""The pauses of a bot among people, on a virtual clock."""

import asyncio
import random

import pytest
from tests.bots.messages import ROOM, joined, seats, turn
from tests.bots.play.test_network import Script, client

from parlour_bots.play.network import MOST_OF_CLOCK, SPREAD, Pace, one_click
from parlour_bots.sdk import AnyTurn, bot_spec
from parlour_protocol.messages import Act, Kind, Plain, Update


class Clock:
    def __init__(self) -> None:
        self.pauses: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)


def pace(clock: Clock, seconds: float = 0, tempo: float = 1) -> Pace:
    return Pace(seconds, tempo, random.Random(7), clock.sleep)


@pytest.mark.parametrize(
    ("action", "sent"),
    [
        (7, 7),
        ({"do": "open", "cells": [[0, 0], [1, 0]]}, {"do": "open", "cells": [[0, 0]]}),
        ({"do": "seq", "moves": [["flag", 0, 0], ["open", 1, 0]]}, {"do": "seq", "moves": [["flag", 0, 0]]}),
        ({"do": "bomb", "at": [2, 2]}, {"do": "bomb", "at": [2, 2]}),
    ],
)
async def test_each_card_or_click_takes_a_pause(action: int | Plain, sent: int | Plain) -> None:
    clock = Clock()
    assert one_click(Act(ROOM, 1, action, "why")) == Act(ROOM, 1, sent, "why")
    await pace(clock).wait(0.8)
    [paused] = clock.pauses
    assert 0.8 * (1 - SPREAD) <= paused <= 0.8 * (1 + SPREAD)


async def test_pauses_differ_and_leave_most_of_the_clock() -> None:
    clock = Clock()
    one = pace(clock)
    for left in (None, None, 1000):
        await one.wait(0.8, left)
    assert clock.pauses[0] != clock.pauses[1]
    assert clock.pauses[2] == MOST_OF_CLOCK


@pytest.mark.parametrize(
    ("meanwhile", "asked"),
    [
        (Update(ROOM, 2, {"after": True}, [{"e": "opened"}], [], {}), [({"after": True}, ["opened"])]),
        (Update(ROOM, 2, {"phase": "over"}, [], [], {}), []),  # the result follows
    ],
    ids=["news", "over"],
)
async def test_a_bot_decides_after_its_pause_on_what_has_happened_meanwhile(
    meanwhile: Update, asked: list[tuple[Plain, list[str]]]
) -> None:
    script, seen = Script(), []

    async def sleep(seconds: float) -> None:
        script.say(meanwhile)
        await script.close()
        for _ in range(5):  # both are read
            await asyncio.sleep(0)

    def decide(turn: AnyTurn) -> int:
        seen.append((turn.view, [event["e"] for event in turn.events]))
        return 4

    seated = joined(seat=0)
    seated.table["pace"] = 1000
    script.say(seated, turn(1))
    await client(script, bot_spec(decide, "bot"), pace=Pace(sleep=sleep)).run()
    assert seen == asked


@pytest.mark.parametrize(
    ("kind", "of_room", "mean"),
    [("human", None, 0.4), ("bot", None, 0), ("human", 0, 0), ("human", 2000, 1), ("bot", 2000, 1)],
)
async def test_a_room_without_a_pace_has_bots_pause_where_a_person_has_a_seat(
    kind: Kind, of_room: int | None, mean: float
) -> None:
    clock, script, seated = Clock(), Script(), joined(seat=0)
    seated.table["pace"] = of_room
    seated.table["seats"] = [{**row, "kind": kind} for row in seats("maria")]
    script.say(seated, turn(1))
    await script.close()
    await client(script, bot_spec(lambda turn: 4, "bot"), pace=pace(clock, 0.8, 0.5)).run()
    assert [message.act for message in script.sent if isinstance(message, Act)] == [4]
    assert clock.pauses == ([pytest.approx(mean, rel=SPREAD)] if mean else [])
