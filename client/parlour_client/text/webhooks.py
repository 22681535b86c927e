"""A player's webhook as a line of text."""

from parlour_client.core.phrases import say
from parlour_protocol.messages import WebhookState


def line(webhook: WebhookState, server: str) -> str:
    """Return what is known of a webhook, or that there is none."""
    if webhook.host is None:
        return say("line.webhook.none", server=server)
    if webhook.off is not None:
        return off(webhook)
    return say("line.webhook", host=webhook.host, format=webhook.format, server=server)


def off(webhook: WebhookState) -> str:
    """Return that a webhook was switched off, and why."""
    return say("line.webhook.off", host=webhook.host, why=fault(webhook.off))


def fault(word: str | None) -> str:
    """Return what was wrong with a call."""
    return say("line.webhook.fault", why=word)
