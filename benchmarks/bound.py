"""The bound: the least that a server of this kind does, in websockets and uvloop, with no game, room, log or store.

Four clients share a table. A move is decoded and checked, and each of the four gets one frame, as large as ours: three
updates, and a turn for whoever is next. ``python -m benchmarks.bound UPDATE TURN`` prints its URL and serves until
its stdin closes; UPDATE and TURN are sizes in bytes.
"""

import sys

import msgpack
import uvloop
from websockets.asyncio.server import ServerConnection, broadcast

from benchmarks.bare import serve_until_stdin_closes

SEATS = 4
CHOICES = 4


class Table:
    """Four sockets, and whose turn it is."""

    def __init__(self, update: int, turn: int) -> None:
        self.sockets: list[ServerConnection] = []
        self.rid = 0
        self.update = "u" * update
        self.turn = "t" * turn

    def move(self, seat: int, frame: str | bytes) -> None:
        """Take in a move of ``seat`` and tell all four; what is no move is ignored."""
        move = msgpack.unpackb(frame)
        asked = move.get("t") == "act" and move.get("rid") == self.rid and seat == self.rid % SEATS
        if asked and type(move.get("act")) is int and 0 <= move["act"] < CHOICES:
            self.ask()

    def ask(self) -> None:
        """Let the next seat have its turn."""
        self.rid += 1
        for seat, socket in enumerate(self.sockets):
            mine = seat == self.rid % SEATS
            data = {"t": "turn" if mine else "update", "rid": self.rid, "view": self.turn if mine else self.update}
            broadcast([socket], msgpack.packb(data))


async def main(update: int, turn: int) -> None:
    """Serve until stdin closes."""
    tables = [Table(update, turn)]

    async def play(socket: ServerConnection) -> None:
        if len(tables[-1].sockets) == SEATS:
            tables.append(Table(update, turn))
        table = tables[-1]
        seat = len(table.sockets)
        table.sockets.append(socket)
        if len(table.sockets) == SEATS:
            table.ask()
        async for frame in socket:
            table.move(seat, frame)

    await serve_until_stdin_closes(play)


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), int(sys.argv[2])))
