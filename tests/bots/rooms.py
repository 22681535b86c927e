"""Rooms on a real server, opened and watched by a spectator, for bots to play in."""

import asyncio
import itertools
import re
from collections.abc import Callable, Mapping
from typing import Any

from tests.support.waiting import PATIENCE

from parlour_bots.errors import Mistake
from parlour_bots.play.network import connection
from parlour_client.core.connection import Connection
from parlour_protocol.messages import Create, Error, Joined, Over, Plain, ServerMessage

OPTIONS: Plain = {"target": 100, "pause": 0, "breath": 0}
_numbers = itertools.count()
MATCH = re.compile(
    r"\S+ joined (\w+) \(\w+\) at \S+\. Press Ctrl-C to stop\.\n"
    r"Match 1 in \1 against \S+\.\n"
    r"Match 1 in \1 is over\.\n"
)
"""What a bot that plays one match in a room without mistakes tells of it."""


async def said(*command: object, env: Mapping[str, str] | None = None) -> tuple[int | None, str, str]:
    """Run a program; return its exit code and what it said."""
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(*map(str, command), stdout=pipe, stderr=pipe, env=env)
    try:
        out, err = await child.communicate()
    finally:
        if child.returncode is None:
            child.kill()
            await child.communicate()
    return child.returncode, out.decode(), err.decode()


def fail(mistake: Mistake) -> None:
    raise AssertionError(str(mistake))


async def opened(audience: Connection, seats: int, game: str = "uno", options: Plain = OPTIONS) -> str:
    """Open a room that begins when its last seat is taken; return its code."""
    create = Create(game, options, seats=seats, private=True, start="full", as_="spectator")
    await audience.send(create)
    joined = await until(audience, lambda message: isinstance(message, Joined))
    assert isinstance(joined, Joined)
    return joined.room


async def until(audience: Connection, wanted: Callable[[ServerMessage], bool]) -> ServerMessage:
    """Return the first message that is wanted. An error message fails the test."""
    async for message in audience:
        assert not isinstance(message, Error), message
        if wanted(message):
            return message
    raise AssertionError(f"the connection ended: {audience.state}")


async def watched(url: str, seats: int, bots: Callable[[str], list[Any]]) -> tuple[Over, list[Any]]:
    """Open a room, run the coroutines of ``bots`` (given its code), and return its end and what they returned."""
    async with asyncio.timeout(PATIENCE), connection(url, f"audience-{next(_numbers)}") as audience:
        room = await opened(audience, seats)
        playing = asyncio.gather(*bots(room))
        over = await until(audience, lambda message: isinstance(message, Over))
        assert isinstance(over, Over)
        return over, await playing
