"""Whole conversations as a server has them with its clients, from the greeting to the end of a match."""

from collections.abc import Iterator
from functools import cache
from random import Random

from tests.server.matches import MINES, SEATS, UNO, Player

from parlour_protocol import messages as m
from parlour_protocol.wire import plain
from parlour_server.local import Local

NAMES = ("maria", "otto", "pia")
STEPS = 400
_BEGINNING = 8
"""Messages in which everybody has come in."""


@cache
def tapes(game: str) -> list[list[m.Plain]]:
    """Return what a player and a spectator are told in a match under each of some options."""
    options = UNO if game == "uno" else MINES
    return [tape for number, each in enumerate(options) for tape in _taped(game, each, number)]


def _taped(game: str, options: m.Plain, seed: int) -> Iterator[list[m.Plain]]:
    local, rng = Local(seed), Random(seed)
    seats = SEATS.get(options.get("mode", ""), len(NAMES))
    players = [Player(local.open(name)) for name in NAMES[:seats]]
    watcher = Player(local.open("walt"))
    code = ""
    for player in (*players, watcher):
        player.peer.send(m.Hello(player.peer.name, "human", can=["nonce"]))
        if not code:
            player.peer.send(m.Create(game, options, seats=seats, clock={"bank": 5_000, "add": 2_000}))
            code = next(each.room for each in player.peer.inbox if isinstance(each, m.Joined))
        else:
            player.peer.send(m.Join(code, "player" if player is not watcher else "spectator"))
    players[0].peer.send(m.Chat(code, "good evening"))
    players[0].peer.send(m.Act(code, 1, 77))
    players[0].peer.send(m.Start(code))
    for _ in range(STEPS):
        for player in (*players, watcher):
            player.listen()
        if watcher.over is not None:
            break
        _step(local, players, code, rng)
    for message in (m.Ready(code), m.Leave(code)):
        if players[0].peer.closed is None:
            players[0].peer.send(message)
    for player in (players[0], watcher):
        player.listen()
        yield [plain(message) for message in player.heard]


def _step(local: Local, players: list[Player], code: str, rng: Random) -> None:
    asked = [player for player in players if player.open]
    if asked and rng.random() < 0.9:
        rng.choice(asked).act(code, rng)
    else:
        local.step()


def excerpt(tape: list[m.Plain], rng: Random, longest: int = 60) -> list[m.Plain]:
    """Return the beginning of a tape and some later part of it, numbered as if nothing had been left out."""
    begun, most = tape[:_BEGINNING], max(_BEGINNING, len(tape) - longest)
    first = rng.randint(_BEGINNING, most)
    later = tape[first : first + longest]
    last = next((data["seq"] for data in reversed(begun) if "seq" in data), None)
    seqs = [data["seq"] for data in later if "seq" in data]
    shift = seqs[0] - last - 1 if seqs and last is not None else 0
    return [*begun, *({**data, "seq": data["seq"] - shift} if "seq" in data else data for data in later)]


def resumed(tape: list[m.Plain], seq: int) -> list[m.Plain]:
    """Return what a server says to who comes back when the room is at ``seq``."""
    [welcome] = [data for data in tape[:_BEGINNING] if data["t"] == "welcome"]
    [joined] = [data for data in tape[:_BEGINNING] if data["t"] == "joined"]
    return [{**welcome, "rooms": [joined["room"]]}, {**joined, "seq": seq, "why": "resume", "gap": True}]
