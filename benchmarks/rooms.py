"""Whole UNO matches on the server's rooms, in process and without sockets, with and without clocks.

This includes messages, sessions, rules, records and views. The calls counted are those of functions, in Python and in
C, from the plain data of an act to the effects that the node carries out: those of ``Lobby.receive``. Unlike times they
are the same on all machines, for one version of Python.
"""

import random
import sys
from collections.abc import Callable
from time import process_time

from benchmarks.results import Result, Target, show
from parlour_protocol.messages import DEFAULT_CLOCK, Act, Clock, Create, Join, Joined, Over, Plain, Turn
from parlour_protocol.wire import plain
from parlour_server.local import Local

SEATS = 4
CLOCKS: dict[str, Clock | None] = {"without clocks": None, "with clocks": DEFAULT_CLOCK}


def measure(seconds: float = 4.0) -> list[Result]:
    """Return matches per second, time and calls per move of four random players. Both kinds of matches alternate."""
    spent = dict.fromkeys(CLOCKS, 0.0)
    moves = matches = 0
    while sum(spent.values()) < seconds:
        for name, clock in CLOCKS.items():
            began = process_time()
            made = play_match(matches, clock)
            spent[name] += process_time() - began
        moves += made
        matches += 1
    rows: list[Result] = []
    for name, clock in CLOCKS.items():
        label = f"rooms in process, UNO, four viewers, {name}"
        rows += [
            (f"{label}: matches", matches / spent[name], f"per CPU second, {moves / matches:.0f} moves per match"),
            Target(f"{label}: CPU per move", 1e6 * spent[name] / moves, "µs", must=60, aim=40),
            Target(f"{label}: calls per move", _calls(clock), "", must=200, aim=200),
        ]
    relative = spent["with clocks"] / spent["without clocks"]
    return [*rows, Target("rooms in process: CPU per move with clocks, relative to without", relative, "", 1.1, 1.05)]


class Calls:
    """A profiler that counts calls."""

    made = 0

    def __call__(self, frame: object, event: str, argument: object) -> None:
        """Count an event of the interpreter if it is a call."""
        self.made += event in ("call", "c_call")


def _calls(clock: Clock | None) -> float:
    """Return the calls per move of a match."""
    calls = Calls()
    moves = play_match(0, clock, profiler=calls)
    return calls.made / moves - 1  # without the call that ends the profile


def _any(legal: list[Plain], rng: random.Random) -> int:
    return rng.randrange(len(legal))


def play_match(
    seed: int,
    clock: Clock | None,
    *,
    seats: int = SEATS,
    options: Plain | None = None,
    choose: Callable[[list[Plain], random.Random], int] = _any,
    profiler: Calls | None = None,
) -> int:
    """Play a match and return its moves; ``profiler`` sees what the lobby does with each."""
    local, rng = Local(seed), random.Random(seed)
    peers = [local.connect(f"b{seat}") for seat in range(seats)]
    peers[0].send(Create("uno", {"pause": 0, **(options or {})}, seats=seats, start="full", clock=clock))
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
                    act = plain(Act(first.room, message.rid, choose(message.legal, rng)))
                    sys.setprofile(profiler)
                    effects = local.lobby.receive(peer.conn, act, local.now)
                    sys.setprofile(None)
                    local.carry_out(effects)
                over = over or isinstance(message, Over)
        if not busy:
            local.step()
    return moves


if __name__ == "__main__":
    show(measure())
