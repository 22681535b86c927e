"""Run ``parlour serve`` as a child process, which stops when the pipe from its parent closes.

The start screen hosts with it: a server for the local network that stops when its host leaves.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

import attrs

from parlour_client.core.errors import CannotConnect
from parlour_client.core.queries import visiting
from parlour_client.core.url import DEFAULT_PORT, DEFAULT_URL
from parlour_client.play.entry import Entry
from parlour_protocol.installation import module_command
from parlour_protocol.messages import Create, Join

READY_WITHIN = 120.0  # on a slow or busy machine; a server that cannot start ends sooner
STOPS_WITHIN = 10.0
"""Seconds."""


@attrs.frozen
class Server:
    """A running server: its URL, process id, and admin token."""

    url: str
    pid: int
    admin: str


@asynccontextmanager
async def serving(*options: str, port: int = 0, keep: bool = False, store: Path | None = None) -> AsyncIterator[Server]:
    """Run a server on this machine while in the context.

    ``port`` 0 chooses a free port. With ``keep`` the server uses the machine's default store; otherwise the SQLite file
    ``store``, or a temporary one. ``options`` are passed to ``parlour serve``. Raises CannotConnect with the server's
    error output if the server does not start.
    """
    with TemporaryDirectory(prefix="parlour-") as folder:
        log = Path(folder, "server.log")
        kept = () if keep else ("--store", f"sqlite:///{store or Path(folder, 'parlour.db')}")
        child = await _start(log, "--port", str(port), *kept, *options)
        try:
            yield await _ready(child) or _failed(log)
        finally:
            await _stop(child)


async def _start(log: Path, *options: str) -> asyncio.subprocess.Process:
    settings = ("--host", "127.0.0.1", "--log-level", "warning")
    with log.open("wb") as stderr:
        return await asyncio.create_subprocess_exec(
            *module_command("parlour_client.cli.main", "serve", "--ready-json", *settings, *options),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=stderr,
            env={name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")},
            start_new_session=True,  # Ctrl-C must not stop the server before us
        )


async def _ready(child: asyncio.subprocess.Process) -> Server | None:
    assert child.stdout is not None
    try:
        async with asyncio.timeout(READY_WITHIN):
            ready = json.loads(await child.stdout.readline())
    except (TimeoutError, ValueError):
        return None
    return Server(ready["url"], ready["pid"], ready["admin"])


def _failed(log: Path) -> NoReturn:
    output = log.read_text(encoding="utf-8", errors="replace").strip() or "no output"
    raise CannotConnect(f"the local server did not start: {output}")


async def _stop(child: asyncio.subprocess.Process) -> None:
    assert child.stdin is not None
    child.stdin.close()
    try:
        await asyncio.wait_for(child.communicate(), STOPS_WITHIN)
    except TimeoutError:
        child.kill()
        await child.communicate()


@asynccontextmanager
async def at_home(
    enter: Create | Join, *, name: str, key: str | None, own_name: bool = False, once: bool = False, ssh: str = ""
) -> AsyncIterator[Entry]:
    """Run a server for the local network on the default port, and yield the entry to the room in ``enter``.

    The server uses this machine's default store, so that rooms survive until the next time. If a server is already
    running here, that one is used. ``ssh``: where the server serves the screens by ssh. Raises CannotConnect.
    """
    entry = Entry(DEFAULT_URL, enter, name, own_name=own_name, key=key, once=once)
    if await _running():
        yield entry
        return
    options = ("--ssh", ssh) if ssh else ()
    async with serving("--lan", *options, port=DEFAULT_PORT, keep=True) as server:
        yield attrs.evolve(entry, url=server.url, ends=True)


async def _running() -> bool:
    """Return whether a server answers on this machine's default port."""
    try:
        async with visiting(DEFAULT_URL):
            return True
    except CannotConnect:
        return False
