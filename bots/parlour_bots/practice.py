"""``parlour play``: a server of one's own, bots, you."""

import asyncio
import sys
from contextlib import AsyncExitStack
from secrets import randbits
from typing import Annotated

from cyclopts import Parameter

from parlour_bots.loader import find
from parlour_bots.mistakes import MISTAKES_TOLD, Mistake
from parlour_bots.remote import Guest, connection
from parlour_bots.sdk import Entrant
from parlour_bots.serving import serving
from parlour_client import plain as line_mode
from parlour_client.console import Console
from parlour_client.faults import Usage
from parlour_client.verbs import login_name
from parlour_protocol.messages import Create, OfferBot, Ok, ServerMessage

NAMES = ("ada", "bruno", "cleo", "dora", "emil", "flora", "gero", "hedy", "ivo", "jo")
"""What the bots are called at your table, one more than there can be: nobody is called like you."""
MOST = len(NAMES) - 1


def play(
    game: Annotated[str, Parameter(help="What to play.")] = "uno",
    *,
    bots: Annotated[int, Parameter(help="How many bots, 1 to 9.")] = 3,
    bot: Annotated[str, Parameter(help="What plays: an installed bot, FILE.py or MODULE:NAME.")] = "painfirst",
    target: Annotated[int, Parameter(help="Points that win the match.")] = 500,
    name: Annotated[str | None, Parameter(env_var="PARLOUR_NAME", help="Your name. Default: your login name.")] = None,
    once: Annotated[bool, Parameter(negative="", help="Leave after one match.")] = False,
    plain: Annotated[bool, Parameter(negative="", help="The line mode; there is no other yet.")] = False,
) -> int:
    """Play against bots, on a server of your own that ends with the game. Nobody hurries you: there is no clock.

    Examples:
    parlour play uno
    parlour play uno --bots 1 --bot random --target 100
    parlour play uno --bot ./hello.py
    """
    if not 1 <= bots <= MOST:
        raise Usage(f"--bots must be from 1 to {MOST}, not {bots}")
    create = Create(game, {"target": target}, seats=bots + 1, private=True, clock=None)
    return asyncio.run(practise(find(bot, game), bots, create, name=name or login_name(), once=once))


async def practise(
    bot: Entrant, bots: int, create: Create, *, name: str, once: bool, console: Console | None = None
) -> int:
    """Seat ``bots`` copies of ``bot`` at the table made by ``create`` and play there by lines. Return the exit code.

    The bot's mistakes are told on stderr, after the game.
    """
    mistakes: list[Mistake] = []
    names = [free for free in NAMES if free.casefold() != name.casefold()][:bots]
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(serving("--no-house-bots"))
        for bot_name in names:
            offer = OfferBot([bot.game], 1)
            way = await stack.enter_async_context(connection(server.url, bot_name))
            await _at_hand(Guest(way, bot, mistakes.append, randbits(64), stay=True, offer=offer), stack)
        code = await line_mode.play(
            server.url, create=create, name=name, once=once, invite=names, ready=True, console=console
        )
    for mistake in mistakes[:MISTAKES_TOLD]:
        sys.stderr.write(f"{mistake}\n")
    return code


async def _at_hand(guest: Guest, stack: AsyncExitStack) -> None:
    """Let ``guest`` talk for as long as the stack lasts; return when it may be invited."""
    invitable = asyncio.Event()

    def watch(message: ServerMessage) -> None:
        if isinstance(message, Ok):
            invitable.set()

    guest.watch = watch
    talk = asyncio.create_task(guest.talk())
    stack.push_async_callback(_end, talk)
    await invitable.wait()


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])
