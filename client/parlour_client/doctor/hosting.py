"""Checks of this machine as a host's. The server is known by its name alone: a client never imports it."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from importlib import import_module

from cyclopts import CycloptsError

from parlour_client.core.errors import Fault
from parlour_client.core.queries import lobby
from parlour_client.core.sanitize import clean
from parlour_client.doctor.findings import Finding

_MS = 1_000


def hosting(words: Sequence[str]) -> Iterator[Finding]:
    """Yield how this machine would do as a host; ``words`` are ``--port`` and ``--store`` as for ``parlour serve``."""
    try:
        checkup = import_module("parlour_server.cli.doctor").checkup
        for row in checkup(list(words), exit_on_error=False, print_error=False, result_action="return_value"):
            yield Finding(*row)
    except ImportError as error:
        yield Finding("server", "fail", f"it cannot be loaded: {error}", "Install parlour again: pip install .")
        return
    except CycloptsError as error:
        says = clean(str(error), 300)
        yield Finding(
            "settings", "fail", f"they are refused: {says}", "Mend parlour.toml, or PARLOUR_… in the environment"
        )
        return
    yield asyncio.run(loopback())


async def loopback() -> Finding:
    """Start a server for a moment, say hello to it and ask what it has to offer."""
    began = time.monotonic()
    try:
        async with import_module("parlour_bots.hosting.child_server").serving("--no-house-bots") as server:
            up = time.monotonic()
            found = await lobby(server.url)
    except (Fault, OSError) as error:
        return Finding("loopback", "fail", f"a server for a try does not work: {error}", "Its own words tell why")
    if not found["rooms"]:
        return Finding("loopback", "fail", "a server for a try has no room open", "Please report that as a fault")
    said = time.monotonic() - up
    return Finding(
        "loopback", "ok", f"a server was up in {(up - began) * _MS:.0f} ms, and answered in {said * _MS:.0f} ms"
    )
