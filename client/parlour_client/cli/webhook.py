"""``parlour webhook``: let a server call a URL of one's own when it is one's turn."""

import asyncio
import json
import sys
from typing import Annotated

from cyclopts import Parameter

from parlour_client.cli.params import Json, Key, Name, Server, login_name
from parlour_client.cli.prompts import secret
from parlour_client.core import queries
from parlour_client.core.connection import Connection
from parlour_client.core.errors import OK, Fault
from parlour_client.core.phrases import phrases, say
from parlour_client.core.sanitize import clean
from parlour_client.core.url import DEFAULT_URL
from parlour_client.storage.credentials import held
from parlour_client.text.webhooks import fault, line
from parlour_protocol.messages import Webhook, WebhookFormat, WebhookState

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
        _write(line(found, server))
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
    """Set your webhook, in place of the one before.

    Examples:
    parlour webhook set https://ntfy.sh/my-secret-topic --format ntfy
    parlour webhook set - --format discord --server parlour.example.org
    """
    url = secret(say("line.webhook.url")) if url == "-" else url
    found = _ask(server, name, key, Webhook("set", url, format, phrases.language))
    _write(say("line.webhook.set", host=found.host, server=server))
    return OK


def try_(*, server: Server = DEFAULT_URL, name: Name = None, key: Key = None) -> int:
    """Let the server call your webhook now. One that was switched off is on again if that works.

    Examples:
    parlour webhook test
    """
    found = _ask(server, name, key, Webhook("test"))
    if found.host is None:
        _write(line(found, server))
    elif found.test == "delivered":
        _write(say("line.webhook.delivered", host=found.host))
    else:
        raise NotDelivered(say("fault.webhook", host=found.host, why=fault(found.test)))
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
