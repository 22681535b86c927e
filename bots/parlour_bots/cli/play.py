"""The command line of a bot, shared by ``python hello.py`` and ``parlour bot run``."""

import asyncio
import os
import pdb as debugger
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout, suppress
from pathlib import Path
from secrets import randbits
from typing import Annotated, TextIO, TypeAlias

import attrs
from cyclopts import App, CycloptsError, Parameter
from rich.console import Console
from rich.progress import track

from parlour_bots.arena.isolation import arena_bot
from parlour_bots.arena.options import switch
from parlour_bots.arena.series import play_series, report_series
from parlour_bots.errors import MISTAKES_SHOWN, Mistake, author_calls, whereabouts
from parlour_bots.loading import INSTALLED, find, require_made
from parlour_bots.play.in_process import divided, play_bots, usual_options, valid_name
from parlour_bots.play.limits import Limits
from parlour_bots.play.network import BotClient, connection, play_room, serve
from parlour_bots.play.runner import BotRunner
from parlour_bots.profiles import profile
from parlour_bots.sdk import BotSpec
from parlour_bots.tools import check as checking
from parlour_bots.tools.guards import (
    MEMORY,
    Confined,
    GameOptions,
    ProcessRefused,
    Readable,
    announce,
    confinement,
    exits_raised,
    limited_memory,
    noticed,
)
from parlour_bots.tools.progress import StatusReporter
from parlour_bots.tools.reports import Report, of_check, of_match
from parlour_client.cli.app import app
from parlour_client.core.errors import INTERRUPTED_BY_USER, OK, BotFault, Fault, Refused, Usage
from parlour_client.core.options import options_of
from parlour_client.core.printing import LONGEST_COMPLAINT, clean
from parlour_client.core.url import DEFAULT_URL, normalise_url, room_at
from parlour_client.storage.credentials import Credentials, InUse, held
from parlour_client.storage.keys import check_name
from parlour_games.plural import counted
from parlour_protocol.messages import Create, OfferBot, Plain
from parlour_protocol.standard_output import replace_unencodable

_end_process = os._exit  # before a bot can be kept from calling it
NAMES_TRIED = 9
_EXAMPLES = """Examples:
python {program}
python {program} --arena 200 --against painfirst
python {program} --check
python {program} --room K7QD --server ws://10.0.0.4:7777
python {program} --offer 4 --server ws://10.0.0.4:7777"""


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class PlayOptions:
    """Where and how a bot plays."""

    room: Annotated[str | None, Parameter(help="Play on a server, in the room with this code or link.")] = None
    open: Annotated[
        int | None, Parameter(help="Open a room with this many seats on the server; play when all are taken.")
    ] = None
    offer: Annotated[
        int | None, Parameter(help="Wait for contests and invitations, in up to this many rooms, until Ctrl-C.")
    ] = None
    server: Annotated[str, Parameter(help="The server to play on.", env_var="PARLOUR_SERVER")] = DEFAULT_URL
    name: Annotated[str | None, Parameter(help="The bot's player name.")] = None
    key: Annotated[str | None, Parameter(help="The key that protects the name.", env_var="PARLOUR_KEY")] = None
    stay: Annotated[bool, switch("Stay in the room for further matches.")] = False
    arena: Annotated[int | None, Parameter(help="Play this many matches locally and print the win rate.")] = None
    against: Annotated[
        str | None, Parameter(help="The opponent in local matches. Default: random; none in Minesweeper."), INSTALLED
    ] = None
    check: Annotated[bool, switch("Check the bot for faults, like parlour bot check.")] = False
    budget: Annotated[int | None, Parameter(help="Milliseconds per answer; later answers are mistakes.")] = None
    seed: Annotated[int | None, Parameter(help="Repeat the matches that were played with this seed.")] = None
    strict: Annotated[bool, switch("Exit with 7 if the bot made a mistake.")] = False
    json: Annotated[bool, switch("Print the result as one JSON object.")] = False
    memory: Annotated[int, Parameter(help="MiB that the bot may use, beyond what it used when it was loaded.")] = MEMORY
    pdb: Annotated[bool, switch("Open the debugger where the bot first raises.")] = False
    confined: Confined = False
    readable: Readable = None
    option: GameOptions = None

    @property
    def limits(self) -> Limits | None:
        """The limits of programs and Python files, if they run confined."""
        return confinement(self.readable, self.memory) if self.confined else None

    def setup(self, game: str, usual: Plain | None) -> Plain | None:
        """Return the options of a match: ``usual`` except for those that are given. Raises Usage."""
        return {**(usual or {}), **options_of(self.option, game)} if self.option else usual

    @property
    def online(self) -> bool:
        """Whether the bot plays on a server."""
        return any(each is not None for each in (self.room, self.open, self.offer))

    def checked(self) -> "PlayOptions":
        """Return the options with the server that a room link names. Raises Usage."""
        modes = (self.room, self.open, self.offer, self.arena, self.check or None)
        if sum(each is not None for each in modes) > 1:
            raise Usage("--room, --open, --offer, --arena and --check exclude each other: choose one")
        if self.option and (self.room is not None or self.offer is not None):
            raise Usage("--option is for matches that the bot opens, not for the rooms of others")
        for name, unit in (("offer", "room"), ("arena", "match"), ("budget", "millisecond"), ("memory", "MiB")):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise Usage(f"--{name} must be at least 1 {unit}, not {value}")
        if self.name is not None and self.online:
            check_name(self.name)
        if self.room is None:
            return self
        code, server = room_at(self.room, self.server)
        return attrs.evolve(self, room=code, server=server)


