"""Lean clients in msgpack: they say and hear plain maps, and check nothing."""

import os
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

SEATS = 4
OPTIONS = {"pause": 0, "breath": 0, "target": 10_000}
"""Matches of UNO that go on without a break, and hardly ever end."""


async def connected(url: str) -> ClientConnection:
    """Return a socket that has shaken hands, and is never pinged by us."""
    msgpack_v1 = [Subprotocol("parlour.v1.msgpack")]
    return await connect(url, compression=None, subprotocols=msgpack_v1, max_size=1 << 20, ping_interval=None)


async def say(socket: ClientConnection, **message: Any) -> None:
    """Send a message."""
    await socket.send(msgpack.packb(message))


async def hear(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """Return the next message of type ``kind``; what comes before is ignored."""
    while True:
        message: dict[str, Any] = msgpack.unpackb(await socket.recv())
        if message["t"] == kind:
            return message


async def arrive(url: str, room: str | None, start: str = "full", seats: int = SEATS) -> tuple[ClientConnection, str]:
    """Return a client that sits at a table of UNO, with the room's code: in ``room``, or in one that it opens."""
    socket = await connected(url)
    await say(socket, t="hello", name=f"b{os.urandom(4).hex()}", kind="bot")
    await hear(socket, "welcome")
    if room is not None:
        await say(socket, t="join", room=room)
        return socket, room
    await say(socket, t="create", game="uno", options=OPTIONS, seats=seats, start=start, clock=None)
    return socket, (await hear(socket, "joined"))["room"]


async def sit(url: str, start: str = "full") -> list[tuple[ClientConnection, str]]:
    """Return the clients of a whole table, who play as soon as all are there, or (``start`` "host") just sit."""
    seated = [await arrive(url, None, start)]
    for _ in range(SEATS - 1):
        seated.append(await arrive(url, seated[0][1]))
    return seated
