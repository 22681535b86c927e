"""``parlour rooms --mine``: whose turn it is in one's own rooms, and what has ended while one was away."""

import asyncio
import json
import os
from pathlib import Path
from typing import TypeVar

from tests.support.commands import printed
from tests.support.server import server_process

from parlour_client.core.connection import Connection
from parlour_client.core.session import Session
from parlour_protocol.messages import Clock, Create, Join, Joined, Leave, Left, SeatsChanged, Start, Turn, Update

DAY: Clock = {"bank": 86_400_000, "add": 86_400_000, "cap": 86_400_000}
Message = TypeVar("Message")
KEYS = {"anna": "ab" * 32, "bert": "cd" * 32}


async def two_matches(url: str) -> list[str]:
    """Begin two matches of anna and bert over days, let anna go, and bert leave the first one for good."""
    anna, bert = (Connection(url, Session(name, entropy=os.urandom, key=key)) for name, key in KEYS.items())
    rooms = []
    async with bert:
        async with anna:
            for _ in range(2):
                await bert.send(Create("uno", {}, seats=2, clock=DAY, standin=False))
                rooms.append((await heard(bert, Joined)).room)
                await anna.send(Join(rooms[-1]))
                await heard(anna, Joined)
                await bert.send(Start(rooms[-1]))
                await heard(anna, Turn, Update)
        async for message in bert:  # the server may hear of anna's going later than of what bert does next
            if isinstance(message, SeatsChanged) and message.room == rooms[0] and not message.table["seats"][1]["here"]:
                break
        await bert.send(Leave(rooms[0]))
        await heard(bert, Left)
    return rooms


async def heard(connection: Connection, *wanted: type[Message]) -> Message:
    async for message in connection:
        if isinstance(message, wanted):
            return message
    raise AssertionError("the connection ended")


def test_own_games_and_missed_ends(tmp_path: Path) -> None:
    with server_process(tmp_path) as running:
        over, going = asyncio.run(two_matches(running.url))
        where = ("rooms", "--mine", "--server", running.url, "--name")
        found = json.loads(printed(*where, "anna", "--key", KEYS["anna"], "--json"))
        states = {room["room"]: (room["game"], room["seat"], room["state"]) for room in found["rooms"]}
        assert states == {over: ("uno", 1, "finished"), going: ("uno", 1, "playing")}
        assert [match["room"] for match in found["missed"]] == [over]
        told = printed(*where, "anna", "--key", KEYS["anna"])
        codes = [line.split()[0] for line in told.splitlines()]
        assert (codes.count(over), codes.count(going)) == (2, 1)
        assert found["missed"][0]["digest"] in told
        assert len(printed(*where, "cleo").splitlines()) == 1
