import asyncio
import itertools
import json
import sys
from asyncio.subprocess import PIPE
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.bots.rooms import MATCH, fail, said, watched
from tests.support.server import ServerProcess, environment

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


async def test_bot_opens_a_room_and_a_shell_script_comes_in(server: ServerProcess) -> None:
    parlour = (sys.executable, "-m", "parlour_client.cli.main", "bot")
    script = EXAMPLES.parent / "parlour_bots" / "templates" / "uno.sh"
    settings = environment(server.folder, PARLOUR_SERVER=server.url)
    opening = (*parlour, "run", "painfirst", "--open", "2", "--json")
    host = await asyncio.create_subprocess_exec(*opening, stdout=PIPE, stderr=PIPE, env=settings)
    try:
        assert host.stderr is not None
        told = (await asyncio.wait_for(host.stderr.readline(), 30)).decode()
        room = told.removeprefix("painfirst opened room ").partition(" ")[0]
        code, out, err = await said(*parlour, "exec", "--room", room, "--json", "--", "sh", script, env=settings)
        hosted, seen = await host.communicate()
    finally:
        if host.returncode is None:
            host.kill()
            await host.communicate()
    assert (host.returncode, code) == (0, 0)
    assert told == f"painfirst opened room {room} (uno); the match starts when all seats are taken.\n"
    match = f"Match 1 in {room} against {{}}.\nMatch 1 in {room} is over.\n"
    assert err == f"uno joined {room} (uno) at {server.url}. Press Ctrl-C to stop.\n" + match.format("painfirst")
    assert seen.decode() == match.format("uno")
    assert json.loads(hosted)["digest"] == json.loads(out)["digest"]
