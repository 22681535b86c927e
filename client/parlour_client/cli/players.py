"""Verbs about a player on a server: the matches of the day, the profile, and the webhook."""

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from cyclopts import Parameter, Token

from parlour_client.cli import frontend
from parlour_client.cli.params import Json, Key, Name, Plain, Server, login_name, secret
from parlour_client.cli.verbs import FORMER_SERVER
from parlour_client.core import queries
from parlour_client.core.connection import Connection
from parlour_client.core.errors import OK, Fault, Usage
from parlour_client.core.phrases import phrases, say
from parlour_client.core.printing import clean, clean_all
from parlour_client.core.url import DEFAULT_URL
from parlour_client.storage import history
from parlour_client.storage.credentials import held
from parlour_client.text import profile as text
from parlour_client.text.own_games import webhook_fault, webhook_line
from parlour_protocol.messages import Daily, ProfileRow, Webhook, WebhookFormat, WebhookState
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
    table: Annotated[bool, Parameter(negative="", help="Show the results of the day instead of playing.")] = False,
    day: Annotated[str | None, Parameter(help="With --table: the day, YYYY-MM-DD. Default: today.")] = None,
    server: Server = DEFAULT_URL,
    name: Name = None,
    key: Key = None,
    plain: Plain = False,
    as_json: Json = False,
) -> int:
    """Play the board or the cards of the day: the same for everyone on a server. Your first attempt counts.

    In Minesweeper the shortest time wins. In UNO you play three bots, and the fewest points win.

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
            sys.stdout.writelines(f"{clean(webhook_line)}\n" for webhook_line in text.daily_table(found))
        return OK
    who = {"name": name or login_name(), "own_name": bool(name), "key": key}
    return asyncio.run(frontend.way_to_play(plain)(server, create=Daily(board, play=True), **who))


def profile(
    name: Annotated[str | None, Parameter(help="The player, on a server. Default: you.")] = None,
    /,
    *,
    server: Annotated[
        str | None,
        Parameter(name="--server", alias=FORMER_SERVER, help="The server. Default: your matches on this machine."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Show best times, wins and streaks, on a server or in your matches of `parlour play`.

    Examples:
    parlour profile
    parlour profile anna --server parlour.example.org
    """
    if server is None and name is not None:
        raise Usage(say("fault.whose", said=ascii(name[:40])))
    who, rows = _of_server(server, name or login_name()) if server else ("Your own table", history.tally_rows())
    title = who if server else say("tui.profile.own")
    if as_json:
        sys.stdout.write(json.dumps(clean_all({"server": server, "name": who, "games": rows})) + "\n")
    else:
        sys.stdout.writelines(f"{clean(webhook_line)}\n" for webhook_line in text.lines(title, rows))
    return OK


def _of_server(server: str, name: str) -> tuple[str, list[ProfileRow]]:
    found = asyncio.run(queries.profile(server, name))
    return found.name, found.games


_PATIENCE = 30.0
"""Seconds to wait for an answer: a test takes up to ten, and may have to wait for others."""


class NotDelivered(Fault):
    """The server could not deliver a test."""


def webhook(*, server: Server = DEFAULT_URL, name: Name = None, key: Key = None, as_json: Json = False) -> int:
    """Show the webhook that a server calls when it is your turn. Your name needs a key: parlour identity

    The server calls it once for each turn, when you have been away for 15 seconds. It never shows its URL.

    Examples:
    parlour webhook set https://ntfy.sh/my-secret-topic --format ntfy
    parlour webhook test
    parlour webhook
    parlour webhook remove --server parlour.example.org
    """
    found = _ask(server, name, key, Webhook())
    if as_json:
        shown = {"server": server, "host": found.host, "format": found.format, "lang": found.lang, "off": found.off}
        sys.stdout.write(json.dumps(shown) + "\n")
    else:
        _write(webhook_line(found, server))
    return OK


def set_(
    url: Annotated[str, Parameter(help="The URL to call, a secret. - reads it from standard input.")],
    /,
    *,
    format: Annotated[
        WebhookFormat, Parameter(help="What the URL takes: JSON, or messages as ntfy or Discord take them.")
    ] = "json",
    server: Server = DEFAULT_URL,
    name: Name = None,
    key: Key = None,
) -> int:
    """Set your webhook, replacing the previous one.

    Examples:
    parlour webhook set https://ntfy.sh/my-secret-topic --format ntfy
    parlour webhook set - --format discord --server parlour.example.org
    """
    url = secret(say("line.webhook.url")) if url == "-" else url
    found = _ask(server, name, key, Webhook("set", url, format, phrases.language))
    _write(say("line.webhook.set", host=found.host, server=server))
    return OK


def try_(*, server: Server = DEFAULT_URL, name: Name = None, key: Key = None) -> int:
    """Call your webhook now. If it was switched off and this works, it is switched on again.

    Examples:
    parlour webhook test
    """
    found = _ask(server, name, key, Webhook("test"))
    if found.host is None:
        _write(webhook_line(found, server))
    elif found.test == "delivered":
        _write(say("line.webhook.delivered", host=found.host))
    else:
        raise NotDelivered(say("fault.webhook", host=found.host, why=webhook_fault(found.test)))
    return OK


def remove(*, server: Server = DEFAULT_URL, name: Name = None, key: Key = None) -> int:
    """Remove your webhook from a server.

    Examples:
    parlour webhook remove
    """
    _ask(server, name, key, Webhook("remove"))
    _write(say("line.webhook.removed", server=server))
    return OK


def _ask(server: str, name: str | None, key: str | None, asked: Webhook) -> WebhookState:
    """Return the answer to a request under the player's name. Raises Fault."""

    async def answer() -> WebhookState:
        with held(server, name or login_name()) as credentials:
            session = credentials.session(None, key)
            async with Connection(server, session, patience=_PATIENCE) as connection:
                return await queries.ask(connection, asked)

    return asyncio.run(answer())


def _write(text: str) -> None:
    sys.stdout.write(f"{clean(text)}\n")
