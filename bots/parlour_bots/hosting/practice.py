"""``parlour play``: a server of one's own, bots, you."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from math import inf as INFINITY
from secrets import randbits
from typing import Annotated, Any

import attrs
from cyclopts import Parameter

from parlour_bots.errors import MISTAKES_TOLD, Mistake
from parlour_bots.hosting.child_server import serving
from parlour_bots.loading.loader import find
from parlour_bots.play.network import Guest, connection
from parlour_bots.play.pace import unhurried
from parlour_bots.sdk import Entrant
from parlour_client.cli.frontend import on_a_screen
from parlour_client.cli.params import login_name
from parlour_client.core.errors import BotFault, Usage
from parlour_client.core.options import options_of
from parlour_client.plain import app as line_mode
from parlour_client.plain.console import Console
from parlour_client.play.entry import Entry
from parlour_games.game import BadOptions
from parlour_games.plural import counted
from parlour_games.registry import games
from parlour_protocol.errors import BadMessage
from parlour_protocol.messages import Create, OfferBot, Ok, Plain, ServerMessage
from parlour_protocol.wire import strict

NAMES = ("ada", "bruno", "cleo", "dora", "emil", "flora", "gero", "hedy", "ivo", "jo")
"""What the bots are called at your table, one more than there can be: nobody is called like you."""
MOST = len(NAMES) - 1
USUAL_BOT = {"uno": "painfirst", "minesweeper": "exact"}
USUAL_BOTS = {"uno": 3, "solo": 0, "race": 2, "coop": 1, "duel": 1}
"""How many bots play UNO, and each mode of Minesweeper."""
USUAL_PACE = {"uno": 0.8, "minesweeper": 1.0}
"""Seconds for each card, so that a person sees who plays what; and for each cell: a racer that takes them clears a
beginner's board in a minute, an expert's in five. In the line mode, which keeps what was said, a card takes none."""


@Parameter(name="*", group="UNO")
@attrs.frozen(kw_only=True)
class UnoWords:
    """What is said of a match of UNO."""

    target: Annotated[int | None, Parameter(help="Points that win the match. Default: 500.")] = None


@Parameter(name="*", group="Minesweeper")
@attrs.frozen(kw_only=True)
class MinesWords:
    """What is said of a match of Minesweeper."""

    mode: Annotated[
        str | None, Parameter(help="solo, race, coop or duel. Default: solo, or race if you ask for bots.")
    ] = None
    level: Annotated[str | None, Parameter(help="beginner, intermediate or expert. Default: beginner.")] = None
    no_guess: Annotated[bool | None, Parameter(negative="", help="A board that can be cleared without a guess.")] = None


def play(
    game: Annotated[str, Parameter(help="What to play: uno or minesweeper.")] = "uno",
    *,
    uno: UnoWords = UnoWords(),
    minesweeper: MinesWords = MinesWords(),
    bots: Annotated[int | None, Parameter(help="How many bots. Default: 3; in Minesweeper as the mode says.")] = None,
    bot: Annotated[str | None, Parameter(help="What plays: an installed bot, FILE.py or MODULE:NAME.")] = None,
    pace: Annotated[
        float | None,
        Parameter(help="Seconds that a bot takes for each card or cell. Default: 0.8 or 1; in UNO by lines 0."),
    ] = None,
    option: Annotated[
        list[str] | None, Parameter(negative="", help="Any other option: NAME=VALUE. Repeatable.")
    ] = None,
    name: Annotated[str | None, Parameter(env_var="PARLOUR_NAME", help="Your name. Default: your login name.")] = None,
    once: Annotated[bool, Parameter(negative="", help="Leave after one match.")] = False,
    plain: Annotated[bool, Parameter(negative="", help="The line mode, as when there is no terminal.")] = False,
) -> int:
    """Play on a server of your own that ends with the game, with bots or alone. Nobody hurries you: there is no clock.

    Examples:
    parlour play uno
    parlour play uno --bots 1 --bot random --target 100
    parlour play uno --bot ./hello.py
    parlour play minesweeper
    parlour play minesweeper --level expert --no-guess
    parlour play minesweeper --mode race --bots 3 --pace 0.5
    parlour play minesweeper --mode coop --option lives=3
    """
    lines = plain or not on_a_screen()
    if pace is None and game == "uno" and lines:
        pace = 0.0
    plan = _plan(game, {"uno": uno, "minesweeper": minesweeper}, bots, bot, options_of(option or ()), pace)
    create = Create(game, plan.options, seats=plan.bots + 1, private=True, clock=None)
    who = name or login_name()
    return asyncio.run(practise(plan.entrant, plan.bots, create, name=who, once=once, lines=lines))


@attrs.frozen
class _Plan:
    """What is played against whom. ``entrant`` is None if ``bots``, their number, is 0."""

    options: Plain
    bots: int
    entrant: Entrant | None


def _plan(
    game: str, words: dict[str, Any], bots: int | None, bot: str | None, options: Plain, pace: float | None = None
) -> _Plan:
    """Return what the words of the command line come to; ``pace`` None: the usual one. Raises Usage."""
    if game not in words or game not in games():
        raise Usage(f"there is no game {game[:40]!a} to play here, only {' and '.join(words)}")
    given = _given(game, words)
    pace = USUAL_PACE[game] if pace is None else pace
    if not 0 <= pace < INFINITY:
        raise Usage(f"--pace is seconds, 0 or more, not {pace}")
    if twice := options.keys() & given.keys():
        raise Usage(f"{', '.join(sorted(twice))} is given twice: once as an --option is enough")
    options = {**options, **given}
    if game == "minesweeper":
        options.setdefault("mode", "race" if bots or bot else "solo")
    number = _number(game, options, bots)
    return _Plan(options, number, _entrant(game, bot, pace) if number else None)


def _given(game: str, words: dict[str, Any]) -> Plain:
    """Return the words that are given for ``game``. Raises Usage if some are given for another."""
    for other, said in words.items():
        given = attrs.asdict(said, filter=lambda _, value: value is not None)
        if other == game:
            found = given
        elif given:
            flags = ", ".join(f"--{name.replace('_', '-')}" for name in given)
            raise Usage(f"{flags}: that is for {other}, not for {game}. See: parlour play --help")
    return found


def _number(game: str, options: Plain, bots: int | None) -> int:
    """Return how many bots play. Raises Usage if the game cannot be played so."""
    try:
        checked: Any = strict(games()[game].Options)(options)
    except (BadOptions, BadMessage) as error:
        raise Usage(str(error)) from None
    least, most = (seats - 1 for seats in games()[game].seats(checked))
    number = USUAL_BOTS[options.get("mode", game)] if bots is None else bots
    if not least <= number <= min(most, MOST):
        kind = f" in mode {options['mode']}" if "mode" in options else ""
        allowed = str(least) if least == most else f"from {least} to {min(most, MOST)}"
        raise Usage(f"--bots must be {allowed}{kind}, not {number}")
    return number


def _entrant(game: str, bot: str | None, pace: float) -> Entrant:
    found = find(bot or USUAL_BOT[game], game)
    return unhurried(found, pace) if pace else found


async def practise(
    bot: Entrant | None,
    bots: int,
    create: Create,
    *,
    name: str,
    once: bool,
    lines: bool = True,
    console: Console | None = None,
) -> int:
    """Seat ``bots`` copies of ``bot`` at the table made by ``create`` and play there. Return the exit code.

    ``bot`` may be None if ``bots`` is 0. ``lines``: in the line mode, at ``console``; else on the screen, which
    is there before the table is. The bot's mistakes are told on stderr, after the game.
    """
    mistakes: list[Mistake] = []
    way = table(bot, bots, create, name=name, mistakes=mistakes, once=once)
    if lines:
        code = await _by_lines(way, create, console)
    else:
        from parlour_client.tui.app import visit  # loads Textual

        code = await visit(way)
    for mistake in mistakes[:MISTAKES_TOLD]:
        sys.stderr.write(f"{mistake}\n")
    return code


async def _by_lines(way: AbstractAsyncContextManager[Entry], create: Create, console: Console | None) -> int:
    async with way as entry:
        how: dict[str, Any] = {"once": entry.once, "invite": entry.invite, "ready": entry.ready, "keep": entry.keep}
        return await line_mode.play(entry.url, create=create, name=entry.name, console=console, **how)


def at_home(game: str, options: Plain, *, name: str, bots: int | None = None) -> AbstractAsyncContextManager[Entry]:
    """Return the way to a table on a server of one's own, with as many bots as usual or ``bots``. Raises Usage."""
    plan = _plan(game, {"uno": UnoWords(), "minesweeper": MinesWords()}, bots, None, options)
    create = Create(game, plan.options, seats=plan.bots + 1, private=True, clock=None)
    return _told(plan, create, name)


