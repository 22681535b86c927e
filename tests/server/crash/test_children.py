"""Processes beside the server that are killed: another one takes over, and no match ends because of it."""

import asyncio
import os
import re
import signal
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pytest
from tests.support.processes import children
from tests.support.server import ServerProcess, server_process
from tests.support.sockets import Map, Socket, open_socket
from tests.support.waiting import until

BOARDS = 4
"""Boards that are computed while processes are killed."""


async def compute(socket: Socket, kill: Callable[[], None]) -> None:
    """Open a cell of boards that need no guess, whose mines are computed then. Any of two processes may do that."""
    options = {"mode": "solo", "level": "intermediate", "no_guess": True}
    for _ in range(BOARDS):
        turn = await socket.ask("create", "turn", game="minesweeper", options=options, seats=1, start="full")
        await socket.send("act", room=turn["room"], rid=1, act=100)
        kill()
        assert (await socket.until("turn", "over"))["t"] == "turn"


async def play_with_a_bot(socket: Socket, kill: Callable[[], None]) -> None:
    """Sit at a table with a house bot."""
    room = (await socket.ask("create", "joined", game="uno", seats=2))["room"]
    await until(lambda: _is_done(socket, "invite", room=room), every=0.3)
    kill()
    for here in (False, True):
        while _bot(await socket.until("seats"))["here"] != here:
            pass


WORK = {
    "computations": ("parlour_server.node.computations", compute),
    "house_bots": ("parlour_bots.hosting.house_bots", play_with_a_bot),
}
"""What a process does, the module that it runs, and what needs it."""


@pytest.mark.parametrize(
    "what", [each if each == "computations" else pytest.param(each, marks=pytest.mark.long) for each in WORK]
)
async def test_the_work_of_a_process_that_is_killed_goes_on(tmp_path: Path, what: str) -> None:
    module, work = WORK[what]
    with server_process(tmp_path, house_bots=True) as server:

        def kill() -> None:
            for pid in children(server.pid):
                if module in Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8"):
                    os.kill(pid, signal.SIGKILL)

        async with open_socket(server.url) as socket:
            await socket.hello("anna")
            await work(socket, kill)
        metrics = await asyncio.to_thread(_get, server, "/metrics")
        assert re.search(rf'parlour_restarts_total{{what="\w*{what}"}} [1-9]', metrics)
        await until(lambda: _is_well(server), every=0.3)  # a process that starts again takes a while to be ready


async def _is_well(server: ServerProcess) -> bool:
    return await asyncio.to_thread(_get, server, "/healthz") == "ok\n"


async def _is_done(socket: Socket, t: str, **fields: str) -> bool:
    await socket.send(t, **fields)
    return bool((await socket.until("ok", "error"))["t"] == "ok")


def _bot(seats: Map) -> Map:
    bot: Map
    [bot] = [row for row in seats["table"]["seats"] if row["kind"] == "bot"]
    return bot


def _get(server: ServerProcess, path: str) -> str:
    with urlopen(server.url.replace("ws", "http", 1) + path) as answer:
        text: str = answer.read().decode()
        return text
