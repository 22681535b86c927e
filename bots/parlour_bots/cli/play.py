"""The command line of a bot: what ``python hello.py`` and ``parlour bot`` have in common."""

import asyncio
import json as encoding
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from secrets import randbits
from typing import Annotated, TextIO

import attrs
from cyclopts import App, CycloptsError, Parameter
from rich.console import Console
from rich.progress import track

from parlour_bots.errors import MISTAKES_TOLD, Mistake
from parlour_bots.loading.loader import find
from parlour_bots.play.in_process import valid_name
from parlour_bots.play.network import Guest, connection, play_room, serve
from parlour_bots.play.time_limit import within
from parlour_bots.play.watchdog import Watchdog, whereabouts
from parlour_bots.sdk import Entrant
from parlour_bots.tools import check as checking
from parlour_bots.tools import series as trials
from parlour_bots.tools.reports import Report, Scribe, of_check, of_match, of_series
from parlour_bots.tools.status_lines import Narrator, identity
from parlour_client.cli.app import app
from parlour_client.core.errors import INTERRUPTED_BY_USER, OK, BotFault, Fault, Refused, Usage
from parlour_client.core.sanitize import LONGEST_COMPLAINT, clean
from parlour_client.core.url import DEFAULT_URL, normalise_url, room_at
from parlour_client.storage.keys import check_name
from parlour_protocol.messages import Create, OfferBot

USUAL_OPPONENT = {"uno": "random"}
"""Who plays against a bot in process, in games that are not for one alone."""
NAMES_TRIED = 9
HANGS = 6.0
"""Seconds without an answer after which a check takes a bot for hung, unless its budget is long."""
_EXAMPLES = """Examples:
python {program}
python {program} --arena 200 --against painfirst
python {program} --check
python {program} --room K7QD --server ws://10.0.0.4:7777
python {program} --offer 4 --server ws://10.0.0.4:7777"""


def _switch(text: str) -> Parameter:
    return Parameter(help=text, negative="")


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class How:
    """Where and how a bot plays."""

    room: Annotated[str | None, Parameter(help="Play over the network, in the room with this code or link.")] = None
    open: Annotated[
        int | None, Parameter(help="Open a room with so many seats on the server, and play when they are taken.")
    ] = None
    offer: Annotated[
        int | None, Parameter(help="Be there for contests and invitations, in so many rooms at a time, until Ctrl-C.")
    ] = None
    server: Annotated[str, Parameter(help="The server of that room.", env_var="PARLOUR_SERVER")] = DEFAULT_URL
    name: Annotated[str | None, Parameter(help="The bot's name at the table.")] = None
    key: Annotated[str | None, Parameter(help="The secret that keeps the name.", env_var="PARLOUR_KEY")] = None
    stay: Annotated[bool, _switch("Stay in the room for further matches.")] = False
    arena: Annotated[int | None, Parameter(help="Play this many matches in process and tell the win rate.")] = None
    against: Annotated[str | None, Parameter(help="The opponent in process. Default: random; in Minesweeper none.")] = (
        None
    )
    check: Annotated[bool, _switch("Look for faults: the same as parlour bot check.")] = False
    budget: Annotated[int | None, Parameter(help="Milliseconds for an answer: later ones are mistakes.")] = None
    seed: Annotated[int | None, Parameter(help="Play the very matches that had this seed.")] = None
    strict: Annotated[bool, _switch("Exit with 7 if the bot made a mistake.")] = False
    json: Annotated[bool, _switch("Print the result as one JSON object.")] = False


@attrs.define
class Teller:
    """Tells results on ``out`` and mistakes on ``err``, and remembers whether all was well."""

    out: TextIO
    err: TextIO
    as_json: bool
    mistakes: int = 0
    sound: bool = True

    def result(self, report: Report) -> None:
        """Tell a result."""
        self.sound = self.sound and report.sound
        self.out.write(f"{encoding.dumps(report.data) if self.as_json else report.text}\n")
        self.out.flush()

    def mistake(self, mistake: Mistake) -> None:
        """Tell of one more mistake of the bot: the first with its turn, the next few without."""
        self.mistakes += 1
        if self.mistakes <= MISTAKES_TOLD:
            self.err.write(f"{mistake if self.mistakes == 1 else mistake.short}\n")
        elif self.mistakes == MISTAKES_TOLD + 1:
            self.err.write("Further mistakes are only counted.\n")


def main(bot: Entrant, argv: Sequence[str] | None = None) -> int:
    """Read the command line of a bot's own file, play, and return the exit code."""
    program = Path(sys.argv[0]).name
    text = f"Play {bot.game} with the bot {bot.name}: a match in this process, unless told otherwise.\n\n"

    def play(how: How = How()) -> int:
        return carry_out(bot, how)

    return guarded(app(program, play, text + _EXAMPLES.format(program=program)), argv)


def guarded(app: App, argv: Sequence[str] | None) -> int:
    """Return the exit code of ``app``; what ends it early becomes a line on stderr."""
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


