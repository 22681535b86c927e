"""Lightweight msgpack clients: they send and receive plain maps and validate nothing."""

import os
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

SEATS = 4
OPTIONS = {"pause": 0, "breath": 0, "target": 10_000}
"""UNO matches without pauses that practically never end."""


async def connected(url: str, address: str | None = None) -> ClientConnection:
    """Return an open connection that sends no pings; ``address``: the loopback address that it comes from."""
    options: dict[str, Any] = {"local_addr": (address, 0)} if address else {}
    msgpack_v1 = [Subprotocol("parlour.v1.msgpack")]
    return await connect(
        url, compression=None, subprotocols=msgpack_v1, max_size=1 << 20, ping_interval=None, **options
    )


async def send(socket: ClientConnection, **message: Any) -> None:
    """Send a message."""
    await socket.send(msgpack.packb(message))


async def receive(socket: ClientConnection, *kinds: str) -> dict[str, Any]:
    """Return the next message of one of these types; skip those before it."""
    while True:
        message: dict[str, Any] = msgpack.unpackb(await socket.recv())
        if message["t"] in kinds:
            return message


async def join(
    url: str, room: str | None, start: str = "full", seats: int = SEATS, *, clocks: bool = False
) -> tuple[ClientConnection, str]:
    """Connect a client and seat it in ``room``, or in a new UNO room; return it with the room's code."""
    socket = await connected(url)
    await send(socket, t="hello", name=f"b{os.urandom(4).hex()}", kind="bot")
    await receive(socket, "welcome")
    if room is not None:
        await send(socket, t="join", room=room)
        return socket, room
    clock = {} if clocks else {"clock": None}
    await send(socket, t="create", game="uno", options=OPTIONS, seats=seats, start=start, **clock)
    return socket, (await receive(socket, "joined"))["room"]


async def fill_room(url: str, start: str = "full", *, clocks: bool = False) -> list[tuple[ClientConnection, str]]:
    """Open a room and fill it with clients. The match starts when it is full, or never if ``start`` is "host"."""
    seated = [await join(url, None, start, clocks=clocks)]
    for _ in range(SEATS - 1):
        seated.append(await join(url, seated[0][1]))
    return seated