@asynccontextmanager
async def _told(plan: _Plan, create: Create, name: str) -> AsyncIterator[Entry]:
    """Be at that table; after a visit that ended well, raise BotFault for what a bot did wrong, if one did."""
    mistakes: list[Mistake] = []
    async with table(plan.entrant, plan.bots, create, name=name, mistakes=mistakes) as entry:
        yield entry
    if mistakes:
        raise BotFault(f"a bot made {counted(len(mistakes), 'mistake')}; the first: {_first(mistakes[0])}")


def _first(mistake: Mistake) -> str:
    return f"{mistake.place.where}: {mistake.what}"


@asynccontextmanager
async def table(
    bot: Entrant | None, bots: int, create: Create, *, name: str, mistakes: list[Mistake], once: bool = False
) -> AsyncIterator[Entry]:
    """Run a server with ``bots`` copies of ``bot`` to be invited to the room made by ``create``, while in the context.

    What the bot does wrong is added to ``mistakes``; ``once``: leave after one match. Raises CannotConnect.
    """
    troubles: list[str] = []

    def made(mistake: Mistake) -> None:
        if not mistakes:
            troubles.append(f"A bot made a mistake, {_first(mistake)}. More about it after the game.")
        mistakes.append(mistake)

    names = [free for free in NAMES if free.casefold() != name.casefold()][:bots]
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(serving("--no-house-bots"))
        for bot_name in names:
            assert bot is not None, "copies of a bot need a bot"
            offer = OfferBot([bot.game], 1)
            way = await stack.enter_async_context(connection(server.url, bot_name))
            await _at_hand(Guest(way, bot, made, randbits(64), stay=True, offer=offer), stack)
        entry = Entry(server.url, create, name, once=once, invite=tuple(names), ready=True, keep=False)
        yield attrs.evolve(entry, troubles=troubles)


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