def carry_out(bot: Entrant, how: How) -> int:
    """Play as ``how`` says, the result on stdout, mistakes on stderr. Return the exit code. Raises Fault."""
    if how.room is not None:
        code, where = room_at(how.room, how.server)
        how = attrs.evolve(how, room=code, server=where)
    there = [how.room, how.open, how.offer]
    if sum(each is not None for each in (*there, how.arena)) + how.check > 1:
        raise Usage("--room, --open, --offer, --arena and --check exclude each other: choose one")
    if how.offer is not None and how.offer < 1:
        raise Usage(f"--offer is for at least one room at a time, not {how.offer}")
    if how.arena is not None and how.arena < 1:
        raise Usage(f"--arena plays at least one match, not {how.arena}")
    if how.budget is not None and how.budget < 1:
        raise Usage(f"--budget is at least a millisecond, not {how.budget}")
    if how.name is not None and any(each is not None for each in there):
        check_name(how.name)
    teller = Teller(sys.stdout, sys.stderr, how.json)
    play = (
        _play_on_offer
        if how.offer is not None
        else _play_room
        if any(each is not None for each in there)
        else _play_arena
        if how.arena
        else _play_check
        if how.check
        else _play_match
    )
    try:
        with redirect_stdout(sys.stderr):  # what a bot prints does not get among the results
            play(bot if how.check or how.budget is None else within(bot, how.budget), how, teller)
    except SystemExit:
        raise BotFault(f"{bot.name} tried to end the process") from None
    if teller.mistakes:
        sys.stderr.write(f"{bot.name} made {teller.mistakes} mistake{'s' * (teller.mistakes > 1)}.\n")
    return BotFault.exit_code if not teller.sound or (how.strict and teller.mistakes) else OK


def _play_match(bot: Entrant, how: How, teller: Teller) -> None:
    other = _opponent(bot, how)
    match = trials.one_match([bot, other] if other else [bot], _seed(how), teller.mistake)
    teller.result(of_match(match, bot.game))


def _play_arena(bot: Entrant, how: How, teller: Teller) -> None:
    seed, other = _seed(how), _opponent(bot, how)
    seeds = range(seed, seed + (how.arena or 0))
    console = Console(stderr=True)
    shown = track(seeds, "playing", console=console, transient=True, disable=not console.is_terminal)
    series = trials.arena(bot, other, shown, teller.mistake)
    teller.result(of_series(series, bot.name, other.name if other else None, seed))


def _play_check(bot: Entrant, how: How, teller: Teller) -> None:
    seed, other = how.seed or 0, find(how.against, bot.game) if how.against else None
    seeds = range(seed, seed + checking.MATCHES)
    budget = how.budget or checking.BUDGET
    with Watchdog(max(HANGS, 3 * budget / 1000), lambda: _hung(bot)) as watchdog:
        found = checking.check(bot, other, seeds, teller.mistake, budget, watchdog.sign)
    teller.result(of_check(found, bot.name))


def _hung(bot: Entrant) -> None:
    """End the process: there is no other way to end a bot in it."""
    place = whereabouts(threading.main_thread())
    where = f"{place.where}: " if place else ""
    line = f"    {place.text}\n" if place else ""
    sys.stderr.write(f"{where}{bot.name} does not come back: the check ends here\n{line}")
    sys.stderr.flush()
    os._exit(BotFault.exit_code)


def _opponent(bot: Entrant, how: How) -> Entrant | None:
    name = how.against or USUAL_OPPONENT.get(bot.game)
    return find(name, bot.game) if name else None


def _play_on_offer(bot: Entrant, how: How, teller: Teller) -> None:
    names, url = [how.name] if how.name else _names(bot.name), normalise_url(how.server)
    for name in names:
        last = name == names[-1]
        with identity(url, name, sure=last) as mine:
            if mine is None:
                continue
            narrator = Narrator(url, name, Scribe(teller.result), _note, offered=True)
            there = connection(url, name, key=how.key, mine=mine, on_state=narrator.state)
            guest = Guest(there, bot, teller.mistake, _seed(how), True, OfferBot([bot.game], how.offer or 1))
            guest.watch = narrator.follow
            try:
                asyncio.run(serve(guest))
                return
            except Refused as refused:
                if refused.code != "name_taken" or last:
                    raise


def _note(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _play_room(bot: Entrant, how: How, teller: Teller) -> None:
    names, url = [how.name] if how.name else _names(bot.name), normalise_url(how.server)
    for name in names:
        narrator = Narrator(url, name, Scribe(teller.result), _note, opened=how.open is not None)
        there = connection(url, name, key=how.key, on_state=narrator.state)
        guest = Guest(there, bot, teller.mistake, _seed(how), how.stay)
        guest.watch = narrator.follow
        try:
            asyncio.run(play_room(guest, _room(bot, how)))
            return
        except Refused as refused:
            if refused.code != "name_taken" or name == names[-1]:
                raise


def _room(bot: Entrant, how: How) -> str | Create:
    if how.open is None:
        return how.room or ""
    return Create(bot.game, trials.usual(bot.game, how.open), seats=how.open, start="full")


def _names(name: str) -> list[str]:
    """Return the names under which a bot that was given none tries to come in, one after the other."""
    return [valid_name(name), *(valid_name(name, f"-{number}") for number in range(2, NAMES_TRIED + 1))]


def _seed(how: How) -> int:
    return randbits(32) if how.seed is None else how.seed
