"""Checks of this machine as a host.

The server's own checks and a server to try out are passed in, because the client imports neither server nor bots.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeAlias

from parlour_client.core.errors import Fault, Usage
from parlour_client.core.queries import lobby
from parlour_client.doctor.findings import Finding

_MS = 1_000
Serving: TypeAlias = Callable[[], AbstractAsyncContextManager[Any]]


def hosting(checkup: Callable[[], Iterable[Any]], serving: Serving) -> Iterator[Finding]:
    """Yield the findings of the server's ``checkup``, then try a server that ``serving`` starts."""
    try:
        for row in checkup():
            yield Finding(*row)
    except ImportError as error:
        yield Finding("server", "fail", f"it cannot be loaded: {error}", "Install parlour again.")
        return
    except Usage as fault:
        yield Finding(
            "settings", "fail", f"invalid settings: {fault}", "Correct parlour.toml, or PARLOUR_… in the environment"
        )
        return
    yield asyncio.run(loopback(serving))


async def loopback(serving: Serving) -> Finding:
    """Start a server, list its rooms and stop it."""
    began = time.monotonic()
    try:
        async with serving() as server:
            up = time.monotonic()
            found = await lobby(server.url)
    except (Fault, OSError) as error:
        return Finding("loopback", "fail", f"a test server does not start: {error}", "Its log says why")
    if not found["rooms"]:
        return Finding("loopback", "fail", "a test server has no open room", "Please report this as a bug")
    said = time.monotonic() - up
    return Finding(
        "loopback", "ok", f"a test server started in {(up - began) * _MS:.0f} ms and answered in {said * _MS:.0f} ms"
    )
