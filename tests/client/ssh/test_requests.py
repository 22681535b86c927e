"""Clients that ask for nonsense: the ssh server goes on, and keeps nothing of it."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from tests.client.ssh.conftest import Site
from tests.support.waiting import limit

from parlour_client.core.errors import OK

asyncssh = pytest.importorskip("asyncssh")
pytestmark = pytest.mark.ssh
host = pytest.importorskip("parlour_client.ssh.host")
CONNECTIONS, PACKETS = 12, 12
OPEN, OPENED, REQUEST, GLOBAL = 90, 91, 98, 80
"""Numbers of messages: RFC 4254, 9."""
NAMES = (
    *(b"pty-req", b"shell", b"exec", b"subsystem", b"env", b"window-change", b"signal", b"break", b"xon-xoff"),
    *(b"x11-req", b"auth-agent-req@openssh.com", b"exit-status", b"eow@openssh.com", b"", b"\xff", b"no-such-request"),
)
FORWARDS = (b"tcpip-forward", b"cancel-tcpip-forward", b"streamlocal-forward@openssh.com", b"keepalive@openssh.com")
CHANNELS = (b"session", b"direct-tcpip", b"direct-streamlocal@openssh.com", b"x11", b"auth-agent@openssh.com", b"tun")


def packets(rng: Random) -> Iterator[tuple[int, bytes]]:
    """Yield the messages of a client: a session, and then all that it should not or cannot ask for."""
    yield OPEN, text(b"session") + number(0) + number(2**16) + number(2**15)
    for _ in range(PACKETS):
        kind, nonsense = rng.randrange(8), rng.randbytes(rng.choice((0, 4, 60, 9_000)))
        match kind:
            case 0:
                yield OPEN, text(rng.choice(CHANNELS)) + number(rng.randrange(3)) + number(1) + number(1) + nonsense
            case 1:
                yield GLOBAL, text(rng.choice(FORWARDS)) + b"\1" + nonsense
            case 2:
                yield rng.randrange(OPENED + 1, REQUEST), number(rng.randrange(2)) + nonsense
            case 3:
                yield REQUEST, number(0) + text(b"env") + b"\0" + text(b"LANG") + text(nonsense)
            case 4:
                size = b"".join(number(rng.choice((0, 80, 2**32 - 1))) for _ in range(4))
                yield REQUEST, number(0) + text(b"pty-req") + b"\1" + text(nonsense[:60]) + size + text(nonsense)
            case 5:
                yield REQUEST, number(0) + text(b"exec") + b"\1" + text(nonsense)
            case _:
                yield REQUEST, number(0) + text(rng.choice(NAMES)) + b"\1" + nonsense


def number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def text(value: bytes) -> bytes:
    return number(len(value)) + value


async def test_nonsense_harms_only_the_client_that_sends_it(site: Site, seed: int) -> None:
    rng = Random(seed)
    bystander = site.visit("anna")
    bystander.wait_for("Join a room")
    before = site.process
    key = asyncssh.read_private_key(site.key("fuzz"))
    for _ in range(CONNECTIONS):
        connection = await asyncssh.connect(
            "127.0.0.1", site.server.ssh, known_hosts=None, client_keys=[key], username="zoe", config=None
        )
        async with limit(240, "the end of a connection"):
            for kind, content in packets(rng):
                connection.send_packet(kind, content)
                await asyncio.sleep(0)
            connection.close()
            with suppress(asyncssh.Error, OSError):
                await connection.wait_closed()
    assert site.process == before
    bystander.press("?")
    bystander.wait_for("ctrl+p")
    await asyncio.to_thread(site.wait_until, lambda: len(site.visitors) == 1)
    assert site.run("berta@127.0.0.1").returncode == OK


async def test_only_a_few_short_variables_are_kept() -> None:
    from parlour_client.ssh.host import _Environment  # needs the extra

    environment = _Environment()
    for name, value in (
        (b"LD_PRELOAD", b"x"),
        (b"LANG", b"de_DE.UTF-8"),
        (b"LC_ALL", b"x" * 65),
        (b"NO_COLOR", b"\xff"),
    ):
        environment[name] = value
    assert dict(environment) == {b"LANG": b"de_DE.UTF-8"}


class ClosedChannel:
    """A channel that its client has closed."""

    def is_closing(self) -> bool:
        return True

    def write(self, data: bytes) -> None:
        raise BrokenPipeError("Channel not open for sending")


async def test_what_is_drawn_after_the_client_has_closed_the_channel_is_dropped() -> None:
    session: Any = host.VisitorSession(Any, Any)
    session.connection_made(ClosedChannel())
    session._terminal, end = os.pipe()
    os.write(end, b"a last frame")
    session._read()
    os.set_blocking(session._terminal, False)
    assert session._screen() == b""
    os.close(end)
    os.close(session._terminal)
