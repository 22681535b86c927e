"""Programs on a real server: good and bad ones play whole matches there."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.bots.programs import EACH_FIRST, shell
from tests.bots.rooms import MATCH, said, watched
from tests.support.server import ServerProcess, environment

from parlour_bots.errors import Mistake
from parlour_bots.loading import find
from parlour_bots.play.foreign import Foreign
from parlour_bots.play.network import BotClient, connection, play_room
from parlour_bots.sdk import BotSpec

TEMPLATES = Path(__file__).parents[3] / "bots" / "parlour_bots" / "templates"
PARLOUR = (sys.executable, "-m", "parlour_client.cli.main", "bot")


async def parlour(server: ServerProcess, *words: str) -> tuple[int | None, str, str]:
    """Run ``parlour bot``."""
    return await said(*PARLOUR, *words, env=environment(server.folder, PARLOUR_SERVER=server.url))


async def meets_painfirst(server: ServerProcess, name: str, command: list[str]) -> tuple[Any, list[Mistake]]:
    """Let a program play a match and return the result and its mistakes."""
    mistakes: list[Mistake] = []
    playing = BotSpec(name, lambda: Foreign(command, name, 1), external=True)

    def bots(room: str) -> list[Any]:
        clients = [
            BotClient(connection(server.url, name), playing, mistakes.append),
            BotClient(connection(server.url, f"{name}-2"), find("painfirst"), mistakes.append),
        ]
        return [play_room(client, room) for client in clients]

    over, _ = await watched(server.url, 2, bots)
    return over.result, mistakes


@pytest.mark.long
async def test_shell_script_plays_on_a_server(server: ServerProcess) -> None:
    def bots(room: str) -> list[Any]:
        program = ("exec", "--room", room, "--json", "--", "sh", str(TEMPLATES / "uno.sh"))
        return [parlour(server, *program), parlour(server, "run", "painfirst", "--room", room, "--json")]

    over, ended = await watched(server.url, 2, bots)
    scores = sorted(over.result["scores"].values())
    assert [(code, MATCH.fullmatch(err) is not None) for code, _, err in ended] == [(0, True), (0, True)], ended
    assert [sorted(json.loads(out)["scores"].values()) for _, out, _ in ended] == [scores, scores]


async def test_sound_program_makes_no_mistakes(server: ServerProcess) -> None:
    result, mistakes = await meets_painfirst(server, "sound", shell(EACH_FIRST))
    assert (len(result["ranks"]), mistakes) == (2, [])


@pytest.mark.parametrize(
    ("name", "script", "kind"),
    [
        ("crash", "exit 1", "broken"),
        ("flood", "cat /dev/zero", "broken"),
        ("absurd", "read -r g; while read -r t; do echo 99; done", "illegal"),
    ],
)
async def test_bad_program_harms_only_itself(server: ServerProcess, name: str, script: str, kind: str) -> None:
    result, mistakes = await meets_painfirst(server, name, shell(script))
    assert result["ranks"]["0"] != result["ranks"]["1"]
    assert {mistake.kind for mistake in mistakes} == {kind}


async def test_bot_opens_a_room_and_another_comes_in(server: ServerProcess) -> None:
    pipe = asyncio.subprocess.PIPE
    settings = environment(server.folder, PARLOUR_SERVER=server.url)
    host = await asyncio.create_subprocess_exec(
        *(*PARLOUR, "run", "painfirst", "--open", "2", "--json"), stdout=pipe, stderr=pipe, env=settings
    )
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