@attrs.define
class ResultPrinter:
    """Prints results on ``out`` and mistakes on ``err``, and remembers whether the bot was sound."""

    out: TextIO
    err: TextIO
    as_json: bool
    memory: int = MEMORY
    """MiB that the bot may use."""
    pdb: bool = False
    assumed: str = ""
    """Which game the bot is asked to play because it declares none, in words."""
    mistakes: int = 0
    opponent_mistakes: int = 0
    sound: bool = True

    def print_report(self, report: Report) -> None:
        """Print a result."""
        self.sound = self.sound and report.sound
        report.write(self.out, as_json=self.as_json)

    def print_mistake(self, mistake: Mistake) -> None:
        """Print a mistake: the first one with its turn, the next few without, the rest not at all.

        Raises BotFault if the bot may not go on: it has no memory left, or was about to start a process.
        """
        if isinstance(mistake.error, MemoryError):
            raise BotFault(
                f"{mistake.short}\nThe bot may use {self.memory:,} MiB of memory and needed more: let it keep less, or "
                "allow more with --memory. The mistake is the bot's."
            )
        if isinstance(mistake.error, ProcessRefused):
            raise BotFault(
                f"{mistake.short}\nThe bot was about to start a process, which a bot may not: let it think in its own. "
                "A program in another language plays as exec:COMMAND. The mistake is the bot's."
            )
        self.mistakes += 1
        if self.mistakes <= MISTAKES_SHOWN:
            self.err.write(f"{mistake if self.mistakes == 1 else mistake.short}\n")
            if self.mistakes == 1 and self.assumed:
                self.err.write(f'{self.assumed}. For another game, add GAME = "..." to the file, or --game.\n')
        elif self.mistakes == MISTAKES_SHOWN + 1:
            self.err.write("Further mistakes are only counted.\n")
        if self.pdb and self.mistakes == 1 and mistake.error is not None and author_calls(mistake.error):
            with redirect_stdout(self.err):
                debugger.post_mortem(mistake.error.__traceback__)

    def count_opponent_mistake(self, _: Mistake) -> None:
        """Count a mistake of the opponent, which says nothing about the bot."""
        self.opponent_mistakes += 1


Mode: TypeAlias = Callable[[BotSpec, PlayOptions, ResultPrinter], None]


