"""``parlour contest`` and ``parlour standings``: contests on a server, and how everybody stands."""

import asyncio
import json
import re
import sys
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from parlour_client.cli.admin_params import AdminParams
from parlour_client.cli.app import app
from parlour_client.cli.params import Json, Server
from parlour_client.core.errors import OK, Usage
from parlour_client.core.options import options_of
from parlour_client.core.queries import contest_standings, lobby, standings
from parlour_client.core.ranking import Place, places
from parlour_client.core.sanitize import clean, clean_all
from parlour_client.core.url import DEFAULT_URL
from parlour_client.text import contest as contest_lines
from parlour_games.plural import share
from parlour_protocol.messages import ContestView

_CLOCK = re.compile(r"(\d{1,4}(?:\.\d+)?)(?:\+(\d{1,4}(?:\.\d+)?))?")
_EVERY = 1.0
"""Seconds between two looks at who is on offer."""
_EXAMPLES = """Examples:
  parlour contest start friday --bots 30 --games 4 --option scoring=single
  parlour contest start cup --format swiss --rounds 7 --clock 30+2
  parlour contest drop friday hangman
  parlour contest stop friday
  parlour contest resume friday
  parlour contest results friday --csv >friday.csv
  parlour standings --contest friday"""

_HERE = AdminParams()

Name = Annotated[str, Parameter(name="NAME", help="What the contest is called: letters, digits, - and _.")]

contest = app(
    "parlour contest",
    "Let bots that offer themselves on a server meet each other. They come with: parlour bot run BOT --offer 4",
    _EXAMPLES,
)


@contest.command
def start(
    name: Name,
    /,
    *,
    game: Annotated[str, Parameter(help="What is played.")] = "uno",
    form: Annotated[
        Literal["round-robin", "swiss"],
        Parameter("--format", help="Everybody meets everybody, or rounds between those who stand alike."),
    ] = "round-robin",
    players: Annotated[int, Parameter(help="How many sit at a table.")] = 2,
    games: Annotated[int, Parameter(help="How often the same meet in a round robin.")] = 2,
    rounds: Annotated[int, Parameter(help="Rounds of a Swiss contest.")] = 0,
    option: Annotated[
        list[str] | None, Parameter(negative="", help="An option of the game, NAME=VALUE. Repeatable.")
    ] = None,
    clock: Annotated[
        str,
        Parameter(help="BANK+ADD: seconds for a match, and more for each turn; no bank grows. Three times late loses."),
    ] = "10+1",
    bots: Annotated[int, Parameter(help="Wait until so many bots are on offer.")] = 2,
    how: AdminParams = _HERE,
) -> int:
    """Begin a contest between all bots that are on offer; those of the house take no part."""
    args: dict[str, Any] = {"game": game, "format": form, "players": players, "games": games, "rounds": rounds}
    args |= {"options": options_of(option or ()), "clock": _clock(clock)}
    asyncio.run(_start(how, name, args, max(bots, players)))
    sys.stdout.write(f"The contest {name} has begun. How it stands: parlour standings --contest {name}\n")
    return OK


@contest.command
def stop(name: Name, /, how: AdminParams = _HERE) -> int:
    """Begin no further table of a contest, until it is resumed; those under way are played to their end."""
    asyncio.run(how.send("contest", name, args={"stop": True}))
    sys.stdout.write(
        f"The contest {name} is stopped; what was played counts. To go on: parlour contest resume {name}\n"
    )
    return OK


@contest.command
def resume(name: Name, /, how: AdminParams = _HERE) -> int:
    """Go on with a contest that was stopped. After a restart of the server every other one goes on by itself."""
    asyncio.run(how.send("contest", name, args={"resume": True}))
    sys.stdout.write(f"The contest {name} goes on. How it stands: parlour standings --contest {name}\n")
    return OK


@contest.command
def drop(
    name: Name,
    bot: Annotated[str, Parameter(name="BOT", help="The bot's name, in any letter case.")],
    /,
    how: AdminParams = _HERE,
) -> int:
    """Let a bot play no more in a contest: it forfeits all its tables that are left, those under way too."""
    asyncio.run(how.send("contest", name, args={"drop": bot}))
    sys.stdout.write(f"{bot} plays no more in {name}; its tables that are left are forfeited.\n")
    return OK


