"""``parlour profile``: what a name has done on a server, or this user at their own table."""

import asyncio
import json
import sys
from typing import Annotated

from cyclopts import Parameter

from parlour_client.cli.params import Json, login_name
from parlour_client.core import queries
from parlour_client.core.errors import OK, Usage
from parlour_client.core.phrases import say
from parlour_client.core.sanitize import clean, clean_all
from parlour_client.storage import tallies
from parlour_client.text import profile as text
from parlour_protocol.messages import ProfileRow


def profile(
    name: Annotated[str | None, Parameter(help="Whose, on a server. Default: yours.")] = None,
    /,
    *,
    server: Annotated[
        str | None, Parameter(name=("--server", "--url"), help="The server. Default: your matches on this machine.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Show best times, wins and streaks: on a server, or of the matches of `parlour play`.

    Examples:
    parlour profile
    parlour profile anna --server parlour.example.org
    """
    if server is None and name is not None:
        raise Usage(say("fault.whose", said=ascii(name[:40])))
    who, rows = _of_server(server, name or login_name()) if server else ("Your own table", tallies.rows())
    title = who if server else say("tui.profile.own")
    if as_json:
        sys.stdout.write(json.dumps(clean_all({"server": server, "name": who, "games": rows})) + "\n")
    else:
        sys.stdout.writelines(f"{clean(line)}\n" for line in text.lines(title, rows))
    return OK


def _of_server(server: str, name: str) -> tuple[str, list[ProfileRow]]:
    found = asyncio.run(queries.profile(server, name))
    return found.name, found.games
