from typing import Any

import pytest
from tests.client.scripted_server import ScriptedSocket, server

from parlour_client.core.errors import Refused
from parlour_client.core.queries import lobby, people
from parlour_protocol.messages import Error, List, Rooms

FIRST: Any = {"room": "AAAA", "game": "uno", "state": "waiting", "seats": 4, "taken": 1, "kinds": "any", "watch": True}
SECOND: Any = {**FIRST, "room": "BBBB"}
BOT: Any = {"name": "ada", "games": ["uno"], "free": 3}


async def test_all_pages_are_asked_for() -> None:
    async def script(it: ScriptedSocket) -> None:
        await it.greet()
        pages: Any = (({**FIRST, "host": "otto"}, "AAAA"), ({**SECOND, "host": None}, None))
        for page, after in pages:
            asked = await it.expect(List)
            assert (asked.game, asked.after) == ("uno", None if after else "AAAA")
            await it.say(Rooms([page], [BOT], after, re=asked.id))
        await it.socket.wait_closed()

    async with server(script) as url:
        found = await lobby(url, "uno")
    assert found["server"] == f"ws://{url}"
    assert [row["room"] for row in found["rooms"]] == ["AAAA", "BBBB"]
    assert found["bots"] == [BOT]


async def test_a_refusal() -> None:
    async def script(it: ScriptedSocket) -> None:
        await it.greet()
        await it.hear()
        await it.say(Error("no_game", "there is no game 'chess'"))
        await it.socket.wait_closed()

    async with server(script) as url:
        with pytest.raises(Refused, match="no game 'chess'"):
            await lobby(url, "chess")


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"host": None}, []),
        ({"host": "otto"}, ["host otto"]),
        ({"host": "otto", "players": []}, ["host otto"]),
        ({"host": "eve", "players": ["eve:bot", "pia:human"]}, ["pia", "eve (bot, host)"]),
        ({"host": "otto", "players": ["eve:bot", "otto:human", "pia:human"]}, ["otto (host)", "pia", "eve (bot)"]),
        ({"host": None, "players": ["eve:bot"]}, ["eve (bot)"]),
    ],
)
def test_who_is_told_of_in_a_room(told: Any, said: list[str]) -> None:
    row: Any = {**FIRST, **told}
    if "players" in told:
        row["players"] = [dict(zip(("name", "kind"), each.split(":"), strict=True)) for each in told["players"]]
    assert people(row) == said