@contest.command
def results(
    name: Name,
    /,
    *,
    server: Server = DEFAULT_URL,
    as_csv: Annotated[bool, Parameter("--csv", negative="", help="Comma-separated values, for a spreadsheet.")] = False,
    as_json: Json = False,
) -> int:
    """Tell how everybody stands in a contest, and how often who has won against whom."""
    view, rows = asyncio.run(contest_standings(server, name, cross=True))
    found = places(clean_all(rows))
    if as_json:
        _write_json(server, name, view, found)
    elif as_csv:
        sys.stdout.write(contest_lines.comma_separated(found))
    else:
        lines = [*contest_lines.table(name, clean_all(view), found), "", "Won against:", *contest_lines.cross(found)]
        sys.stdout.writelines(f"{line}\n" for line in lines)
    return OK


def table(
    *,
    game: Annotated[str | None, Parameter(help="Of one game, by rating. Default: of all, by wins.")] = None,
    contest: Annotated[str | None, Parameter(help="Of a contest.")] = None,
    server: Server = DEFAULT_URL,
    as_json: Json = False,
) -> int:
    """Show who has won how much on a server, or in a contest.

    Examples:
    parlour standings --game uno
    parlour standings --contest friday --json
    """
    if contest is not None:
        return _contest_table(server, contest, as_json)
    rows = asyncio.run(standings(server, game))
    if as_json:
        sys.stdout.write(json.dumps(clean_all({"server": server, "rows": rows})) + "\n")
    else:
        sys.stdout.writelines(f"{clean(line)}\n" for line in _lines([{**row} for row in rows], game))
    return OK


def _contest_table(server: str, name: str, as_json: bool) -> int:
    view, rows = asyncio.run(contest_standings(server, name))
    found = places(clean_all(rows))
    if as_json:
        _write_json(server, name, view, found)
    else:
        sys.stdout.writelines(f"{line}\n" for line in contest_lines.table(name, clean_all(view), found))
    return OK


def _write_json(server: str, name: str, view: ContestView, found: Sequence[Place]) -> None:
    contest = {"name": name, **view}
    told = {"server": server, "contest": contest, "rows": [each.plain() for each in found]}
    sys.stdout.write(json.dumps(clean_all(told)) + "\n")


def _clock(text: str) -> dict[str, int]:
    """Return the clock that ``BANK+ADD`` means, in milliseconds. Raises Usage."""
    found = _CLOCK.fullmatch(text.replace(" ", ""))
    if not found:
        raise Usage(f"--clock is BANK+ADD in seconds, like 10+1, not {text[:20]!a}")
    return {"bank": round(1000 * float(found[1])), "add": round(1000 * float(found[2] or 0))}


async def _start(how: AdminParams, name: str, args: dict[str, Any], bots: int) -> None:
    """Wait for the bots and begin; what would be refused then is refused at once. Raises Fault."""
    told = -1
    await how.send("contest", name, args={**args, "check": bots})
    while (there := await _on_offer(how.server, args["game"])) < bots:
        if there != told:
            sys.stderr.write(f"{share(there, bots, 'bot')} on offer.\n")
            told = there
        await asyncio.sleep(_EVERY)
    await how.send("contest", name, args=args)


async def _on_offer(url: str, game: str) -> int:
    found = await lobby(url, game)
    return sum(game in bot["games"] and not bot.get("house", False) for bot in found["bots"])


def _lines(rows: list[dict[str, Any]], game: str | None = None) -> list[str]:
    if not rows:
        return [f"No match of {game} has been played yet." if game else "Nothing has been played yet."]
    rated = any("rating" in row for row in rows)
    head = f"{'':>4} {'name':<20} {'games':>7} {'wins':>7} {'points':>9}" + ("  rating" if rated else "")
    return [head, *(_line(place, row) for place, row in enumerate(rows, 1))]


def _line(place: int, row: dict[str, Any]) -> str:
    rating = f"{row['rating']:>8}" if "rating" in row else ""
    return f"{place:>4} {row['name']:<20} {row['games']:>7} {row['wins']:>7} {row['points']:>9}{rating}"
