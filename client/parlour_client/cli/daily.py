"""``parlour daily``: play the board or the cards of the day on a server, or show the table of a day."""

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from cyclopts import Parameter, Token

from parlour_client.cli import frontend
from parlour_client.cli.params import Json, Key, Name, Plain, Server, login_name
from parlour_client.core import queries
from parlour_client.core.errors import OK
from parlour_client.core.sanitize import clean, clean_all
from parlour_client.core.url import DEFAULT_URL
from parlour_client.text import profile as text
from parlour_protocol.messages import Daily
from parlour_protocol.wire import plain as plain_data


def _name(_: Any, tokens: Sequence[Token]) -> str:
    """Return any name: the choices are the boards of parlour's own games, and other games may have some."""
    return tokens[0].value


def daily(
    board: Annotated[
        Literal["beginner", "intermediate", "expert", "uno"],
        Parameter(help="A board of Minesweeper, the cards of UNO, or another one of the server.", converter=_name),
    ] = "beginner",
    *,
    table: Annotated[bool, Parameter(negative="", help="Show who has finished it, instead of playing.")] = False,
    day: Annotated[str | None, Parameter(help="With --table: another day, YYYY-MM-DD.")] = None,
    server: Server = DEFAULT_URL,
    name: Name = None,
    key: Key = None,
    plain: Plain = False,
    as_json: Json = False,
) -> int:
    """Play the board or the cards of the day: the same for everyone on a server. Your first attempt counts.

    In Minesweeper the shortest time wins, in UNO, against three bots, the fewest points.

    Examples:
    parlour daily --server parlour.example.org
    parlour daily expert
    parlour daily uno
    parlour daily --table --day 2026-11-22
    """
    if table or day is not None or as_json:
        found = asyncio.run(queries.daily(server, board, day))
        if as_json:
            sys.stdout.write(json.dumps(clean_all({"server": server, **plain_data(found)})) + "\n")
        else:
            sys.stdout.writelines(f"{clean(line)}\n" for line in text.daily_table(found))
        return OK
    who = {"name": name or login_name(), "own_name": bool(name), "key": key}
    return asyncio.run(frontend.way_to_play(plain)(server, create=Daily(board, play=True), **who))
