"""Notices: what a webhook is sent, in the format of its receiver. Nothing in it is hidden from the public but the code.

``json`` is for programs of one's own; ntfy and Discord get a sentence in the player's language.
"""

import json

import attrs

from parlour_protocol.messages import Plain, WebhookFormat
from parlour_protocol.phrases import table

_MINUTE, _HOUR, _DAY = 60_000, 3_600_000, 86_400_000


@attrs.frozen
class Notice:
    """It is the turn of ``name`` in ``room``, with ``left`` ms on the clock; without a room it is a test."""

    name: str
    room: str | None = None
    game: str | None = None
    left: int | None = None
    link: str | None = None


@attrs.frozen
class Payload:
    """The headers and the body of a request."""

    headers: dict[str, str]
    body: bytes


def payload(notice: Notice, format: WebhookFormat, language: str) -> Payload:
    """Return what is sent of ``notice``."""
    if format == "json":
        event = "test" if notice.room is None else "turn"
        return _json({"event": event, **attrs.asdict(notice)})
    text = _text(notice, language)
    if format == "discord":
        content = " ".join(filter(None, [text, notice.link]))
        return _json({"content": content, "allowed_mentions": {"parse": []}})
    headers = {"Content-Type": "text/plain; charset=utf-8", "Title": "parlour"}
    if notice.link is not None and notice.link.isascii():
        headers["Click"] = notice.link
    return Payload(headers, text.encode())


def _json(data: Plain) -> Payload:
    return Payload({"Content-Type": "application/json"}, json.dumps(data).encode())


def _text(notice: Notice, language: str) -> str:
    """Return a notice as a sentence or two. The phrases have plain fields alone."""
    phrases = table("parlour_server.phrases", language[:2].lower())
    if notice.room is None:
        return phrases["webhook.test"].format(name=notice.name)
    said = phrases["webhook.turn"].format(name=notice.name, room=notice.room, game=notice.game)
    left = "" if notice.left is None else phrases["webhook.left"].format(left=_duration(notice.left))
    return f"{said} {left}".rstrip()


def _duration(ms: int) -> str:
    """Return a time in the two largest of days, hours and minutes; below a minute in seconds."""
    if ms < _MINUTE:
        return f"{ms // 1_000} s"
    parts = [(ms // _DAY, "d"), (ms % _DAY // _HOUR, "h"), (ms % _HOUR // _MINUTE, "min")]
    first = next(at for at, (number, _) in enumerate(parts) if number)
    return " ".join(f"{number} {unit}" for number, unit in parts[first : first + 2] if number)
