"""A turn-based server on websockets and uvloop without sessions, strict decoding, log or store: the reference.

Four clients share a table of a toy card game. Each accepted act changes the table, and each seat receives its own view:
what everyone may know, and its own hand, about 350 bytes. The dialect is parlour's, so that the same clients play.
``python -m benchmarks.reference_server`` prints its URL and serves until its stdin closes.
"""

import random
from typing import Any

import attrs
import msgpack
import uvloop
from websockets.asyncio.server import ServerConnection, broadcast

from benchmarks.clients import SEATS
from benchmarks.handshake_server import serve_until_stdin_closes

COLORS = ("red", "yellow", "green", "blue")
SYMBOLS = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "skip", "reverse", "draw2")
HAND = 7

pack = msgpack.Packer().pack


@attrs.define(eq=False)
class Table:
    """Four connections, their hands, and whose turn it is."""

    name: str
    rng: random.Random
    sockets: list[ServerConnection] = attrs.field(factory=list)
    hands: list[list[dict[str, str]]] = attrs.field(init=False)
    top: dict[str, str] = attrs.field(init=False)
    rid: int = 0
    last: dict[str, Any] | None = None

    def __attrs_post_init__(self) -> None:
        self.hands = [[self._deal() for _ in range(HAND)] for _ in range(SEATS)]
        self.top = self._deal()

    def seat(self, socket: ServerConnection) -> int:
        """Seat a connection; the match starts when all seats are taken."""
        self.sockets.append(socket)
        if len(self.sockets) == SEATS:
            self.next_turn()
        return len(self.sockets) - 1

    def receive(self, seat: int, message: dict[str, Any]) -> None:
        """Carry out an act: play a card that matches the top card, or exchange one that does not. Ignore the rest."""
        index, hand = message.get("act"), self.hands[seat]
        if message.get("t") != "act" or message.get("rid") != self.rid or seat != self.rid % SEATS:
            return
        if type(index) is not int or not 0 <= index < len(hand):
            return
        card = hand[index]
        if card["c"] == self.top["c"] or card["s"] == self.top["s"]:
            what, self.top, hand[index] = "play", card, self._deal()
        else:
            what = "draw"
            del hand[index]
            hand.append(self._deal())
        self.last = {"seat": seat, "e": what, "card": self.top}
        self.next_turn()

    def next_turn(self) -> None:
        """Ask the next seat, and send every seat its view."""
        self.rid += 1
        turn = self.rid % SEATS
        players = [
            {"seat": seat, "name": f"player-{seat}", "cards": len(hand), "score": 0, "here": True}
            for seat, hand in enumerate(self.hands)
        ]
        shared = {"room": self.name, "rid": self.rid, "turn": turn, "way": 1, "top": self.top, "deck": 60}
        shared |= {"color": self.top["c"], "players": players, "last": self.last}
        for seat, socket in enumerate(self.sockets):
            kind = "turn" if seat == turn else "update"
            broadcast([socket], pack({"t": kind, **shared, "hand": self.hands[seat]}))

    def _deal(self) -> dict[str, str]:
        return {"c": self.rng.choice(COLORS), "s": self.rng.choice(SYMBOLS)}


async def main() -> None:
    """Serve until stdin closes."""
    tables: list[Table] = []

    async def play(socket: ServerConnection) -> None:
        if not tables or len(tables[-1].sockets) == SEATS:
            tables.append(Table(f"T{len(tables)}", random.Random(len(tables))))
        table = tables[-1]
        seat = table.seat(socket)
        async for frame in socket:
            table.receive(seat, msgpack.unpackb(frame))

    await serve_until_stdin_closes(play)


if __name__ == "__main__":
    uvloop.run(main())