def main(bot: BotSpec, argv: Sequence[str] | None = None) -> int:
    """Read the command line of a bot's own file, play, and return the exit code."""
    replace_unencodable()
    program = Path(sys.argv[0]).name
    text = f"Play {bot.game} with the bot {bot.name}, by default one match in this process.\n\n"

    def play(options: PlayOptions = PlayOptions()) -> int:
        if options.confined:
            raise Usage(f"this process is the bot and cannot be confined. Use: parlour bot run {program} --confined")
        return carry_out(bot, options)

    return guarded(app(program, play, text + _EXAMPLES.format(program=program)), argv)


def guarded(app: App, argv: Sequence[str] | None) -> int:
    """Run ``app`` and return its exit code; print a fault as one line on stderr."""
    try:
        return int(app(argv, exit_on_error=False, print_error=False, result_action="return_value") or OK)
    except CycloptsError as error:
        sys.stderr.write(f"{error} See: {app.name[0]} --help\n")
        return Usage.exit_code
    except Fault as fault:
        sys.stderr.write(f"{clean(str(fault), LONGEST_COMPLAINT)}\n")
        return fault.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED_BY_USER


def carry_out(bot: BotSpec, options: PlayOptions) -> int:
    """Play as ``options`` say: results on stdout, mistakes on stderr. Return the exit code. Raises Fault."""
    options = options.checked()
    if options.pdb and bot.external:
        raise Usage(f"--pdb debugs a bot in this process: {bot.name} runs in a process of its own")
    printer = ResultPrinter(sys.stdout, sys.stderr, options.json, options.memory, options.pdb)
    if bot.assumed:
        printer.assumed = f"{bot.name} declares no game, so it is asked to play {bot.game}"
    if not options.check and options.budget is not None:
        bot = BotRunner(options.budget).limit(bot)
    try:
        with (
            redirect_stdout(sys.stderr),
            exits_raised(),
            _limited(bot, options),
        ):  # keeps what the bot prints out of the results
            if not bot.external and not options.pdb:
                with suppress(MemoryError, ProcessRefused):  # which are reported when it plays
                    require_made(bot)
            _mode(options)(bot, options, printer)
    except SystemExit:
        raise BotFault(f"{bot.name} tried to end the process") from None
    if printer.mistakes:
        sys.stderr.write(f"{bot.name} made {counted(printer.mistakes, 'mistake')}.\n")
    if printer.opponent_mistakes:
        sys.stderr.write(f"The opponent made {counted(printer.opponent_mistakes, 'mistake')}.\n")
    return BotFault.exit_code if not printer.sound or (options.strict and printer.mistakes) else OK


@contextmanager
def _limited(bot: BotSpec, options: PlayOptions) -> Iterator[None]:
    """Limit the memory of a bot in this process, and let it start no process; a check only notices those."""
    if bot.external:
        yield
        return
    with limited_memory(options.memory), nullcontext() if options.check else noticed(refused=True):
        yield


def _mode(options: PlayOptions) -> Mode:
    if options.online:
        return _play_online
    if options.arena:
        return _play_arena
    return _play_check if options.check else _play_match


def _play_match(bot: BotSpec, options: PlayOptions, printer: ResultPrinter) -> None:
    opponent = _opponent(bot, options)
    report = divided(0, printer.print_mistake, printer.count_opponent_mistake)
    specs = [bot, opponent] if opponent else [bot]
    match = play_bots(specs, _seed(options), report, options.setup(bot.game, usual_options(bot.game, len(specs))))
    printer.print_report(of_match(match, bot.game))


def _play_arena(bot: BotSpec, options: PlayOptions, printer: ResultPrinter) -> None:
    seed, opponent = _seed(options), _opponent(bot, options)
    seeds, console = range(seed, seed + (options.arena or 0)), Console(stderr=True)
    tracked = track(seeds, "playing", console=console, transient=True, disable=not console.is_terminal)
    setup = options.setup(bot.game, usual_options(bot.game, 2 if opponent else 1))
    series = play_series(bot, opponent, tracked, printer.print_mistake, printer.count_opponent_mistake, setup)
    printer.print_report(report_series(series, bot.name, opponent.name if opponent else None, seed))


