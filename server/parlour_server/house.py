"""House bots: a child process that connects like any bot. It ends with the pipe to its parent."""

import asyncio
import json
import sys

import structlog

from parlour_server.rooms.identity import Identities

HOUSE_BOTS = {
    "ada": "uno.painfirst",
    "bruno": "uno.painfirst",
    "cleo": "uno.painfirst",
    "dice": "uno.random",
    "mina": "minesweeper.exact",
    "milo": "minesweeper.exact",
    "adam": "minesweeper.article",
}
"""The house bots' names and what plays under them."""
LONGEST_PAUSE = 60.0
STOPS_WITHIN = 3.0
"""Seconds."""

log = structlog.get_logger()


async def keep_house_bots(url: str, identities: Identities) -> None:
    """Run the house bots until cancelled; start them again, less and less eagerly, if they die."""
    pause = 1.0
    while True:
        await _run(url, identities)
        log.warning("the house bots have stopped", again_in_seconds=pause)
        await asyncio.sleep(pause)
        pause = min(LONGEST_PAUSE, pause * 2)


async def _run(url: str, identities: Identities) -> None:
    tickets = [{"name": name, "ticket": identities.ticket(name), "bot": bot} for name, bot in HOUSE_BOTS.items()]
    command = (sys.executable, "-m", "parlour_bots.house")
    child = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL
    )
    assert child.stdin is not None
    try:
        child.stdin.write(json.dumps({"url": url, "tickets": tickets}).encode() + b"\n")
        await child.stdin.drain()
        await child.wait()
    except (BrokenPipeError, ConnectionResetError):
        await child.wait()
    finally:
        if child.returncode is None:
            child.stdin.close()
            child.terminate()
            await _end(child)


async def _end(child: asyncio.subprocess.Process) -> None:
    try:
        async with asyncio.timeout(STOPS_WITHIN):
            await child.wait()
    except TimeoutError:
        child.kill()
        await child.wait()
