"""``parlour rooms --mine``: whose turn it is in one's own rooms, and what has ended while one was away."""

import asyncio
import json
import os
from pathlib import Path

from tests.support.commands import printed
from tests.support.server import server_process

from parlour_client.core.connection import Connection
from parlour_client.core.queries import ask
from parlour_client.core.session import Session
from parlour_protocol.messages import Clock, Create, Join, Leave, SeatsChanged, Start, Turn, Update

DAY: Clock = {"bank": 86_400_000, "add": 86_400_000, "cap": 86_400_000}
KEYS = {"anna": "ab" * 32, "bert": "cd" * 32}


async def two_matches(url: str) -> list[str]:
    """Begin two matches of anna and bert over days, let anna go, and bert leave the first one for good."""
    anna, bert = (Connection(url, Session(name, entropy=os.urandom, key=key)) for name, key in KEYS.items())
    rooms = []
    async with bert:
        async with anna:
            for _ in range(2):
                rooms.append((await ask(bert, Create("uno", {}, seats=2, clock=DAY, standin=False))).room)
                await ask(anna, Join(rooms[-1]))
                await bert.send(Start(rooms[-1]))
                async for message in anna:
                    if isinstance(message, Turn | Update):
                        break
        async for message in bert:  # the server may hear of anna's going later than of what bert does next
            if isinstance(message, SeatsChanged) and message.room == rooms[0] and not message.table["seats"][1]["here"]:
                break
        await ask(bert, Leave(rooms[0]))
    return rooms


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
