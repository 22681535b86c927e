"""Requests about one's own webhook. SPEC.md#notices-of-turns."""

import random
from typing import Any

import pytest

from parlour_games.uno.plugin import Uno
from parlour_protocol import messages as m
from parlour_protocol.wire import plain
from parlour_server.effects import Ask, Effect, Post
from parlour_server.lobby.lobby import Lobby
from parlour_server.persistence import DropWebhook, SaveWebhook
from parlour_server.settings import ServerSettings

URL = "https://ntfy.sh/hush"
SET = m.Webhook("set", URL, "ntfy", "de_AT", id=7)
PUBLIC = ServerSettings(webhooks=True)


def lobby(settings: ServerSettings = PUBLIC) -> Lobby:
    return Lobby({"uno": Uno()}, random.Random(1).randbytes, settings)


def asked(lobby: Lobby, message: m.ClientMessage, *, key: str | None = "ab" * 32) -> list[Effect]:
    """Return the effects of a request of anna, who has just said hello."""
    lobby.connect(1, 0)
    lobby.receive(1, plain(m.Hello("anna", "human", key=key)), 0)
    lobby.receive(1, plain(m.Ping()), 0)
    return lobby.receive(1, plain(message), 0)


def refused(effects: list[Effect]) -> str:
    """Return the code of the refusal, which is all there is, and must not hold the URL."""
    [post] = effects
    assert isinstance(post, Post)
    assert isinstance(post.message, m.Error)
    assert "hush" not in repr(post)
    return post.message.code


@pytest.mark.parametrize("settings", [PUBLIC, ServerSettings()])
def test_welcome_says_whether_webhooks_are_called(settings: ServerSettings) -> None:
    here = lobby(settings)
    here.connect(1, 0)
    effects = here.receive(1, plain(m.Hello("anna", "human")), 0)
    [welcome] = [each.message for each in effects if isinstance(each, Post) and isinstance(each.message, m.Welcome)]
    assert ("webhook" in welcome.can) is settings.webhooks


def test_webhook_is_set_shown_tested_and_removed() -> None:
    here = lobby()
    saved, fetched = asked(here, SET)
    assert isinstance(saved, SaveWebhook)
    assert (saved.url, saved.format, saved.lang) == (URL, "ntfy", "de")
    assert isinstance(fetched, Ask)
    assert (fetched.conn, fetched.person.who, fetched.message) == (1, saved.who, SET)
    for message in (m.Webhook(id=8), m.Webhook("test", id=9)):
        assert here.receive(1, plain(message), 0) == [Ask(1, fetched.person, message)]
    remove = m.Webhook("remove", id=10)
    removed = here.receive(1, plain(remove), 0)
    assert removed == [DropWebhook(saved.who), Ask(1, fetched.person, remove)]


@pytest.mark.parametrize("do", ["show", "set", "test", "remove"])
@pytest.mark.parametrize(
    ("settings", "key", "code"), [(ServerSettings(), "ab" * 32, "no_webhooks"), (PUBLIC, None, "key_required")]
)
def test_who_may_have_one(do: Any, settings: ServerSettings, key: str | None, code: str) -> None:
    assert refused(asked(lobby(settings), m.Webhook(do, URL), key=key)) == code


@pytest.mark.parametrize(
    ("url", "code"),
    [
        (None, "bad_message"), ("http://127.0.0.1/hush", "bad_webhook"), ("https://me:hush@ntfy.sh/", "bad_webhook"),
        ("hush", "bad_webhook"),
    ],
)  # fmt: skip
def test_what_is_no_target_is_refused_without_showing_it(url: str | None, code: str) -> None:
    assert refused(asked(lobby(), m.Webhook("set", url))) == code


def test_operator_may_allow_a_private_host() -> None:
    settings = ServerSettings(webhooks=True, webhook_host=("10.0.0.5:8080",))
    saved, _ = asked(lobby(settings), m.Webhook("set", "http://10.0.0.5:8080/hush"))
    assert isinstance(saved, SaveWebhook)
    assert refused(asked(lobby(settings), m.Webhook("set", "http://10.0.0.5:8081/hush"))) == "bad_webhook"
