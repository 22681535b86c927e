"""``parlour bot``: create, run, check and list bots."""

import json as encoding
import pdb as debugger
import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from parlour_bots.cli.play import PlayOptions, carry_out, chosen
from parlour_bots.loading import INSTALLED, describe, find, installed
from parlour_bots.play import foreign
from parlour_bots.tools import ask as asking
from parlour_bots.tools import review as reviewing
from parlour_bots.tools import scaffold
from parlour_bots.tools.guards import MEMORY, Confined, GameName, GameOptions, Readable, announce, exits_raised
from parlour_bots.tools.progress import ReviewProgress
from parlour_client.cli.params import GAMES, Json
from parlour_client.core.errors import OK, BotFault, Usage
from parlour_client.core.printing import BOLD, marked_for
from parlour_client.core.room import JoinedRoom
from parlour_client.text.review import lines

BotName = Annotated[
    str,
    Parameter(
        name="BOT", help="An installed bot, FILE.py, FILE.py:NAME, MODULE:NAME, exec:COMMAND or llm:MODEL@BASE_URL."
    ),
    INSTALLED,
]
Game = Annotated[str, Parameter(help="The game of a bot that does not declare one."), GAMES]
_NAMED = 22
"""Columns for the name of a bot."""


def new(
    name: Annotated[str, Parameter(name="NAME", help="The name of the bot and of its file.")],
    /,
    *,
    lang: Annotated[Literal["python", "node", "sh"], Parameter(help="The language.")] = "python",
    game: GameName = "uno",
) -> int:
    """Create a working bot in the current folder, as a starting point.

    Examples:
    parlour bot new hello
    parlour bot new hello --lang node
    parlour bot new sweeper --game minesweeper --lang sh
    """
    sys.stdout.write(scaffold.new(name, lang, game))
    return OK


def run(
    what: BotName,
    /,
    options: PlayOptions = PlayOptions(),
    *,
    game: Game = "uno",
) -> int:
    """Run a bot, in this process or on a server.

    Examples:
    parlour bot run painfirst
    parlour bot run ./hello.py --arena 200 --against painfirst
    parlour bot run "exec:node hello.mjs" --arena 20
    parlour bot run ./hello.py --room K7QD --server ws://10.0.0.4:7777
    parlour bot run ./hello.py --offer 4 --server ws://10.0.0.4:7777
    parlour bot run ./stranger.py --confined --arena 20
    """
    return carry_out(chosen(what, game, options), options)


def exec_(
    *command: Annotated[str, Parameter(name="COMMAND", help="The program and its arguments, after --.")],
    options: PlayOptions = PlayOptions(),
    game: Annotated[str, Parameter(help="The game it plays."), GAMES] = "uno",
    text: Annotated[bool, Parameter(negative="", help="Send each turn as text, too.")] = False,
) -> int:
    """Run any program as a bot, which reads turns from stdin and writes answers to stdout.

    The program reads a greeting and then turns, one JSON object per line:

      {"parlour":1,"game":"uno","name":"hello","seed":2841950217}
      {"rid":7,"seat":1,"view":{...},"legal":[...],"budget":1000, ...}

    It answers each turn, but not the greeting, with one line:

      0                              the index of an action in legal; in
                                     Minesweeper the number of a cell
      {"do":"draw"}                  an action
      {"rid":7,"act":0,"why":"..."}  either, with its turn and an optional reason

    It must answer within budget milliseconds and exit when its input ends. Other
    output belongs on stderr.

    Examples:
    parlour bot exec -- yes 0
    parlour bot exec --arena 20 -- node hello.mjs
    parlour bot exec --room K7QD --name maria -- ./hello.sh
    """
    if options.limits:
        announce(options.limits)
    try:
        return carry_out(foreign.bot_spec(command, game, options.name, text=text, limits=options.limits), options)
    except LookupError as error:
        raise Usage(f"{error}. See: parlour bot exec --help") from None


