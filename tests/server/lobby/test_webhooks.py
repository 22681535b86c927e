"""Requests about one's own webhook. SPEC.md#notices-of-turns."""

from typing import Any

import pytest
from tests.server.local_server import new_server, refused, request

from parlour_protocol import messages as m
from parlour_protocol.wire import plain
from parlour_server.effects import Ask, Effect
from parlour_server.local import Peer
from parlour_server.persistence import DropWebhook, SaveWebhook

URL = "https://ntfy.sh/hush"
SET = m.Webhook("set", URL, "ntfy", "de_AT", id=7)


def anna(key: str | None = "ab" * 32, **settings: Any) -> Peer:
    """Return somebody at a server that calls webhooks, by default with a key."""
    peer = new_server(**{"webhooks": True, **settings}).open("anna")
    welcome = request(peer, m.Hello("anna", "human", key=key), m.Welcome)
    assert ("webhook" in welcome.can) is settings.get("webhooks", True)
    peer.send(m.Ping())
    return peer


def wanted(peer: Peer, message: m.ClientMessage) -> list[Effect]:
    return peer._server.lobby.receive(peer.conn, plain(message), 0)


def code(peer: Peer, message: m.ClientMessage) -> str:
    """Return the code of a refusal, which must not hold the URL."""
    error = refused(peer, message)
    assert "hush" not in repr(error)
    return error.code


def test_webhook_is_set_shown_tested_and_removed() -> None:
    peer = anna()
    saved, fetched = wanted(peer, SET)
    assert isinstance(saved, SaveWebhook)
    assert (saved.url, saved.format, saved.lang) == (URL, "ntfy", "de")
    assert isinstance(fetched, Ask)
    assert (fetched.conn, fetched.person.who, fetched.message) == (1, saved.who, SET)
    for message in (m.Webhook(id=8), m.Webhook("test", id=9)):
        assert wanted(peer, message) == [Ask(1, fetched.person, message)]
    remove = m.Webhook("remove", id=10)
    assert wanted(peer, remove) == [DropWebhook(saved.who), Ask(1, fetched.person, remove)]


@pytest.mark.parametrize("do", ["show", "set", "test", "remove"])
def test_who_may_have_one(do: Any) -> None:
    assert code(anna(webhooks=False), m.Webhook(do, URL)) == "no_webhooks"
    assert code(anna(key=None), m.Webhook(do, URL)) == "key_required"


def test_what_is_no_target_is_refused_without_showing_it() -> None:
    assert code(anna(), m.Webhook("set", None)) == "bad_message"
    for url in ("http://127.0.0.1/hush", "https://me:hush@ntfy.sh/", "hush"):
        assert code(anna(), m.Webhook("set", url)) == "bad_webhook"


def test_operator_may_allow_a_private_host() -> None:
    peer = anna(webhook_host=("10.0.0.5:8080",))
    saved, _ = wanted(peer, m.Webhook("set", "http://10.0.0.5:8080/hush"))
    assert isinstance(saved, SaveWebhook)
    assert code(peer, m.Webhook("set", "http://10.0.0.5:8081/hush")) == "bad_webhook"
