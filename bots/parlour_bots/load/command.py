"""``parlour load``."""

import asyncio
import json as encoding
import sys
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number
from rich.console import Console
from rich.progress import Progress

from parlour_bots.hosting.child_server import serving
from parlour_bots.load.process_usage import Server
from parlour_bots.load.report import Share, reading, report
from parlour_bots.load.traffic import Pattern, Table, Tally
from parlour_bots.tools.reports import Report
from parlour_client.core.errors import OK, Fault, Usage
from parlour_client.core.url import is_loopback, normalise_url
from parlour_games.plural import counted
from parlour_protocol.messages import Plain

WARM = 1.0
"""Seconds of play before anything is counted."""
_SITTING_AT_ONCE = 16
"""Tables that open their connections at a time."""
_OPTIONS: dict[str, Plain] = {
    "uno": {"pause": 0, "breath": 0},
    "minesweeper": {"mode": "race", "level": "expert", "penalty": 1},
}

Positive = Parameter(validator=Number(gt=0))


def load(
    *,
    server: Annotated[
        list[str] | None,
        Parameter(env_var="PARLOUR_SERVER", negative="", help="A server; again for each more. Default: one's own."),
    ] = None,
    rooms: Annotated[int, Positive, Parameter(help="How many tables.")] = 50,
    seconds: Annotated[float, Positive, Parameter(help="How long to measure.")] = 10.0,
    seats: Annotated[int, Positive, Parameter(help="Bots at a table.")] = 4,
    think: Annotated[int, Parameter(validator=Number(gte=0), help="Milliseconds before each answer.")] = 0,
    rate: Annotated[float | None, Positive, Parameter(help="Open loop: acts a second at each table.")] = None,
    game: Annotated[Literal["uno", "minesweeper"], Parameter(help="What is played.")] = "uno",
    encoded: Annotated[Literal["msgpack", "json"], Parameter("--encoding", help="How it is written.")] = "msgpack",
    remote: Annotated[bool, Parameter(negative="", help="Load another machine, one that is yours to load.")] = False,
    json: Annotated[bool, Parameter(negative="", help="Print the result as one JSON object.")] = False,
) -> int:
    """Put a server under load by tables of bots that answer by chance, and tell what it bears and what that costs.

    Without --rate the loop is closed: each bot answers at once, or after --think. With it acts fall due at a fixed
    rate, and what has to wait for the server counts as time. A server of its own has a process of its own and stores
    every move before it is shown. Several servers, as a rule nodes with one database, get the same number of tables
    each, and their figures are told one by one, too. What CPU they use is known where their /metrics are open to us: on
    this machine.

    Examples:
    parlour load --rooms 100 --seconds 10
    parlour load --rooms 20 --rate 5 --json
    parlour load --server localhost:7777 --rooms 10 --think 200
    parlour load --server localhost:7777 --server localhost:7778 --rooms 80
    """
    for url in server or ():
        if not remote and not is_loopback(normalise_url(url)):
            raise Usage(f"{url} is another machine; if it is yours to load, say so with --remote")
    pattern = Pattern(game, _OPTIONS[game], seats, think / 1000, rate, f"parlour.v1.{encoded}")
    told = asyncio.run(_loaded(server, pattern, rooms, seconds))
    sys.stdout.write(f"{encoding.dumps(told.data) if json else told.text}\n")
    return OK if told.sound else Fault.exit_code


async def _loaded(urls: Sequence[str] | None, pattern: Pattern, rooms: int, seconds: float) -> Report:
    """Play and measure. Raises the faults of a client."""
    tables = [Table(pattern, Tally(), seed) for seed in range(rooms)]
    async with AsyncExitStack() as stack:
        if urls:
            servers = [Server(normalise_url(url)) for url in urls]
        else:
            own = await stack.enter_async_context(
                serving("--no-house-bots", "--per-address", str(rooms * pattern.seats + 1))
            )
            servers = [Server(own.url, own.pid)]
        shares = [Share(server, tables[number :: len(servers)], Tally()) for number, server in enumerate(servers)]
        stack.push_async_callback(_close, tables)
        await _sit(shares)
        playing = [asyncio.create_task(table.play()) for table in tables]
        try:
            await _pass(WARM, "warming up")
            began = await reading(shares)
            for share in shares:
                for table in share.tables:
                    table.tally = share.tally
            await _pass(seconds, counted(rooms, "table"))
            return report(pattern, shares, began, await reading(shares))
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)


async def _sit(shares: Iterable[Share]) -> None:
    gate = asyncio.Semaphore(_SITTING_AT_ONCE)

    async def sit(table: Table, url: str) -> None:
        async with gate:
            await table.sit(url)

    await asyncio.gather(*(sit(table, share.server.url) for share in shares for table in share.tables))


async def _close(tables: Iterable[Table]) -> None:
    await asyncio.gather(*(table.close() for table in tables))


async def _pass(seconds: float, doing: str) -> None:
    """Let time pass, and show how much of it has: a bar on a terminal, a line anywhere else."""
    console = Console(stderr=True)
    if not console.is_terminal:
        sys.stderr.write(f"{doing}: {seconds:g} s\n")
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(doing, total=seconds)
        for tenth in range(10):
            await asyncio.sleep(seconds / 10)
            bar.update(task, completed=seconds * (tenth + 1) / 10)
