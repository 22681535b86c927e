"""Programs on a real server: good and bad ones play whole matches there."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

import pytest
from tests.bots.rooms import MATCH, said, watched
from tests.support.server import ServerProcess, environment

TEMPLATES = Path(__file__).parents[3] / "bots" / "parlour_bots" / "templates"
PARLOUR = (sys.executable, "-m", "parlour_client.cli.main", "bot")


async def parlour(server: ServerProcess, *words: str) -> tuple[int | None, str, str]:
    return await said(*PARLOUR, *words, env=environment(server.folder, PARLOUR_SERVER=server.url))


@pytest.mark.long
async def test_shell_script_plays_on_a_server(server: ServerProcess) -> None:
    def bots(room: str) -> list[Any]:
        program = ("exec", "--room", room, "--json", "--", "sh", str(TEMPLATES / "uno.sh"))
        return [parlour(server, *program), parlour(server, "run", "painfirst", "--room", room, "--json")]

    over, ended = await watched(server.url, 2, bots)
    scores = sorted(over.result["scores"].values())
    assert [(code, MATCH.fullmatch(err) is not None) for code, _, err in ended] == [(0, True), (0, True)], ended
    assert [sorted(json.loads(out)["scores"].values()) for _, out, _ in ended] == [scores, scores]


async def test_bot_opens_a_room_and_another_comes_in(server: ServerProcess) -> None:
    command = (*PARLOUR, "run", "painfirst", "--open", "2", "--json")
    settings = environment(server.folder, PARLOUR_SERVER=server.url)
    host = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE, env=settings)
    try:
        assert host.stderr is not None
        told = (await asyncio.wait_for(host.stderr.readline(), 30)).decode()
        room = told.removeprefix("painfirst opened room ").partition(" ")[0]
        code, out, err = await parlour(server, "run", "random", "--room", room, "--json")
        hosted, seen = await host.communicate()
    finally:
        if host.returncode is None:
            host.kill()
            await host.communicate()
    assert (host.returncode, code) == (0, 0)
    assert told == f"painfirst opened room {room} (uno); the match starts when all seats are taken.\n"
    match = f"Match 1 in {room} against {{}}.\nMatch 1 in {room} is over.\n"
    assert err == f"random joined {room} (uno) at {server.url}. Press Ctrl-C to stop.\n" + match.format("painfirst")
    assert seen.decode() == match.format("random")
    assert json.loads(hosted)["digest"] == json.loads(out)["digest"]
