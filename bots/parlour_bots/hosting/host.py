"""Host from the start screen: a server for the local network that stops when its host leaves."""

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
    """Run a server for the local network on the default port, and yield the entry to the room in ``enter``.

    The server uses this machine's default store, so that rooms survive until the next time. If a server is already
    running here, that one is used. Raises CannotConnect.
    """
    if await _running():
        yield Entry(DEFAULT_URL, enter, name, own_name=False, key=key)
        return
    async with serving("--lan", port=DEFAULT_PORT, keep=True) as server:
        yield Entry(server.url, enter, name, own_name=False, key=key, ends=True)


async def _running() -> bool:
    """Return whether a server answers on this machine's default port."""
    try:
        async with visiting(DEFAULT_URL):
            return True
    except CannotConnect:
        return False
