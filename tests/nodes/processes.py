"""Several nodes as processes at one PostgreSQL, each with its own public address.

::

    async with processes(tmp_path, database, "one", "two") as at:
        ...                                          # connect to at["one"].url
        at["one"].kill()
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from tests.support.ports import free_port
from tests.support.server import ServerProcess


@asynccontextmanager
async def processes(
    folder: Path, database: str, *names: str, house_bots: bool = False
) -> AsyncIterator[dict[str, ServerProcess]]:
    """Run nodes with these names; clients that can follow a redirect get one."""
    starting = [asyncio.to_thread(partial(start, folder / name, name, database, house_bots)) for name in names]
    started = await asyncio.gather(*starting, return_exceptions=True)
    nodes = {name: node for name, node in zip(names, started, strict=True) if isinstance(node, ServerProcess)}
    try:
        for failure in started:
            if isinstance(failure, BaseException):
                raise failure
        yield nodes
    finally:
        for node in nodes.values():
            await asyncio.to_thread(node.close)


def start(folder: Path, name: str, database: str, house_bots: bool = False) -> ServerProcess:
    """Start the node ``name`` with its files in ``folder``."""
    folder.mkdir()
    port = free_port()
    flags = f"--node {name} --public-url ws://127.0.0.1:{port} --log-level warning --per-address 2000"
    return ServerProcess(folder, *flags.split(), store=database, port=port, house_bots=house_bots)