def check(
    what: BotName,
    /,
    *,
    budget: Annotated[int | None, Parameter(help="Milliseconds per answer. Default: 1000.")] = None,
    seed: Annotated[int | None, Parameter(help="The seed of the first match. Default: 0.")] = None,
    against: Annotated[str | None, Parameter(help="The opponent. Default: a random player."), INSTALLED] = None,
    memory: Annotated[
        int, Parameter(help="MiB that the bot may use, beyond what it used when it was loaded.")
    ] = MEMORY,
    pdb: Annotated[bool, Parameter(negative="", help="Open the debugger where the bot first raises.")] = False,
    confined: Confined = False,
    readable: Readable = None,
    option: GameOptions = None,
    game: Game = "uno",
    json: Json = False,
) -> int:
    """Check a bot in short matches, each played twice. Exits with 7 if it fails.

    It fails for late, malformed or illegal answers, for different answers under the same seed, for memory that
    grows from match to match or exceeds its limit, and for starting processes.

    Examples:
    parlour bot check ./hello.py
    parlour bot check "exec:node hello.mjs" --budget 200
    parlour bot check ./careful.py --option level=expert
    parlour bot check painfirst --json
    """
    options = PlayOptions(
        check=True, budget=budget, seed=seed, against=against, json=json, memory=memory, pdb=pdb,
        confined=confined, readable=readable, option=option,
    )  # fmt: skip
    return carry_out(chosen(what, game, options), options)


def ask(
    what: BotName,
    /,
    *,
    turn: Annotated[Path | None, Parameter(help="A JSON file with a turn, as reports of mistakes print it.")] = None,
    file: Annotated[Path | None, Parameter(help="The file of a finished match.")] = None,
    at: Annotated[int, Parameter(help="The number of an act in the match file, from 1.")] = 1,
    seed: Annotated[int, Parameter(help="The seed of turn.rng.")] = 0,
    pdb: Annotated[bool, Parameter(negative="", help="Open the debugger where the bot raises.")] = False,
    game: Game = "uno",
    json: Json = False,
) -> int:
    """Ask a bot about one position. Exits with 7 if it makes a mistake.

    Examples:
    parlour bot ask ./hello.py --turn turn.json
    parlour bot ask ./hello.py --file match.jsonl --at 40 --pdb
    """
    if (turn is None) == (file is None):
        raise Usage("name a position: either --turn FILE, or --file MATCH --at N")
    question = asking.turn_in(turn, seed) if turn else asking.turn_at(file or Path(), at, seed)
    with exits_raised():
        found = asking.ask(find(what, question.game or game), question)
    sys.stdout.write(f"{encoding.dumps(found.plain()) if json else asking.report(found)}\n")
    if found.mistake is None:
        return OK
    sys.stderr.write(f"{found.mistake}\n{asking.whose(found.mistake)}\n")
    if pdb and found.mistake.error is not None:
        debugger.post_mortem(found.mistake.error.__traceback__)
    return BotFault.exit_code


def list_(*, json: Json = False) -> None:
    """List the installed bots with a description of each.

    Examples:
    parlour bot list
    parlour bot list --json
    """
    bots = [
        {"name": name, "game": name.partition(".")[0], "plays": describe(entry), "from": entry.value}
        for name, entry in installed().items()
    ]
    lines = [
        marked_for(sys.stdout, f"{row['name']:<{_NAMED}} {row['plays']}", row["name"], BOLD, _NAMED + 1) for row in bots
    ]
    sys.stdout.write(encoding.dumps({"bots": bots}) if json else "\n".join(lines))
    sys.stdout.write("\n")


def review(
    file: Annotated[Path, Parameter(allow_leading_hyphen=True, help="The match file.")],
    /,
    *,
    viewer: Annotated[str | None, Parameter("--as", help="A seat or a name. Default: every person.")] = None,
    worlds: Annotated[
        int | None,
        Parameter(help="Worlds per decision: more are more exact, and slower. Default: 500, and 60 in Minesweeper."),
    ] = None,
    seed: Annotated[int, Parameter(help="The seed of the worlds.")] = 0,
    json: Json = False,
) -> int:
    """Review the decisions of a match: what the strongest bot would have done, and what the difference cost.

    The bot is search in UNO and exact in Minesweeper, for boards that a player clears alone. A cost is a share of the
    chance to win the match, or to clear the board, judged by what the player could see. Each round of UNO also shows
    luck: by how much the chance changed through cards and other players.

    Examples:
    parlour review uno-8f31c2a90b17.jsonl
    parlour review uno-8f31c2a90b17.jsonl --as anna --worlds 2000
    parlour review uno-8f31c2a90b17.jsonl --json | jq '.players[0].rounds'
    """
    replays = reviewing.replays(file, viewer)
    with ReviewProgress(sum(len(reviewing.decisions(each)) for each in replays), sys.stderr) as progress:
        found = [reviewing.review(each, worlds, seed, progress.step).plain() for each in replays]
    room = JoinedRoom.of(reviewing.joined_of(replays[0]))
    judge = reviewing.JUDGES[room.game]
    whole = {"game": room.game, "worlds": worlds or judge.worlds, "seed": seed, "judge": judge.bot, "players": found}
    text = encoding.dumps(whole) if json else "\n".join(lines(room, found))
    sys.stdout.write(f"{text}\n")
    return OK
