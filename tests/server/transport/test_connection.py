"""Connections fed with bytes directly: however a stream of frames is cut, the same messages arrive in their order."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from itertools import groupby
from types import SimpleNamespace
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.waiting import PATIENCE
from websockets.client import ClientProtocol
from websockets.frames import Frame as SocketFrame
from websockets.frames import Opcode
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from parlour_protocol.codec import MAX_CLIENT_FRAME
from parlour_server.node.budget import Meter
from parlour_server.transport import connection as connection_module
from parlour_server.transport.connection import MAX_WAITING, CountedConnection, Pause

Message = str | bytes


class Wire(asyncio.Transport):
    """A transport that keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.reading = True
        self.closing = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("127.0.0.1", 1) if name == "peername" else default

    def write(self, data: Any) -> None:
        self.written += data

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """There is no buffer."""

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def is_closing(self) -> bool:
        return self.closing

    def can_write_eof(self) -> bool:
        return False

    def close(self) -> None:
        self.closing = True

    abort = close


@attrs.define
class Everybody:
    """A guard that lets everybody in, and says whose connections they are."""

    meter: Meter
    owner: str | None

    def accepted(self, connection: CountedConnection) -> None:
        connection.owner = self.owner

    def closed(self, connection: CountedConnection) -> None:
        """Count nothing."""

    def cut(self, connection: CountedConnection, why: str) -> None:
        connection.transport.abort()


