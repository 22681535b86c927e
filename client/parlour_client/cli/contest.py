"""``parlour contest`` and ``parlour standings``: run contests on a server, and show standings."""

import asyncio
import sys
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from parlour_client.cli.admin import AdminParams
from parlour_client.cli.params import GAMES, Json, Server
from parlour_client.core import queries
from parlour_client.core.errors import OK, Usage
from parlour_client.core.options import clock_of, options_of
from parlour_client.core.phrases import say
from parlour_client.core.printing import clean_all, tell, tell_json
from parlour_client.core.url import DEFAULT_URL
from parlour_client.text import contest as contest_lines
from parlour_client.text.contest import ContestRow, places
from parlour_protocol.messages import Among, ContestView, Standings
from parlour_protocol.standard_output import document

_WIDEST = 100_000
"""Columns of the widest cross table."""
_INTERVAL = 1.0
"""Seconds between two queries of the available bots."""

_HERE = AdminParams()

Name = Annotated[str, Parameter(name="NAME", help="The contest's name: letters, digits, - and _.")]


def start(
    name: Name,
    /,
    *,
    game: Annotated[str, Parameter(help="The game."), GAMES] = "uno",
    form: Annotated[
        Literal["round-robin", "swiss", "single-elimination", "double-elimination", "groups", "league"],
        Parameter("--format", help="Who meets whom. groups: a round robin in each, then play-offs."),
    ] = "round-robin",
    players: Annotated[int, Parameter(help="Players in a match.")] = 2,
    games: Annotated[int, Parameter(help="How often the same players meet in a round robin or a tie.")] = 2,
    rounds: Annotated[int, Parameter(help="Rounds of a Swiss contest, or seasons of a league.")] = 0,
    groups: Annotated[int, Parameter(help="How many groups, or divisions of a league.")] = 0,
    advance: Annotated[
        int, Parameter(help="How many of each group reach the play-offs, or change divisions after a season.")
    ] = 0,
    option: Annotated[
        list[str] | None, Parameter(negative="", help="An option of the game, NAME=VALUE. Repeatable.")
    ] = None,
    clock: Annotated[
        str,
        Parameter(
            help="BANK+ADD: seconds for a match, and seconds added each turn up to BANK. A third time-out loses."
        ),
    ] = "10+1",
    bots: Annotated[int, Parameter(help="Wait until this many bots are available.")] = 2,
    how: AdminParams = _HERE,
) -> int:
    """Start a contest between all available bots. Authors join with: parlour bot run BOT --offer 4

    House bots do not take part.

    Examples:
    parlour contest start friday --bots 30 --games 4 --option scoring=single
    parlour contest start cup --format swiss --rounds 7 --clock 30+2
    parlour contest start finals --format groups --groups 4 --advance 2 --games 3
    """
    args: dict[str, Any] = {"game": game, "format": form, "players": players, "games": games, "rounds": rounds}
    args |= {"groups": groups, "advance": advance}
    args |= {"options": options_of(option or (), game), "clock": clock_of(clock)}
    asyncio.run(_start(how, name, args, max(bots, players)))
    tell([say("line.contest.started", name=name)])
    return OK


def stop(name: Name, /, how: AdminParams = _HERE) -> int:
    """Pause a contest: matches in progress are finished, but no new ones start.

    Examples:
    parlour contest stop friday
    """
    asyncio.run(how.send("contest", name, args={"stop": True}))
    tell([say("line.contest.stopped", name=name)])
    return OK


def resume(name: Name, /, how: AdminParams = _HERE) -> int:
    """Continue a stopped contest. Other contests resume automatically when the server restarts.

    Examples:
    parlour contest resume friday
    """
    asyncio.run(how.send("contest", name, args={"resume": True}))
    tell([say("line.contest.resumed", name=name)])
    return OK


