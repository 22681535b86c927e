"""Verbs about a player on a server: the matches of the day, the profile, and the webhook."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from cyclopts import Parameter, Token

from parlour_client.cli import frontend
from parlour_client.cli.params import LOGIN, Json, Login, Plain, login_name, secret
from parlour_client.cli.verbs import FORMER_SERVER
from parlour_client.core import queries
from parlour_client.core.errors import OK, Fault, Usage
from parlour_client.core.phrases import phrases, say
from parlour_client.core.printing import tell, tell_json
from parlour_client.storage import history
from parlour_client.text import profile as text
from parlour_client.text.own_games import webhook_fault, webhook_line
from parlour_protocol.messages import Daily, Webhook, WebhookFormat
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
    me: Login = LOGIN,
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
        found = asyncio.run(queries.daily(me.server, board, day))
        if as_json:
            tell_json({"server": me.server, **plain_data(found)})
        else:
            tell(text.daily_table(found))
        return OK
    return frontend.play(me.entry(Daily(board, play=True)), plain)


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
    if server:
        found = asyncio.run(queries.profile(server, name or login_name()))
        who = title = found.name
        rows = found.games
    else:
        who, title, rows = "Your own table", say("tui.profile.own"), history.tally_rows()
    if as_json:
        tell_json({"server": server, "name": who, "games": rows})
    else:
        tell(text.lines(title, rows))
    return OK


class NotDelivered(Fault):
    """The server could not deliver a test."""


def webhook(*, me: Login = LOGIN, as_json: Json = False) -> int:
    """Show the webhook that a server calls when it is your turn. Your name needs a key: parlour identity

    The server calls it once for each turn, when you have been away for 15 seconds. It never shows its URL.

    Examples:
    parlour webhook set https://ntfy.sh/my-secret-topic --format ntfy
    parlour webhook test
    parlour webhook
    parlour webhook remove --server parlour.example.org
    """
    found = me.ask(Webhook())
    if as_json:
        shown = {name: getattr(found, name) for name in ("host", "format", "lang", "off")}
        tell_json({"server": me.server, **shown})
    else:
        tell([webhook_line(found, me.server)])
    return OK


def set_(
    url: Annotated[str, Parameter(help="The URL to call, a secret. - reads it from standard input.")],
    /,
    *,
    format: Annotated[
        WebhookFormat, Parameter(help="What the URL takes: JSON, or messages as ntfy or Discord take them.")
    ] = "json",
    me: Login = LOGIN,
) -> int:
    """Set your webhook, replacing the previous one.

    Examples:
    parlour webhook set https://ntfy.sh/my-secret-topic --format ntfy
    parlour webhook set - --format discord --server parlour.example.org
    """
    url = secret(say("line.webhook.url")) if url == "-" else url
    found = me.ask(Webhook("set", url, format, phrases.language))
    tell([say("line.webhook.set", host=found.host, server=me.server)])
    return OK


def try_(*, me: Login = LOGIN) -> int:
    """Call your webhook now. If it was switched off and this works, it is switched on again.

    Examples:
    parlour webhook test
    """
    found = me.ask(Webhook("test"))
    if found.host is not None and found.test != "delivered":
        raise NotDelivered(say("fault.webhook", host=found.host, why=webhook_fault(found.test)))
    delivered = found.host is not None
    tell([say("line.webhook.delivered", host=found.host) if delivered else webhook_line(found, me.server)])
    return OK


def remove(*, me: Login = LOGIN) -> int:
    """Remove your webhook from a server.

    Examples:
    parlour webhook remove
    """
    me.ask(Webhook("remove"))
    tell([say("line.webhook.removed", server=me.server)])
    return OK
