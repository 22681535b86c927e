"""``parlour contest`` and ``parlour standings``: contests on a server, and how everybody stands."""

import asyncio
import json
import sys
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from parlour_client.address import DEFAULT_URL
from parlour_client.faults import OK
from parlour_client.lobby import ask, lobby, standings, visiting
from parlour_client.operator import Token, TokenFile, operator_token
from parlour_client.options import options_of
from parlour_client.text import clean, clean_all
from parlour_client.verbs import Json, Server
from parlour_protocol.messages import Admin, Ok

_EVERY = 1.0
"""Seconds between two looks at who is on offer."""
_EXAMPLES = """Examples:
  parlour contest start friday --bots 30 --games 2 --token-file ~/.local/share/parlour/parlour.admin
  parlour contest start cup --format swiss --rounds 7 --game minesweeper --option mode=duel
  parlour contest stop friday
  parlour standings --contest friday"""

Name = Annotated[str, Parameter(name="NAME", help="What the contest is called: letters, digits, - and _.")]

contest = App(
    name="parlour contest",
    help="Let bots that offer themselves on a server meet each other. They come with: parlour bot run BOT --offer",
    help_format="plaintext",
    help_epilogue=_EXAMPLES,
    version_flags=[],
    suppress_keyboard_interrupt=False,
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
    bots: Annotated[int, Parameter(help="Wait until so many bots are on offer.")] = 2,
    server: Server = DEFAULT_URL,
    token: Token = None,
    token_file: TokenFile = None,
) -> int:
    """Begin a contest between all bots that are on offer; those of the house take no part."""
    args: dict[str, Any] = {"game": game, "format": form, "players": players, "games": games, "rounds": rounds}
    args["options"] = options_of(option or ())
    asyncio.run(
        _start(server, Admin(operator_token(server, token, token_file), "contest", name, args=args), game, bots)
    )
    sys.stdout.write(f"The contest {name} has begun. How it stands: parlour standings --contest {name}\n")
    return OK


@contest.command
def stop(name: Name, /, *, server: Server = DEFAULT_URL, token: Token = None, token_file: TokenFile = None) -> int:
    """Begin no further table of a contest; those under way are played to their end."""
    stop = Admin(operator_token(server, token, token_file), "contest", name, args={"stop": True})
    asyncio.run(_tell(server, stop))
    sys.stdout.write(f"The contest {name} is stopped; what was played counts.\n")
    return OK


def table(
    *,
    game: Annotated[str | None, Parameter(help="Of one game, with ratings.")] = None,
    contest: Annotated[str | None, Parameter(help="Of a contest.")] = None,
    server: Server = DEFAULT_URL,
    as_json: Json = False,
) -> int:
    """Show who has won how much on a server, or in a contest.

    Examples:
    parlour standings --game uno
    parlour standings --contest friday --json
    """
    rows = asyncio.run(standings(server, game, contest))
    if as_json:
        sys.stdout.write(json.dumps(clean_all({"server": server, "rows": rows})) + "\n")
    else:
        sys.stdout.writelines(f"{clean(line)}\n" for line in _lines([{**row} for row in rows]))
    return OK


async def _start(url: str, message: Admin, game: str, bots: int) -> None:
    told = -1
    while (there := await _on_offer(url, game)) < bots:
        if there != told:
            sys.stderr.write(f"{there} of {bots} bots are on offer.\n")
            told = there
        await asyncio.sleep(_EVERY)
    await _tell(url, message)


async def _on_offer(url: str, game: str) -> int:
    found = await lobby(url, game)
    return sum(game in bot["games"] and not bot.get("house", False) for bot in found["bots"])


async def _tell(url: str, message: Admin) -> None:
    async with visiting(url) as connection:
        await ask(connection, message, Ok)


def _lines(rows: list[dict[str, Any]]) -> list[str]:
    if not rows:
        return ["Nothing has been played yet."]
    rated = any("rating" in row for row in rows)
    head = f"{'':>4} {'name':<20} {'games':>7} {'wins':>7} {'points':>9}" + ("  rating" if rated else "")
    return [head, *(_line(place, row) for place, row in enumerate(rows, 1))]


def _line(place: int, row: dict[str, Any]) -> str:
    rating = f"{row['rating']:>8}" if "rating" in row else ""
    return f"{place:>4} {row['name']:<20} {row['games']:>7} {row['wins']:>7} {row['points']:>9}{rating}"