def _play_check(bot: BotSpec, options: PlayOptions, printer: ResultPrinter) -> None:
    seed, opponent = options.seed or 0, _found_opponent(bot, options.against, options) if options.against else None
    seeds = range(seed, seed + checking.MATCHES)
    runner = BotRunner(options.budget or checking.BUDGET)
    with nullcontext() if options.pdb else runner.watch(lambda: _hung(bot)):
        given = options.setup(bot.game, None)
        found = checking.check(bot, opponent, seeds, printer.print_mistake, runner, options.memory, given)
    printer.print_report(of_check(found, bot.name))


def _hung(bot: BotSpec) -> None:
    """Exit, since Python cannot stop a thread: print the line at which the bot hangs."""
    where, line = "", ""
    for place in whereabouts(threading.main_thread())[-1:]:
        where, line = f"{place.where}: ", f"    {place.text}\n"
    sys.stderr.write(f"{where}{bot.name} does not return: the check ends here\n{line}")
    sys.stderr.flush()
    _end_process(BotFault.exit_code)


def _opponent(bot: BotSpec, options: PlayOptions) -> BotSpec | None:
    name = options.against or profile(bot.game).opponent
    return _found_opponent(bot, name, options) if name else None


def chosen(what: str, game: str, options: PlayOptions) -> BotSpec:
    """Return the bot named by ``what``, after saying which protections are in force. Raises NoBot, NotConfined."""
    if options.limits:
        announce(options.limits)
    return _found(what, game, options)


def _found(what: str, game: str, options: PlayOptions) -> BotSpec:
    with exits_raised():
        return arena_bot(what, game, options.limits).spec if options.confined else find(what, game)


def _found_opponent(bot: BotSpec, name: str, options: PlayOptions) -> BotSpec:
    """Return the bot ``name``. Raises Usage for one of another game."""
    found = _found(name, bot.game, options)
    if found.game != bot.game:
        raise Usage(f"{name} plays {found.game}, not {bot.game} like {bot.name}: choose an opponent of the same game")
    return found


def _play_online(bot: BotSpec, options: PlayOptions, printer: ResultPrinter) -> None:
    """Play on a server, under the first of the possible names that is free."""
    free = [valid_name(bot.name), *(valid_name(bot.name, f"-{number}") for number in range(2, NAMES_TRIED + 1))]
    url, names = normalise_url(options.server), [options.name] if options.name else free
    for name in names:
        try:
            # a bot that waits for invitations keeps its token, to return to its seats after a restart
            with nullcontext() if options.offer is None else held(url, name, kind="bot") as credentials:
                asyncio.run(_connect(bot, options, printer, url, name, credentials))
                return
        except (InUse, Refused) as error:
            taken = isinstance(error, InUse) or error.code == "name_taken"
            if not taken or name == names[-1]:
                raise


async def _connect(
    bot: BotSpec, options: PlayOptions, printer: ResultPrinter, url: str, name: str, credentials: Credentials | None
) -> None:
    available = options.offer is not None
    opened = options.open is not None
    status = StatusReporter(url, name, printer.print_report, _note, available=available, opened=opened)
    client = BotClient(
        connection(url, name, key=options.key, credentials=credentials, on_state=status.state),
        bot,
        printer.print_mistake,
        _seed(options),
        stay=options.stay or available,
        availability=_availability(bot, options.offer),
        watch=status.follow,
    )
    await (serve(client) if available else play_room(client, _room(bot, options)))


def _availability(bot: BotSpec, rooms: int | None) -> OfferBot | None:
    return OfferBot([bot.game], rooms, [bot.style] if bot.style else None) if rooms else None


def _note(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _room(bot: BotSpec, options: PlayOptions) -> str | Create:
    if options.open is None:
        return options.room or ""
    setup = options.setup(bot.game, usual_options(bot.game, options.open))
    return Create(bot.game, setup, seats=options.open, start="full", style=bot.style)


def _seed(options: PlayOptions) -> int:
    return randbits(32) if options.seed is None else options.seed
