"""A player's matches on a server as lines of text, and the webhook that notifies of turns.

The lines say whose turn it is, and what has ended while they were away.
"""

from collections.abc import Iterator

from parlour_client.core.phrases import say
from parlour_client.core.printing import time_left
from parlour_client.core.queries import OwnGames
from parlour_client.core.room import JoinedRoom
from parlour_protocol.messages import MissedRow, WebhookState


def webhook_line(webhook: WebhookState, server: str) -> str:
    """Return what is known of a webhook, or that there is none."""
    if webhook.host is None:
        return say("line.webhook.none", server=server)
    if webhook.off is not None:
        return webhook_off(webhook)
    return say("line.webhook", host=webhook.host, format=webhook.format, server=server)


def webhook_off(webhook: WebhookState) -> str:
    """Return that a webhook was switched off, and why."""
    return say("line.webhook.off", host=webhook.host, why=webhook_fault(webhook.off))


def webhook_fault(word: str | None) -> str:
    """Return what was wrong with a call."""
    return say("line.webhook.fault", why=word)


def lines(found: OwnGames) -> Iterator[str]:
    """Yield a line for each room, those first in which it is the player's turn, for each missed match, and a fault."""
    yield from (_room(room) for room in sorted(found.rooms, key=lambda room: (not is_asked(room), room.code)))
    yield from map(ended, found.missed)
    if found.webhook is not None:
        yield webhook_off(found.webhook)


def ended(match: MissedRow) -> str:
    """Return the result of a match that ended while the player was away."""
    players = ", ".join(f"{player['rank']}. {player['name']}" for player in match["players"])
    facts = {
        "rank": match["rank"],
        "n": len(match["players"]),
        "players": players,
        "digest": match["digest"],
        "void": match.get("void", False),
    }
    return say("line.own.missed", facts, room=match["room"], game=match["game"])


def is_asked(room: JoinedRoom) -> bool:
    """Return whether it is the player's turn."""
    return room.under_way and str(room.seat) in room.clocks


def _room(room: JoinedRoom) -> str:
    others = ", ".join(room.name(int(seat)) for seat in room.clocks if int(seat) != room.seat)
    left = min(room.clocks.values(), default=None) if room.under_way else None
    facts = {
        "state": room.table["state"],
        "mine": is_asked(room),
        "others": others or None,
        "left": None if left is None else time_left(left),
    }
    return say("line.own.room", facts, room=room.code, game=room.game)
