"""``python -m parlour_bots.hosting.house_bots``: a server's house bots, run as its child process.

The first line of stdin holds ``Orders``, such as ``{"url": …, "pace": 0.8, "tickets": [{"name": …, "ticket": …, "bot":
"uno.guard", "tempo": 1.1}, …]}``. Each ticket is for one bot with a connection of its own, which accepts invitations
until stdin closes. Nothing is written to stdout.
"""

import asyncio
import json
import signal
import sys
import threading
from contextlib import suppress
from functools import cache
from secrets import randbits
from typing import Any, TypedDict

import attrs

from parlour_bots.loading import find, styles
from parlour_bots.play.network import BotClient, Pace, connection
from parlour_bots.profiles import LEVELS, profile
from parlour_bots.sdk import Action, Bot, BotSpec, Choice, Turn
from parlour_client.core.errors import CannotConnect, Fault, Refused
from parlour_client.core.session import PASSING
from parlour_protocol.messages import OfferBot

SHARE = 0.5
"""The share of chances that a bot notices."""


@attrs.define
class Catching:
    """Plays like ``bot``, and catches a forgotten UNO in ``share`` of all cases."""

    bot: Bot
    share: float = SHARE
    _noticed: dict[int, bool] = attrs.field(factory=dict, init=False)
    """By request id, since a declined decision may be asked about again."""

    def play(self, turn: Turn) -> Choice:
        """Return the answer of ``bot``."""
        return self.bot.play(turn)

    def may(self, turn: Turn) -> Action | None:
        """Return a catch of the exposed seat, or None. Where a false catch costs cards, ``legal`` lists others, too."""
        exposed = turn.view.get("exposed")
        catches = [action for action in turn.legal if action["do"] == "catch" and action["seat"] == exposed]
        if not catches:
            return None
        if turn.rid not in self._noticed:
            self._noticed[turn.rid] = turn.rng.random() < self.share
        return catches[0] if self._noticed[turn.rid] else None


def catching(spec: BotSpec) -> BotSpec:
    """Return ``spec`` with catches, unless its bot decides about them."""

    def make() -> Bot:
        bot = spec.make()
        return bot if hasattr(bot, "may") else Catching(bot)

    return attrs.evolve(spec, make=make)


ROOMS = 16
"""The number of rooms that one bot plays in at a time."""
AGAIN = 1.0
"""Seconds after which a bot that found no server, or was refused for now, says hello again."""


class Ticket(TypedDict):
    """Admits one connection under ``name``; ``bot`` plays there, at ``tempo`` times the pace."""

    name: str
    ticket: str
    bot: str
    tempo: float


class Orders(TypedDict):
    """The first line of stdin. ``pace``: seconds per card or click where the room has no pace of its own."""

    url: str
    pace: float
    tickets: list[Ticket]


async def play(orders: Orders, end: asyncio.Event) -> None:
    """Play until ``end`` is set or the server has disconnected all bots."""
    bots = asyncio.ensure_future(asyncio.gather(*(_serve(orders, ticket) for ticket in orders["tickets"])))
    ended = asyncio.create_task(end.wait())
    waited_for: list[asyncio.Future[Any]] = [bots, ended]
    await asyncio.wait(waited_for, return_when=asyncio.FIRST_COMPLETED)
    ended.cancel()
    if not bots.cancel():
        bots.result()  # raises their errors
    await asyncio.gather(*waited_for, return_exceptions=True)


async def _serve(orders: Orders, ticket: Ticket) -> None:
    """Let a bot play. A greeting that cannot be sent, or is refused for now, leaves its ticket good."""
    told = False
    while True:
        try:
            return await _play(orders, ticket)
        except CannotConnect as fault:
            if not told:
                _log(f"house bot {ticket['name']}: {fault}")
            told = True
        except Fault as fault:
            if not (isinstance(fault, Refused) and fault.code in PASSING):
                return _log(f"house bot {ticket['name']}: {fault}")
        await asyncio.sleep(AGAIN)


async def _play(orders: Orders, ticket: Ticket) -> None:
    bot = find(ticket["bot"])
    ways = {bot.name: bot, **_styles(bot.game)}
    availability = OfferBot([bot.game], ROOMS, [*ways])
    async with connection(orders["url"], ticket["name"], ticket=ticket["ticket"]) as opened:
        client = BotClient(
            opened,
            _housed(bot),
            lambda mistake: _log(str(mistake)),
            randbits(64),
            stay=True,
            availability=availability,
            styles={name: _housed(style) for name, style in ways.items()},
            pace=Pace(orders["pace"], ticket["tempo"]),
        )
        await client.run()


@cache
def _styles(game: str) -> dict[str, BotSpec]:
    """Return what plays in each style: the levels, then bots by name."""
    bounded = profile(game).bounded  # one process plays for the whole server
    return {name: find(bounded.get(name, name), game) for name in (*LEVELS, *styles(game))}


def _housed(bot: BotSpec) -> BotSpec:
    return catching(bot) if bot.game == "uno" else bot


def _log(text: str) -> None:
    sys.stderr.write(f"{text}\n")


async def _main() -> None:
    """Read the orders, then play until stdin closes, which it also does when the parent dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles the terminal's interrupt
    loop, end = asyncio.get_running_loop(), asyncio.Event()
    orders: asyncio.Queue[bytes] = asyncio.Queue()

    def read() -> None:
        # unbuffered, since a buffer's lock would block the interpreter's exit; and the loop may be closed
        with open(0, "rb", buffering=0, closefd=False) as stdin, suppress(RuntimeError):
            loop.call_soon_threadsafe(orders.put_nowait, stdin.readline())
            stdin.readall()
            loop.call_soon_threadsafe(end.set)

    threading.Thread(target=read, daemon=True, name="stdin").start()
    if line := await orders.get():
        await play(json.loads(line), end)


if __name__ == "__main__":
    asyncio.run(_main())
