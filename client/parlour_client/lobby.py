"""Asking a server what it has to offer, without sitting down."""

import os
from typing import Any

from parlour_client.connection import Connection
from parlour_client.faults import Interrupted, Refused
from parlour_client.session import Session
from parlour_protocol.messages import BotRow, Error, List, RoomRow, Rooms

_PATIENCE = 10.0


async def lobby(url: str, game: str | None = None) -> dict[str, Any]:
    """Return ``{"server": URL, "rooms": [RoomRow], "bots": [BotRow]}``, all pages of them. Raises Fault."""
    rooms: list[RoomRow] = []
    bots: list[BotRow] = []
    visitor = Session(f"visitor-{os.urandom(4).hex()}", entropy=os.urandom)
    async with Connection(url, visitor, patience=_PATIENCE) as connection:
        await connection.send(List(game))
        async for message in connection:
            if isinstance(message, Error):
                raise Refused(message.code, f"{connection.url} refuses: {message.msg}")
            if isinstance(message, Rooms):
                rooms += message.rooms
                bots += message.bots if not bots else []
                if message.after is None:
                    return {"server": connection.url, "rooms": rooms, "bots": bots}
                await connection.send(List(game, after=message.after))
    raise Interrupted(f"{url} ended the connection before it had answered")
