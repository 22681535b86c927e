"""Requests about one's own webhook, which the server calls when it is one's turn."""

import attrs

from parlour_protocol import messages as m
from parlour_protocol.errors import BadMessage, Denied
from parlour_protocol.phrases import LANGUAGES
from parlour_server import effects
from parlour_server.directory.identities import Identity
from parlour_server.directory.sessions import ClientSession, Connections
from parlour_server.effects import Outbox
from parlour_server.lobby.dispatch import Handlers
from parlour_server.persistence import DropWebhook, SaveWebhook
from parlour_server.webhooks.targets import BadTarget, CallRules, target


@attrs.define(eq=False)
class WebhookRequests:
    """Answers ``webhook``. ``rules``: what this server may call; None: nothing."""

    _rules: CallRules | None
    _outbox: Outbox
    _connections: Connections

    @property
    def handlers(self) -> Handlers:
        """Return what answers which message."""
        return {m.Webhook: self.webhook}

    def webhook(self, session: ClientSession, message: m.Webhook, now: int) -> None:
        """Return one's own webhook, after it has been set, tested or removed."""
        identity = self._connections.identity(session)
        if self._rules is None:
            allow = "its admin can allow them: parlour serve --webhooks"
            raise Denied("no_webhooks", f"this server calls no webhooks; {allow}")
        if identity.key is None:
            raise Denied("key_required", "a webhook belongs to a name with a key; yours has none")
        if message.do == "set":
            self._outbox.want(self._set(self._rules, identity, message))
        elif message.do == "remove":
            self._outbox.want(DropWebhook(identity.who))
        self._outbox.want(effects.Ask(session.conn, self._connections.person(session), message))

    def _set(self, rules: CallRules, identity: Identity, message: m.Webhook) -> SaveWebhook:
        """Return what is to be stored. Raises BadMessage, and Denied ``bad_webhook``, neither with the URL."""
        if message.url is None:
            raise BadMessage("url: is missing; to set a webhook, send its URL")
        try:
            rules.check(target(message.url))
        except BadTarget as error:
            raise Denied("bad_webhook", str(error)) from None
        language = (message.lang or "")[:2].lower()
        known = language if language in LANGUAGES else LANGUAGES[0]
        return SaveWebhook(identity.who, message.url, message.format, known)
