"""Call webhooks: one request each, to an address that was checked, within fixed limits of time and size.

The host is resolved once, every address is checked, and the connection goes to one of them, so that a name that
resolves differently the next time changes nothing. TLS still checks the certificate against the name. Redirects are
not followed, no proxy is used, and of the answer only the status line is read.
"""

import asyncio
import json
import re
import socket
import ssl
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeAlias

import attrs

from parlour_protocol.messages import Plain, WebhookFormat
from parlour_protocol.phrases import language_of, table
from parlour_server.directory.webhook_targets import CallRules, Target

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
    phrases = table("parlour_server.phrases", language_of(language))
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


WITHIN = 10.0
"""Seconds for a whole call, from the name to the answer."""
CONNECT_WITHIN = 3.0
"""Seconds for a connection to each address."""
ADDRESSES = 3
"""Addresses of a host that are tried."""
LOOKUPS = 8
"""Names that are resolved at a time. A resolver may hang for longer than a call may take."""
STATUS_LINE = 1_024
"""Bytes of the longest status line."""
BUSY = "busy"
"""The fault of a call that this server had no time for, which says nothing about its target."""

Resolve: TypeAlias = Callable[[str, int], Sequence[str]]
"""Returns the addresses of a host, for a port. It may block; OSError and UnicodeError: there are none."""

_STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})\b")


class CallFailed(Exception):
    """A call failed. The text is one word of the protocol, or the status of the answer."""


def resolve(host: str, port: int) -> Sequence[str]:
    """Return the addresses of a host, as the system resolves it."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class Caller:
    """Calls targets that ``rules`` admit."""

    def __init__(self, rules: CallRules, resolve: Resolve = resolve, within: float = WITHIN) -> None:
        self.rules = rules
        self._resolve = resolve
        self._within = within
        self._lookups = asyncio.Semaphore(LOOKUPS)
        self._tls: ssl.SSLContext | None = None

    async def call(self, where: Target, payload: Payload) -> None:
        """Send ``payload`` to ``where``. Raises CallFailed."""
        try:
            async with asyncio.timeout(self._within):
                addresses = await self._addresses(where)
                if not addresses:
                    raise CallFailed("unresolved")
                if not all(self.rules.admits(where, address) for address in addresses):
                    raise CallFailed("address")
                await self._post(where, addresses[:ADDRESSES], payload)
        except TimeoutError:
            raise CallFailed(BUSY if self._lookups.locked() else "timeout") from None

    async def _addresses(self, where: Target) -> Sequence[str]:
        """Resolve a host on a thread, which may outlast the call."""
        await self._lookups.acquire()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Sequence[str]] = loop.create_future()

        def done(found: Sequence[str]) -> None:
            self._lookups.release()
            if not answer.done():
                answer.set_result(found)

        def look_up() -> None:
            found: Sequence[str] = ()
            with suppress(OSError, UnicodeError):
                found = self._resolve(where.host, where.port)
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(done, found)

        threading.Thread(target=look_up, name="webhook", daemon=True).start()
        return await answer

    async def _post(self, where: Target, addresses: Sequence[str], payload: Payload) -> None:
        reader, writer = await self._connect(where, addresses)
        try:
            writer.write(_request(where, payload))
            line = await reader.readline()
        except (OSError, ValueError):  # the status line is longer than the limit
            raise CallFailed("answer") from None
        finally:
            writer.transport.abort()
        status = _STATUS.match(line)
        if status is None:
            raise CallFailed("answer")
        if not status[1].startswith(b"2"):
            raise CallFailed(status[1].decode())

    async def _connect(
        self, where: Target, addresses: Sequence[str]
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the first address that takes it. Raises CallFailed."""
        tls, name = (self._context(), where.host) if where.secure else (None, None)
        for address in addresses:
            with suppress(TimeoutError):
                try:
                    async with asyncio.timeout(CONNECT_WITHIN):
                        return await asyncio.open_connection(
                            address, where.port, limit=STATUS_LINE, ssl=tls, server_hostname=name
                        )
                except ssl.SSLError:
                    raise CallFailed("tls") from None
                except TimeoutError:
                    raise
                except OSError:
                    continue
        raise CallFailed("unreachable")

    def _context(self) -> ssl.SSLContext:
        self._tls = self._tls or ssl.create_default_context()
        return self._tls


def _request(where: Target, payload: Payload) -> bytes:
    headers = {
        "Host": where.host_header,
        "User-Agent": "parlour",
        "Connection": "close",
        **payload.headers,
        "Content-Length": str(len(payload.body)),
    }
    lines = [f"POST {where.path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("ascii") + payload.body
