"""``parlour play``: a local server, bots, and one person."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from itertools import cycle, islice
from math import inf as INFINITY
from secrets import randbits, token_hex
from typing import Annotated, Any

import attrs
from cyclopts import Parameter

from parlour_bots.errors import MISTAKES_SHOWN, Mistake
from parlour_bots.hosting.child_server import serving
from parlour_bots.loading import INSTALLED, find, require_loadable, styles
from parlour_bots.play.in_process import usual_options, valid_name
from parlour_bots.play.network import BotClient, Pace, connection
from parlour_bots.profiles import LEVELS, profile
from parlour_bots.sdk import BotSpec
from parlour_client import line_mode
from parlour_client.cli.frontend import on_a_screen, use_look
from parlour_client.cli.params import GAMES, OPTIONS, RULES, Look, choices, login_name
from parlour_client.core.errors import BotFault, Usage
from parlour_client.core.options import checked, options_of, rules_of, seeded
from parlour_client.core.phrases import not_playable, say
from parlour_client.line_mode import Console, Terminal
from parlour_client.play.entry import Entry
from parlour_client.storage import kept_matches
from parlour_client.storage.kept_matches import KeptMatch
from parlour_client.text.base import add_words
from parlour_games.game import BadOptions
from parlour_games.plural import counted
from parlour_games.registry import games
from parlour_protocol.messages import Create, Join, OfferBot, Ok, Plain, ServerMessage

NAMES = ("ada", "bruno", "cleo", "dora", "emil", "flora", "gero", "hedy", "ivo", "jo")
"""Names for the bots: one more than needed, in case the person has one of them."""
MOST = len(NAMES) - 1
ROOMS = 64
"""Rooms in which a bot may be at a time: the person leaves it in the room before when the same deal is played again."""
TEMPOS = (1.0, 0.85, 1.15, 0.7)
"""The seconds of the bots in turn, in relation to the pace."""
_FEW = 3
"""The most bots by default in a game whose profile names no number."""


@Parameter(name="*", group="UNO")
@attrs.frozen(kw_only=True)
class UnoOptions:
    """Options of UNO."""

    target: Annotated[int | None, Parameter(help="Points that win the match. Default: 500.")] = None


@Parameter(name="*", group="Minesweeper")
@attrs.frozen(kw_only=True)
class MinesweeperOptions:
    """Options of Minesweeper."""

    mode: Annotated[
        str | None,
        Parameter(help="solo, race, coop or duel. Default: solo; race with bots."),
        choices("minesweeper", "mode"),
    ] = None
    level: Annotated[
        str | None,
        Parameter(help="beginner, intermediate, expert, or custom: see parlour help rules. Default: beginner."),
        choices("minesweeper", "level"),
    ] = None
    no_guess: Annotated[bool | None, Parameter(negative="", help="A board that can be solved without guessing.")] = None


def play(
    game: Annotated[str, Parameter(help="The game: uno, minesweeper or another one that is installed."), GAMES] = "uno",
    *,
    uno: UnoOptions = UnoOptions(),
    minesweeper: MinesweeperOptions = MinesweeperOptions(),
    bots: Annotated[
        int | None,
        Parameter(help="How many bots. Default: one for each --bot, or 3; in Minesweeper by mode."),
    ] = None,
    bot: Annotated[
        list[str] | None,
        Parameter(
            negative="",
            help="A bot: an installed one, FILE.py, MODULE:NAME, easy, normal or hard. Repeatable. Default: a mix.",
        ),
        INSTALLED,
    ] = None,
    pace: Annotated[
        float | None,
        Parameter(help="Seconds a bot takes per card or click, on average. Default: 0.8 or 1; UNO in line mode 0."),
    ] = None,
    option: Annotated[
        list[str] | None,
        Parameter(negative="", help="Another option, NAME=VALUE: see parlour help rules. Repeatable."),
        OPTIONS,
    ] = None,
    rules: Annotated[str | None, RULES] = None,
    seed: Annotated[int | None, Parameter(help="Play the deal with this number, the same each time.")] = None,
    name: Annotated[str | None, Parameter(env_var="PARLOUR_NAME", help="Your name. Default: your login name.")] = None,
    once: Annotated[bool, Parameter(negative="", help="Leave after one match.")] = False,
    look: Look = None,
    plain: Annotated[bool, Parameter(negative="", help="Use line mode, the default without a terminal.")] = False,
) -> int:
    """Play on a local server, with bots or alone, without a clock.

    Examples:
    parlour play uno
    parlour play uno --bots 1 --bot random --target 100
    parlour play uno --bot ./hello.py
    parlour play uno --bot hard --bot easy --bot guard
    parlour play minesweeper
    parlour play minesweeper --level expert --no-guess
    parlour play minesweeper --mode race --bots 3 --pace 0.5
    parlour play minesweeper --mode coop --option lives=3
    parlour play minesweeper --level expert --seed 7
    """
    use_look(look)
    lines = plain or not on_a_screen()
    how: dict[str, Any] = {"once": once, "lines": lines}
    if kept := _wanted(game):
        seated = [bot_named(style, game) for style in kept.bots]
        how |= {"name": kept.name, "pace": kept.pace, "kept": kept}
        return asyncio.run(practise(seated, Join(kept.room), **how))
    pace = usual_pace(game, lines=lines) if pace is None else pace
    given = {**(rules_of(rules, game) if rules else {}), **options_of(option or (), game)}
    plan = _plan(game, {"uno": uno, "minesweeper": minesweeper}, bots, bot or (), given, pace)
    deal = None if seed is None else seeded(seed)
    create = Create(game, plan.options, seats=len(plan.bots) + 1, private=True, clock=None, deal=deal)
    name = name or login_name()
    if not lines or Terminal().interactive:
        kept = KeptMatch(game, name, token_hex(), plan.styles, plan.pace)
    return asyncio.run(practise(plan.bots, create, name=name, pace=plan.pace, kept=kept, **how))


def _wanted(game: str) -> KeptMatch | None:
    """Return the match of ``game`` that is kept, if there is one and the person at the terminal wants to go on with it.

    Raises KeyboardInterrupt at the end of the input.
    """
    kept = next((each for each in kept_matches.found() if each.game == game), None)
    if kept is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    answers = {"": True, "y": True, say("tui.key.yes"): True, "n": False, say("tui.key.no"): False}
    answer: bool | None = None
    while answer is None:
        try:
            answer = answers.get(input(say("line.kept.ask", about=kept.about)).strip().lower())
        except EOFError:
            raise KeyboardInterrupt from None
    return kept if answer else None


def usual_pace(game: str, *, lines: bool) -> float | None:
    """Return the seconds that bots take per card or click in line mode or on screens; None: those of the game."""
    return 0.0 if lines and not profile(game).lasting else None


@attrs.frozen
class _Plan:
    """The options, the bots, and their pace."""

    options: Plain
    bots: list[BotSpec]
    pace: float
    styles: list[str]
    """The name under which each bot was chosen: a bot, a level or a file."""


def _plan(
    game: str,
    flags: dict[str, Any],
    bots: int | None,
    named: Sequence[str],
    options: Plain,
    pace: float | None = None,
) -> _Plan:
    """Return the plan for these arguments; ``pace`` None means the default. Raises Usage."""
    require_loadable(game)
    if game not in games():
        raise Usage(say("fault.no_game", said=ascii(game[:40]), games=", ".join(games())))
    given = _given(game, flags)
    pace = profile(game).pace if pace is None else pace
    if not 0 <= pace < INFINITY:
        raise Usage(say("fault.negative", pace=pace))
    if twice := options.keys() & given.keys():
        raise Usage(say("fault.two_ways", names=", ".join(sorted(twice))))
    options = {**options, **given}
    options = {**(usual_options(game, 2 if bots or named else 1) or {}), **options}
    if bots is not None and len(named) > bots:
        raise Usage(say("fault.more_named", named=len(named), bots=bots))
    number = _number(game, options, len(named) if bots is None and len(named) > 1 else bots)
    chosen = list(islice(cycle((named or styles(game))[:number]), number))
    specs = {style: bot_named(style, game) for style in chosen}
    return _Plan(options, [specs[style] for style in chosen], pace, chosen)


def bot_named(style: str, game: str) -> BotSpec:
    """Return the bot for ``style``. A level keeps its name. Raises NoBot."""
    bot = find(style, game)
    return attrs.evolve(bot, name=style) if style in LEVELS else bot


def _given(game: str, flags: dict[str, Any]) -> Plain:
    """Return the options given for ``game``. Raises Usage for options of another game."""
    given = {each: attrs.asdict(values, filter=lambda _, value: value is not None) for each, values in flags.items()}
    for other in given.keys() - {game}:
        if given[other]:
            names = ", ".join(f"--{name.replace('_', '-')}" for name in given[other])
            raise Usage(say("fault.other_game", names=names, other=other, game=game))
    return given.get(game, {})


def _number(game: str, options: Plain, bots: int | None) -> int:
    """Return the number of bots. Raises Usage if the game does not allow it."""
    try:
        found = checked(games()[game], options)
    except BadOptions as error:
        add_words(game)
        raise Usage(not_playable(error, game)) from None
    least, most = (seats - 1 for seats in games()[game].seats(found))
    usual = profile(game).bots.get(options.get("mode", ""), max(least, min(_FEW, most)))
    number = usual if bots is None else bots
    if not least <= number <= min(most, MOST):
        most, mode = min(most, MOST), options.get("mode")
        raise Usage(say("fault.bots", range=least != most, least=least, most=most, mode=mode, n=number))
    return number


async def practise(
    bots: Sequence[BotSpec],
    enter: Create | Join,
    *,
    name: str,
    once: bool,
    lines: bool = True,
    console: Console | None = None,
    pace: float = 0.0,
    kept: KeptMatch | None = None,
) -> int:
    """Seat ``bots`` in the room that ``enter`` makes, and play there; say how to go on with a match left there.

    ``lines`` selects line mode on ``console``; otherwise the screens are used, which open before the server is ready.
    The mistakes of the bots are printed on stderr after the game. ``pace`` and ``kept``: as for ``practice_room``.
    Return the exit code.
    """
    mistakes: list[Mistake] = []
    room = practice_room(bots, enter, name=name, mistakes=mistakes, once=once, pace=pace, kept=kept)
    code = await visit(room, mistakes, lines=lines, console=console)
    if kept is not None and any(each.secret == kept.secret for each in kept_matches.found()):
        sys.stdout.write(f"{say('line.kept', game=kept.game, lines=lines)}\n")
    return code


async def visit(
    room: AbstractAsyncContextManager[Entry],
    mistakes: Sequence[Mistake],
    *,
    lines: bool,
    console: Console | None = None,
) -> int:
    """Play in ``room``, in line mode on ``console`` or on the screens. Return the exit code.

    The ``mistakes`` of the bots there are printed on stderr afterwards.
    """
    if lines:
        code = await line_mode.run_room(room, console)
    else:
        from parlour_client.tui.app import run_room  # loads Textual

        code = await run_room(room)
    for mistake in mistakes[:MISTAKES_SHOWN]:
        sys.stderr.write(f"{mistake}\n")
    return code


def at_home(
    game: str,
    options: Plain,
    *,
    name: str,
    bots: int | None = None,
    level: str = "",
    kept: KeptMatch | None = None,
) -> AbstractAsyncContextManager[Entry]:
    """Return a context manager that runs a local server with bots and yields the entry to its room. Raises Usage.

    ``kept``: the match to go on with, in place of another.
    """
    if kept is not None:
        return _practice_entry([bot_named(style, game) for style in kept.bots], Join(kept.room), kept)
    named = (level,) if level else ()
    plan = _plan(game, {"uno": UnoOptions(), "minesweeper": MinesweeperOptions()}, bots, named, options)
    create = Create(game, plan.options, seats=len(plan.bots) + 1, private=True, clock=None)
    return _practice_entry(plan.bots, create, KeptMatch(game, name, token_hex(), plan.styles, plan.pace))


@asynccontextmanager
async def _practice_entry(bots: Sequence[BotSpec], enter: Create | Join, kept: KeptMatch) -> AsyncIterator[Entry]:
    """Yield the entry to the room; after a visit without errors, raise BotFault if a bot made mistakes."""
    mistakes: list[Mistake] = []
    async with practice_room(bots, enter, name=kept.name, mistakes=mistakes, pace=kept.pace, kept=kept) as entry:
        yield entry
    check(mistakes)


def check(mistakes: Sequence[Mistake]) -> None:
    """Raise BotFault if bots made mistakes."""
    if mistakes:
        raise BotFault(f"a bot made {counted(len(mistakes), 'mistake')}; the first: {_first(mistakes[0])}")


def told(mistakes: list[Mistake], troubles: list[str]) -> Callable[[Mistake], None]:
    """Return what adds a mistake to ``mistakes``, and tells of the first one in ``troubles``."""

    def report(mistake: Mistake) -> None:
        if not mistakes:
            troubles.append(f"A bot made a mistake, {_first(mistake)}. Details follow after the game.")
        mistakes.append(mistake)

    return report


def _first(mistake: Mistake) -> str:
    return f"{mistake.place.where}: {mistake.what}"


@asynccontextmanager
async def practice_room(
    bots: Sequence[BotSpec],
    enter: Create | Join,
    *,
    name: str,
    mistakes: list[Mistake],
    once: bool = False,
    pace: float = 0.0,
    kept: KeptMatch | None = None,
) -> AsyncIterator[Entry]:
    """Run a server with ``bots``, available for the room that ``enter`` makes, and yield the entry.

    Mistakes of the bots are added to ``mistakes``. ``once``: leave after one match. ``kept``: the match that is kept
    while it goes on; with a Join, it goes on from there. Raises CannotConnect, Usage.
    """
    troubles: list[str] = []
    report = told(mistakes, troubles)
    names = [free for free in NAMES if free.casefold() != name.casefold()][: len(bots)]
    async with AsyncExitStack() as stack:
        again = isinstance(enter, Join)
        if kept is not None and not stack.enter_context(kept_matches.reserved(kept.game)):
            if again:
                raise Usage(say("fault.kept_elsewhere"))
            kept = None
        store = None if kept is None else kept_matches.store(kept.game)
        if kept is not None and not again:
            store = kept_matches.empty_store(kept.game)
        server = await stack.enter_async_context(serving("--no-house-bots", store=store))
        for bot_name, bot, tempo in zip(names, bots, cycle(TEMPOS), strict=False):
            availability = OfferBot([bot.game], ROOMS, [valid_name(bot.name)])
            opened = await stack.enter_async_context(
                connection(server.url, bot_name, key=kept.key_of(bot_name) if kept else None)
            )
            settled: dict[str, Any] = {"stay": True, "availability": availability, "pace": Pace(pace, tempo)}
            await _start(BotClient(opened, bot, report, randbits(64), **settled), stack)
        invited = () if again else tuple(names)
        how: dict[str, Any] = {"once": once, "invite": invited, "ready": not again, "keep": False, "private": True}
        key = None if kept is None else kept.key_of(name)
        yield Entry(server.url, enter, name, key=key, kept=kept, troubles=troubles, **how)


async def _start(client: BotClient, stack: AsyncExitStack) -> None:
    """Run ``client`` until the stack closes; return as soon as it can be invited."""
    invitable = asyncio.Event()

    def watch(message: ServerMessage) -> None:
        if isinstance(message, Ok):
            invitable.set()

    client.watch = watch
    running = asyncio.create_task(client.run())
    stack.push_async_callback(end, running)
    await invitable.wait()


async def end(task: asyncio.Task[Any]) -> None:
    """Cancel a task and wait for its end."""
    task.cancel()
    await asyncio.wait([task])