@attrs.define
class Served:
    """A connection whose server records the messages; ``paused`` says before which of them it pauses."""

    paused: Callable[[Message], bool] = lambda _: False
    meter: Meter = attrs.field(factory=Meter)
    owner: str | None = None
    wire: Wire = attrs.field(factory=Wire)
    messages: list[Message] = attrs.field(factory=list)
    errors: list[Exception] = attrs.field(factory=list)
    connection: CountedConnection = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        server: Any = SimpleNamespace(handler=self._handle, handler_tasks=set(), is_serving=lambda: True)
        guard, protocol = Everybody(self.meter, self.owner), ServerProtocol(max_size=MAX_CLIENT_FRAME)
        self.connection = CountedConnection(guard, protocol, server)
        self.connection.connection_made(self.wire)

    async def _handle(self, connection: CountedConnection) -> None:
        await connection.handshake()
        try:
            await connection.receive_with(self._receive)
        except ValueError as error:
            self.errors.append(error)

    def _receive(self, message: Message) -> Pause:
        self.messages.append(message)
        if message == "fail":
            raise ValueError(message)
        return self._pause() if self.paused(message) else None

    async def _pause(self) -> None:
        count = len(self.messages)
        await asyncio.sleep(0)
        assert len(self.messages) == count, "a message was received during a pause"

    def feed(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.connection.data_received(piece)

    async def settle(self) -> None:
        for _ in range(100):
            await asyncio.sleep(0)

    async def end(self) -> None:
        """Lose the connection, and wait for the server's handler."""
        self.wire.closing = True
        self.connection.connection_lost(None)
        await self.settle()


def request() -> bytes:
    client = ClientProtocol(parse_uri("ws://localhost/"))
    client.send_request(client.connect())
    [data] = client.data_to_send()
    return data


@asynccontextmanager
async def opened(paused: Callable[[Message], bool] = lambda _: False, **more: Any) -> AsyncIterator[Served]:
    """Yield a connection whose handshake is done, and lose it."""
    served = Served(paused, **more)
    served.feed(request())
    await served.settle()
    yield served
    await served.end()


def framed(opcode: Any, data: bytes, *, fin: bool = True) -> bytes:
    return SocketFrame(opcode, data, fin).serialize(mask=True)


def text(message: str) -> bytes:
    return framed(Opcode.TEXT, message.encode())


Sent = tuple[list[Message], bytes, int]
"""A message or none, the bytes that carry it, and the pings among them."""


@st.composite
def sent(draw: st.DrawFn) -> Sent:
    """Draw a whole message, one in fragments with a ping between them, or a ping."""
    if draw(st.integers(0, 5)) == 0:
        return [], framed(Opcode.PING, b"?"), 1
    message = draw(st.text(max_size=300) | st.binary(max_size=300))
    data, opcode = (message.encode(), Opcode.TEXT) if isinstance(message, str) else (message, Opcode.BINARY)
    if draw(st.booleans()):
        return [message], framed(opcode, data), 0
    at = draw(st.integers(0, len(data)))
    pieces = framed(opcode, data[:at], fin=False), framed(Opcode.PING, b"?"), framed(Opcode.CONT, data[at:])
    return [message], b"".join(pieces), 1


@given(all_sent=st.lists(sent(), max_size=8), cuts=st.lists(st.integers(0, 3_000)), with_request=st.booleans())
async def test_cuts_in_the_stream_change_nothing(all_sent: list[Sent], cuts: list[int], with_request: bool) -> None:
    served = Served(paused=lambda message: len(message) % 3 == 0)
    stream = b"".join(data for _, data, _ in all_sent)
    if with_request:
        stream = request() + stream
    else:
        served.feed(request())
        await served.settle()
    ends = sorted({min(cut, len(stream)) for cut in cuts} | {len(stream)})
    for start, end in zip([0, *ends], ends, strict=False):
        served.feed(stream[start:end])
    await served.settle()
    assert served.messages == [message for messages, _, _ in all_sent for message in messages]
    assert served.wire.written.count(b"\x8a\x01?") == sum(pings for _, _, pings in all_sent)
    assert served.wire.reading
    await served.end()


async def test_library_pings_and_gets_the_pongs() -> None:
    async with opened() as served:
        pong = await served.connection.ping(b"?")
        assert served.wire.written.endswith(SocketFrame(Opcode.PING, b"?").serialize(mask=False))
        served.feed(framed(Opcode.PONG, b"?"))
        async with asyncio.timeout(PATIENCE):
            await pong


async def test_messages_wait_for_a_pause_and_reading_stops_when_many_do() -> None:
    async with opened(paused=lambda message: message == "long") as served:
        served.feed(text("long"), *(text(str(n)) for n in range(MAX_WAITING)))
        assert served.messages == ["long"]
        assert not served.wire.reading
        await served.settle()
        assert served.messages == ["long", *(str(n) for n in range(MAX_WAITING))]
        assert served.wire.reading


async def test_messages_of_a_lost_connection_are_received_to_the_last() -> None:
    async with opened(paused=lambda message: message == "long") as served:
        served.feed(text("long"), text("last"))
    assert served.messages == ["long", "last"]


@pytest.mark.parametrize("before", ["ok", "long"])
async def test_nothing_is_received_after_a_fault(before: str) -> None:
    async with opened(paused=lambda message: message == "long") as served:
        served.feed(text(before), text("fail"), text("more"))
        await served.settle()
        assert [str(error) for error in served.errors] == ["fail"]
        assert served.messages == [before, "fail"]


async def test_message_of_too_many_fragments_closes_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "MAX_FRAGMENTS", 3)
    async with opened() as served:
        served.feed(framed(Opcode.TEXT, b"", fin=False), *(framed(Opcode.CONT, b"", fin=False) for _ in range(3)))
        assert not served.messages
        assert b"\x88" in served.wire.written


@attrs.define
class Used:
    """A meter by which ``hostile`` has used up its budget while ``person`` is served; it waits until ``paid``."""

    now: float = 0.0
    paid: asyncio.Event = attrs.field(factory=asyncio.Event)

    def meter(self) -> Meter:
        meter = Meter(lambda: self.now, self._sleep)
        meter.charge("person", 0.001)
        return meter

    def works(self, _: Message) -> bool:
        """Let a message take a fifth of a second."""
        self.now += 0.2
        return False

    async def _sleep(self, seconds: float) -> None:
        await self.paid.wait()
        self.now += seconds
        await asyncio.sleep(0)


