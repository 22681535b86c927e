"""Hosting from the start screen: a server for the network that lasts as long as its host is there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from parlour_bots.hosting.child_server import serving
from parlour_client.core.errors import CannotConnect
from parlour_client.core.queries import visiting
from parlour_client.core.url import DEFAULT_PORT, DEFAULT_URL
from parlour_client.play.entry import Entry
from parlour_protocol.messages import Create, Join


@asynccontextmanager
async def at_home(enter: Create | Join, *, name: str, key: str | None) -> AsyncIterator[Entry]:
    """Open a server for the network on the usual port, and yield the way into the room that ``enter`` makes or names.

    It remembers what a server on this machine always does, so that whoever hosts again goes on with the same rooms.
    If a server is running here already, it is that on which the room is. Raises CannotConnect.
    """
    if await _running():
        yield Entry(DEFAULT_URL, enter, name, own_name=False, key=key)
        return
    async with serving("--lan", port=DEFAULT_PORT, keep=True) as server:
        yield Entry(server.url, enter, name, own_name=False, key=key, ends=True)


async def _running() -> bool:
    """Whether a server answers on the usual port of this machine."""
    try:
        async with visiting(DEFAULT_URL):
            return True
    except CannotConnect:
        return False
