"""A bot opens a room on a real server, and a program comes in."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

from tests.bots.rooms import said
from tests.support.server import ServerProcess, environment

SCRIPT = Path(__file__).parents[3] / "bots" / "parlour_bots" / "templates" / "uno.sh"
PARLOUR = (sys.executable, "-m", "parlour_client.cli.main", "bot")


async def test_bot_opens_a_room_and_a_shell_script_comes_in(server: ServerProcess) -> None:
    command = (*PARLOUR, "run", "painfirst", "--open", "2", "--json")
    settings = environment(server.folder, PARLOUR_SERVER=server.url)
    host = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE, env=settings)
    try:
        assert host.stderr is not None
        told = (await asyncio.wait_for(host.stderr.readline(), 30)).decode()
        room = told.removeprefix("painfirst opened room ").partition(" ")[0]
        code, out, err = await said(*PARLOUR, "exec", "--room", room, "--json", "--", "sh", SCRIPT, env=settings)
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
