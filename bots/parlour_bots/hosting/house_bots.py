"""``python -m parlour_bots.hosting.house_bots``: the bots of a house, run by its server as a child process.

The first line of stdin is ``{"url": …, "tickets": [{"name": …, "ticket": …, "bot": "uno.painfirst"}, …]}``. Each
ticket lets one bot in by a connection of its own; it offers itself and plays whatever it is invited to, until stdin
closes. Nothing is written to stdout.
"""

import asyncio
import json
import sys
import threading
from contextlib import suppress
from secrets import randbits
from typing import Any, TypedDict

from parlour_bots.loading.loader import find
from parlour_bots.play.network import Guest, connection
from parlour_client.core.errors import Fault
from parlour_protocol.messages import OfferBot

TABLES = 16
"""How many rooms one bot plays in at a time."""


class Ticket(TypedDict):
    """Who may come in: the ``ticket`` is good for one connection under ``name``; ``bot`` is what plays."""

    name: str
    ticket: str
    bot: str


class Orders(TypedDict):
    """What the server asks for."""

    url: str
    tickets: list[Ticket]


async def live(orders: Orders, end: asyncio.Event) -> None:
    """Play until ``end`` is set or the server wants none of the bots any more."""
    bots = asyncio.ensure_future(asyncio.gather(*(_serve(orders["url"], ticket) for ticket in orders["tickets"])))
    ended = asyncio.create_task(end.wait())
    waited_for: list[asyncio.Future[Any]] = [bots, ended]
    await asyncio.wait(waited_for, return_when=asyncio.FIRST_COMPLETED)
    ended.cancel()
    if not bots.cancel():
        bots.result()  # raises what went wrong with them
    await asyncio.gather(*waited_for, return_exceptions=True)


async def _serve(url: str, ticket: Ticket) -> None:
    try:
        bot = find(ticket["bot"])
        offer = OfferBot([bot.game], TABLES)
        async with connection(url, ticket["name"], ticket=ticket["ticket"]) as way:
            await Guest(way, bot, lambda mistake: _tell(str(mistake)), randbits(64), stay=True, offer=offer).talk()
    except Fault as fault:
        _tell(f"house bot {ticket['name']}: {fault}")


def _tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")


async def _main() -> None:
    """Read the orders, then live until stdin closes, also by the death of the parent."""
    loop, end = asyncio.get_running_loop(), asyncio.Event()
    orders: asyncio.Future[bytes] = loop.create_future()

    def read() -> None:
        with open(0, "rb", buffering=0, closefd=False) as stdin:  # unbuffered: no lock to be left behind in at the end
            loop.call_soon_threadsafe(orders.set_result, stdin.readline())
            stdin.readall()
        with suppress(RuntimeError):  # the loop may be closed by now
            loop.call_soon_threadsafe(end.set)

    threading.Thread(target=read, daemon=True, name="stdin").start()
    if line := await orders:
        await live(json.loads(line), end)


if __name__ == "__main__":
    asyncio.run(_main())
