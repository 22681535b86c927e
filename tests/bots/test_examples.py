import itertools
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.bots.rooms import MATCH, fail, said, watched
from tests.support.server import ServerProcess

from parlour_bots.loading import find
from parlour_bots.play.network import BotClient, connection, play_room

_numbers = itertools.count()
EXAMPLES = Path(__file__).parents[2] / "bots" / "examples"


async def played(server: ServerProcess, *command: str | Path) -> tuple[Any, tuple[int | None, str, str]]:
    """Let a bot's program, given the room and the server, play a match against ``painfirst``."""

    def bots(room: str) -> list[Any]:
        other = BotClient(connection(server.url, f"other-{next(_numbers)}"), find("painfirst"), fail)
        return [
            said(*(word.format(room=room, url=server.url) for word in map(str, command))),
            play_room(other, room),
        ]

    over, (ended, _) = await watched(server.url, 2, bots)
    return over.result, ended


async def test_hello_over_the_network(server: ServerProcess) -> None:
    command = (sys.executable, EXAMPLES / "hello.py", "--room", "{room}", "--server", "{url}", "--json")
    result, (code, out, err) = await played(server, *command)
    assert (code, MATCH.fullmatch(err) is not None) == (0, True), err
    assert sorted(json.loads(out)["scores"].values()) == sorted(result["scores"].values())
    assert json.loads(out)["scores"].keys() > {"hello"}


async def test_bot_whose_name_is_taken_comes_in_under_another(server: ServerProcess) -> None:
    command = (sys.executable, EXAMPLES / "hello.py", "--room", "{room}", "--server", "{url}", "--json")
    async with connection(server.url, "hello"), connection(server.url, "hello-2"):
        _, (code, out, err) = await played(server, *command)
    assert (code, MATCH.fullmatch(err) is not None) == (0, True), err
    assert err.startswith("hello-3 joined ")
    assert json.loads(out)["scores"].keys() > {"hello-3"}


@pytest.mark.long
async def test_hello_in_process() -> None:
    code, out, err = await said(sys.executable, EXAMPLES / "hello.py", "--seed", "5")
    assert (code, err) == (0, "")
    assert "hello-0" in out


async def test_ten_lines_of_python(server: ServerProcess) -> None:
    result, (code, _, err) = await played(server, sys.executable, EXAMPLES / "smallest.py", "{room}", "{url}")
    assert (code, err) == (0, "")
    assert len(result["ranks"]) == 2


@pytest.mark.node
async def test_javascript_with_nothing_but_a_websocket(server: ServerProcess, node_executable: Path) -> None:
    result, (code, out, err) = await played(server, node_executable, EXAMPLES / "smallest.mjs", "{room}", "{url}")
    assert (code, err) == (0, "")
    assert json.loads(out) == result
