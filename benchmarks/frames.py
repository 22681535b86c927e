"""The size of frames in both encodings: all updates and turns sent to each viewer of whole matches."""

import random
from collections import defaultdict

from benchmarks.results import Result, Row, Target, show
from parlour_protocol.codec import CODECS, MSGPACK
from parlour_protocol.messages import Act, Create, Join, Joined, Over, Plain, Turn, Update
from parlour_protocol.wire import plain
from parlour_server.local import Local, Peer

MATCHES = 3
UNO = Create("uno", {"pause": 0}, seats=4, start="full", clock=None)
EXPERT = Create("minesweeper", {"mode": "coop", "level": "expert", "lives": 99}, seats=2, start="full", clock=None)

Sizes = dict[tuple[str, str], list[int]]
"""(message type, encoding) → sizes in bytes."""


def measure() -> list[Result]:
    """Return the p95 of frame sizes, and the largest frame of an expert board."""
    uno, expert = _sizes(UNO), _sizes(EXPERT)
    board = {name: expert["update", name] + expert["turn", name] for name in CODECS}
    rows: list[Row] = [
        (f"frame of an UNO {kind}, {name}: p95", _p95(uno[kind, name]), "bytes")
        for kind in ("update", "turn")
        for name in CODECS
        if name != MSGPACK
    ]
    return [
        *rows,
        *((f"frame of an expert board, {name}: p95", _p95(sizes), "bytes") for name, sizes in board.items()),
        Target("frame of an UNO update, msgpack: p95", _p95(uno["update", MSGPACK]), "bytes", 300, 300),
        Target("frame of an UNO turn, msgpack: p95", _p95(uno["turn", MSGPACK]), "bytes", 450, 450),
        Target("frame of a full expert board, msgpack: the largest", max(board[MSGPACK]), "bytes", 800, 800),
    ]


def _p95(sizes: list[int]) -> int:
    return sorted(sizes)[int(len(sizes) * 0.95)]


def _sizes(create: Create) -> Sizes:
    sizes: Sizes = defaultdict(list)
    for seed in range(MATCHES):
        _play(create, seed, sizes)
    return sizes


def _play(create: Create, seed: int, sizes: Sizes) -> None:
    """Play a match to its end with random players."""
    local, rng = Local(seed), random.Random(seed)
    peers = [local.connect(f"b{seat}") for seat in range(create.seats or 1)]
    peers[0].send(create)
    first = peers[0].inbox[0]
    assert isinstance(first, Joined)
    for peer in peers[1:]:
        peer.send(Join(first.room))
    while not any(_answer(peer, rng, sizes) for peer in peers):
        if not any(peer.inbox for peer in peers):
            local.step()


def _answer(peer: Peer, rng: random.Random, sizes: Sizes) -> bool:
    """Measure and answer all messages received; return whether the match is over."""
    over = False
    while peer.inbox:
        message = peer.inbox.popleft()
        over = over or isinstance(message, Over)
        if isinstance(message, Turn | Update):
            for name, codec in CODECS.items():
                sizes[message.t, name].append(len(codec.encode(plain(message))))
        if isinstance(message, Turn):
            peer.send(Act(message.room, message.rid, _choice(message, rng)))
    return over


def _choice(turn: Turn, rng: random.Random) -> int | Plain:
    if turn.legal is not None:
        return rng.randrange(len(turn.legal))
    return rng.choice([cell for cell, char in enumerate("".join(turn.view["rows"])) if char == "."])


if __name__ == "__main__":
    show(measure())
