"""Whole UNO matches on the server's rooms, in process and without sockets.

This includes messages, sessions, rules, records and views.
"""

import random
import time

from benchmarks.results import Row, show
from parlour_protocol.messages import Act, Create, Join, Joined, Over, Turn
from parlour_server.local import Local

SEATS = 4


def measure(seconds: float = 3.0) -> list[Row]:
    """Return the moves per second of four random players."""
    moves, seed, began = 0, 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        moves += _match(seed)
        seed += 1
    rate = moves / (time.perf_counter() - began)
    return [
        ("rooms in process, UNO, four viewers: moves per second", rate, "1/s"),
        ("rooms in process, UNO, four viewers: time per move", 1e6 / rate, "µs"),
    ]


def _match(seed: int) -> int:
    local, rng = Local(seed), random.Random(seed)
    peers = [local.connect(f"b{seat}") for seat in range(SEATS)]
    peers[0].send(Create("uno", {"pause": 0}, seats=SEATS, start="full", clock=None))
    first = peers[0].inbox[0]
    assert isinstance(first, Joined)
    for peer in peers[1:]:
        peer.send(Join(first.room))
    moves, over = 0, False
    while not over:
        busy = False
        for peer in peers:
            while peer.inbox:
                busy = True
                message = peer.inbox.popleft()
                if isinstance(message, Turn):
                    moves += 1
                    assert message.legal
                    peer.send(Act(first.room, message.rid, rng.randrange(len(message.legal))))
                over = over or isinstance(message, Over)
        if not busy:
            local.step()
    return moves


if __name__ == "__main__":
    show(measure())
