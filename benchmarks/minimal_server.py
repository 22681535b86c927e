"""A minimal turn-based server on websockets and uvloop, without rules, sessions, log or store: the lower bound.

Four clients share a room. The server decodes and checks each move, then sends each client one frame: an update to
three of them, a turn to the next player. The frames are as large as those of parlour.
``python -m benchmarks.minimal_server UPDATE TURN`` prints its URL and serves until its stdin closes; UPDATE and TURN
are frame sizes in bytes.
"""

import sys

import msgpack
import uvloop
from websockets.asyncio.server import ServerConnection, broadcast

from benchmarks.handshake_server import serve_until_stdin_closes

SEATS = 4
CHOICES = 4


class Room:
    """Four connections that take turns."""

    def __init__(self, update: int, turn: int) -> None:
        self.sockets: list[ServerConnection] = []
        self.rid = 0
        self.update = "u" * update
        self.turn = "t" * turn

    def move(self, seat: int, frame: str | bytes) -> None:
        """Handle a message from ``seat``: ignore it unless it is a legal move, else start the next turn."""
        move = msgpack.unpackb(frame)
        on_turn = move.get("t") == "act" and move.get("rid") == self.rid and seat == self.rid % SEATS
        if on_turn and type(move.get("act")) is int and 0 <= move["act"] < CHOICES:
            self.next_turn()

    def next_turn(self) -> None:
        """Send a turn to the next seat and an update to the others."""
        self.rid += 1
        for seat, socket in enumerate(self.sockets):
            mine = seat == self.rid % SEATS
            data = {"t": "turn" if mine else "update", "rid": self.rid, "view": self.turn if mine else self.update}
            broadcast([socket], msgpack.packb(data))


async def main(update: int, turn: int) -> None:
    """Serve until stdin closes."""
    rooms = [Room(update, turn)]

    async def play(socket: ServerConnection) -> None:
        if len(rooms[-1].sockets) == SEATS:
            rooms.append(Room(update, turn))
        room = rooms[-1]
        seat = len(room.sockets)
        room.sockets.append(socket)
        if len(room.sockets) == SEATS:
            room.next_turn()
        async for frame in socket:
            room.move(seat, frame)

    await serve_until_stdin_closes(play)


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), int(sys.argv[2])))
