"""A server of one's own: ``parlour serve`` as a child process, which ends with the pipe to its parent."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

import attrs

from parlour_client.core.errors import CannotConnect

READY_WITHIN = 20.0
STOPS_WITHIN = 10.0
"""Seconds."""


@attrs.frozen
class Server:
    """A server that is ready: where it is, its process, and the operator's token."""

    url: str
    pid: int
    admin: str


@asynccontextmanager
async def serving(*options: str, port: int = 0, keep: bool = False) -> AsyncIterator[Server]:
    """Run a server on this machine while in the context.

    ``port``: 0 takes a free one. ``keep``: its store is the usual one of this machine, and stays; else it has one of
    its own that is deleted at the end. ``options`` are further ones of ``parlour serve``. Raises CannotConnect with
    what the server had to say if it does not come up.
    """
    with TemporaryDirectory(prefix="parlour-") as folder:
        log = Path(folder, "server.log")
        store = () if keep else ("--store", f"sqlite:///{Path(folder, 'parlour.db')}")
        child = await _start(log, "--port", str(port), *store, *options)
        try:
            yield await _ready(child) or _failed(log)
        finally:
            await _stop(child)


async def _start(log: Path, *options: str) -> asyncio.subprocess.Process:
    settings = ("--host", "127.0.0.1", "--log-level", "warning")
    with log.open("wb") as stderr:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "parlour_client.cli.main", "serve", "--ready-json", *settings, *options),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=stderr,
            env={name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")},
            start_new_session=True,  # Ctrl-C is for us: the server ends after us
        )


async def _ready(child: asyncio.subprocess.Process) -> Server | None:
    assert child.stdout is not None
    try:
        ready = json.loads(await asyncio.wait_for(child.stdout.readline(), READY_WITHIN))
    except (TimeoutError, ValueError):
        return None
    return Server(ready["url"], ready["pid"], ready["admin"])


def _failed(log: Path) -> NoReturn:
    said = log.read_text(errors="replace").strip() or "it said nothing"
    raise CannotConnect(f"the server for this game did not start: {said}")


async def _stop(child: asyncio.subprocess.Process) -> None:
    assert child.stdin is not None
    child.stdin.close()
    try:
        await asyncio.wait_for(child.wait(), STOPS_WITHIN)
    except TimeoutError:
        child.kill()
        await child.wait()
