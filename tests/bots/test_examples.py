import itertools
import json
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.bots.rooms import MATCH, fail, said, watched
from tests.support.server import ServerProcess

from parlour_bots.loading import find
from parlour_bots.play.network import BotClient, connection, play_room

_numbers = itertools.count()
EXAMPLES = Path(__file__).parents[2] / "bots" / "examples"


async def played(server: ServerProcess, *command: str | Path) -> tuple[Any, str, str]:
    """Let a bot's program, given the room and the server, play a match against ``painfirst``; return what it said."""

    def bots(room: str) -> list[Any]:
        other = BotClient(connection(server.url, f"other-{next(_numbers)}"), find("painfirst"), fail)
        words = (word.format(room=room, url=server.url) for word in map(str, command))
        return [said(*words), play_room(other, room)]

    over, ((code, out, err), _) = await watched(server.url, 2, bots)
    assert code == 0, err
    return over.result, out, err


@pytest.mark.parametrize("taken", [[], ["hello", "hello-2"]], ids=["", "its name is taken"])
async def test_hello_over_the_network(server: ServerProcess, taken: list[str]) -> None:
    command = (sys.executable, EXAMPLES / "hello.py", "--room", "{room}", "--server", "{url}", "--json")
    async with AsyncExitStack() as others:
        for each in taken:
            await others.enter_async_context(connection(server.url, each))
        result, out, err = await played(server, *command)
    name = "hello-3" if taken else "hello"
    assert MATCH.fullmatch(err), err
    assert err.startswith(f"{name} joined ")
    assert sorted(json.loads(out)["scores"].values()) == sorted(result["scores"].values())
    assert json.loads(out)["scores"].keys() > {name}


async def test_ten_lines_of_python(server: ServerProcess) -> None:
    result, _, err = await played(server, sys.executable, EXAMPLES / "smallest.py", "{room}", "{url}")
    assert (len(result["ranks"]), err) == (2, "")


@pytest.mark.node
async def test_javascript_with_nothing_but_a_websocket(server: ServerProcess, node_executable: Path) -> None:
    result, out, err = await played(server, node_executable, EXAMPLES / "smallest.mjs", "{room}", "{url}")
    assert (json.loads(out), err) == (result, "")