def drop(
    name: Name,
    bot: Annotated[str, Parameter(name="BOT", help="The bot's name, in any letter case.")],
    /,
    how: AdminParams = _HERE,
) -> int:
    """Remove a bot from a contest. It forfeits its remaining matches, including those in progress.

    Examples:
    parlour contest drop friday hangman
    """
    asyncio.run(how.send("contest", name, args={"drop": bot}))
    tell([say("line.contest.dropped", bot=bot, name=name)])
    return OK


def results(
    name: Name,
    /,
    *,
    server: Server = DEFAULT_URL,
    as_csv: Annotated[bool, Parameter("--csv", negative="", help="Print comma-separated values.")] = False,
    as_json: Json = False,
) -> int:
    """Show the standings of a contest, and how often each bot beat each other one.

    Examples:
    parlour contest results friday
    parlour contest results friday --csv >friday.csv
    """
    view, found = _contest(server, name, cross=True)
    if as_json:
        _tell_json(server, name, view, found)
    elif as_csv:
        document().write(contest_lines.comma_separated(found))
    else:
        standings = contest_lines.table(name, view, found)
        tell([*standings, "", say("line.contest.against"), *contest_lines.cross(found)], _WIDEST)
    return OK


def standings(
    *,
    game: Annotated[str | None, Parameter(help="Show one game, by rating. Default: all games, by wins."), GAMES] = None,
    contest: Annotated[str | None, Parameter(help="Show a contest.")] = None,
    ladder: Annotated[
        Among | None, Parameter(help="Show the ladder of the game: of all players, or of humans, bots or models (llm).")
    ] = None,
    server: Server = DEFAULT_URL,
    as_json: Json = False,
) -> int:
    """Show the standings of a server, the ladder of a game, or the standings of a contest.

    Examples:
    parlour standings --game uno
    parlour standings --game uno --ladder bot
    parlour standings --contest friday --json
    """
    if contest is not None:
        return _contest_table(server, contest, as_json)
    if ladder is not None:
        return _ladder(server, game, ladder, as_json)
    rows = asyncio.run(queries.asked(server, Standings(game))).rows
    if as_json:
        tell_json({"server": server, "rows": rows})
    else:
        tell(contest_lines.leaderboard(clean_all(rows), game))
    return OK


def _ladder(server: str, game: str | None, among: Among, as_json: bool) -> int:
    if game is None:
        raise Usage(say("fault.ladder_game"))
    found = asyncio.run(queries.asked(server, Standings(game, ladder=among)))
    if as_json:
        tell_json({"server": server, "game": game, "ladder": among, "rows": found.rows, "ago": found.ago})
    else:
        tell(contest_lines.ladder(clean_all(found.rows)) if found.rows else [say("line.ladder.none", game=game)])
    return OK


def _contest_table(server: str, name: str, as_json: bool) -> int:
    view, found = _contest(server, name)
    if as_json:
        _tell_json(server, name, view, found)
    else:
        tell(contest_lines.table(name, view, found))
    return OK


def _contest(server: str, name: str, *, cross: bool = False) -> tuple[ContestView, list[ContestRow]]:
    """Return the state of a contest and the places of its bots, with ``cross`` including their pairings."""
    found = asyncio.run(queries.asked(server, Standings(contest=name, cross=cross)))
    return clean_all(found.contest), places(clean_all(found.rows))


def _tell_json(server: str, name: str, view: ContestView, found: Sequence[ContestRow]) -> None:
    tell_json({"server": server, "contest": {"name": name, **view}, "rows": [each.plain() for each in found]})


async def _start(how: AdminParams, name: str, args: dict[str, Any], bots: int) -> None:
    """Have the server check the request, wait for the bots, and start. Raises Fault."""
    shown = -1
    await how.send("contest", name, args={**args, "check": bots})
    while (there := await _available(how.server, args["game"])) < bots:
        if there != shown:
            sys.stderr.write(say("line.contest.available", n=there, bots=bots, single=there == 1) + "\n")
            shown = there
        await asyncio.sleep(_INTERVAL)
    await how.send("contest", name, args=args)


async def _available(url: str, game: str) -> int:
    found = await queries.lobby(url, game)
    return sum(game in bot["games"] and not bot.get("house", False) for bot in found["bots"])