def spend(meter: Meter) -> None:
    """Let ``hostile`` use up its budget beside a person."""
    meter.charge("hostile", 1)
    meter.charge("person", 0.001)


@pytest.mark.parametrize(
    ("frame", "messages"),
    [(text("next"), ["next"]), (framed(Opcode.PING, b"?"), []), (framed(Opcode.TEXT, b"?", fin=False), [])],
    ids=["message", "ping", "fragment"],
)
async def test_an_address_that_has_used_up_its_budget_is_read_no_further_until_its_turn(
    frame: bytes, messages: list[Message]
) -> None:
    used = Used()
    async with opened(meter=used.meter(), owner="hostile") as served:
        spend(served.meter)
        served.feed(frame)
        await served.settle()
        assert (served.messages, served.wire.reading) == ([], False)
        used.paid.set()
        await served.settle()
        assert (served.messages, served.wire.reading) == (messages, True)


@pytest.mark.parametrize(("owner", "at_once"), [("hostile", 1), (None, 9)])
async def test_messages_of_one_piece_are_charged_one_by_one_to_their_address(owner: str | None, at_once: int) -> None:
    used = Used()
    async with opened(used.works, meter=used.meter(), owner=owner) as served:
        served.feed(b"".join(text(str(n)) for n in range(9)))
        assert len(served.messages) == at_once, "a fifth of a second is more than an address gets in a turn of the loop"
        used.paid.set()
        await served.settle()
        assert len(served.messages) == 9


async def test_a_connection_in_its_turn_goes_on_for_some_milliseconds_while_others_of_its_address_wait() -> None:
    used = Used()
    used.paid.set()
    took = list[tuple[Served, Message]]()
    meter = used.meter()

    def works(served: Served, message: Message) -> bool:
        took.append((served, message))
        used.now += 0.0004
        return False

    one, other = Served(meter=meter, owner="hostile"), Served(meter=meter, owner="hostile")
    for served in (one, other):
        served.paused = partial(works, served)
        served.feed(request())
        await served.settle()
    spend(meter)
    for served in (one, other):
        served.feed(b"".join(text(str(n)) for n in range(12)))
    assert not took
    await one.settle()
    assert len(took) == 24
    turns = [len(list(group)) for _, group in groupby(served for served, _ in took)]
    assert (turns[0] > 2, len(turns) > 2) == (True, True), turns
    for served in (one, other):
        await served.end()


async def test_a_connection_is_held_before_its_request() -> None:
    used = Used()
    meter = used.meter()
    spend(meter)
    held = Served(meter=meter, owner="hostile")
    assert not held.wire.reading
    used.paid.set()
    await held.settle()
    assert held.wire.reading
    await held.end()


async def test_what_follows_many_waiting_messages_is_parsed_when_they_are_received() -> None:
    async with opened(paused=lambda message: True) as served:
        all_sent = [str(n) for n in range(3 * MAX_WAITING)]
        served.feed(b"".join(map(text, all_sent)))
        assert (served.messages, served.wire.reading) == (["0"], False)
        assert len(served.connection._waiting) == MAX_WAITING
        await served.settle()
        assert (served.messages, served.wire.reading) == (all_sent, True)


async def test_nothing_is_parsed_behind_a_message_that_ends_the_connection() -> None:
    async with opened() as served:
        served.feed(framed(Opcode.TEXT, b"\xff") + framed(Opcode.PING, b"?") + text("late"))
        served.feed(text("later"))
        assert served.messages == []
        assert b"\x8a\x01?" not in served.wire.written


async def test_what_is_not_parsed_yet_does_not_grow() -> None:
    used = Used()
    async with opened(lambda _: True, meter=used.meter(), owner="hostile") as served:
        served.feed(text("a question"))
        spend(served.meter)
        served.feed(text("next"))
        assert not served.wire.reading
        used.paid.set()
        await served.settle()
        assert (served.messages, served.wire.reading) == (["a question", "next"], True)
