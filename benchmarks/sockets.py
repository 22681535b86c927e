"""Server CPU per move over real sockets: parlour, parts of it, and the reference server, alternating in one run.

The same lightweight clients play on all of them, four to a room, and answer each turn without delay, or after they have
thought. Each round plays for some seconds on one server after the other; ratios are taken within a round.
``python -m benchmarks.sockets --help`` says how to compare a few of them quickly.
"""

import argparse
import asyncio
import random
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from statistics import median

import attrs
import msgpack
from websockets.asyncio.client import ClientConnection

from benchmarks.clients import SEATS, connected, fill_room, send
from benchmarks.processes import SYNCED, UNSYNCED, Process, child, parlour
from benchmarks.results import Result, Target, show

ROOMS = 50
ROUNDS = 5
SECONDS = 3.0
MOVES = 1_000
"""Moves that a window holds at least if players think."""


@attrs.frozen
class Server:
    """A server to compare: the module that serves, and whether its rooms have clocks."""

    label: str
    module: str
    clocks: bool = False

    @property
    def is_reference(self) -> bool:
        """Whether it is the reference server, which has no rooms to open and join."""
        return self is SERVERS[REFERENCE]

    def started(self) -> AbstractContextManager[Process]:
        """Return its process, which runs until the context ends."""
        return child(self.module) if self.is_reference else parlour(self.module)

    async def seated(self, url: str, rooms: int) -> list[tuple[ClientConnection, str]]:
        """Return all clients with the rooms in which they sit."""
        if self.is_reference:
            return [(await connected(url), "") for _ in range(rooms * SEATS)]
        return [pair for _ in range(rooms) for pair in await fill_room(url, clocks=self.clocks)]


REFERENCE, OURS, CLOCKS, FREE, EMPTY = "reference", "parlour", "clocks", "unsynced", "empty"
SERVERS = {
    REFERENCE: Server("reference server", "benchmarks.reference_server"),
    OURS: Server("parlour, every move synced", SYNCED),
    CLOCKS: Server("parlour, with clocks", SYNCED, clocks=True),
    FREE: Server("parlour, not synced", UNSYNCED),
    EMPTY: Server("parlour, with rooms that do nothing", "benchmarks.empty_room_server"),
}


@attrs.define
class Clients:
    """All clients of one server, which think for ``think`` seconds on average. ``moves`` counts answered turns."""

    think: float = 0.0
    moves: int = 0
    rng: random.Random = attrs.field(factory=lambda: random.Random(1))

    async def play(self, socket: ClientConnection, room: str) -> None:
        """Answer each turn with a random action."""
        async for frame in socket:
            message = msgpack.unpackb(frame)
            if message["t"] == "turn":
                if self.think:
                    await asyncio.sleep(self.rng.uniform(0.5, 1.5) * self.think)
                self.moves += 1
                choices = len(message["legal"]) if "legal" in message else SEATS
                await send(socket, t="act", room=room, rid=message["rid"], act=self.rng.randrange(choices))


@attrs.frozen
class Round:
    """What one round measured on a server: CPU per move in µs, and moves per second."""

    cpu: float
    rate: float


@attrs.frozen
class Workload:
    """How many rooms play, and how long each player thinks on average, in seconds."""

    rooms: int = ROOMS
    think: float = 0.0

    @property
    def seconds(self) -> float:
        """How long a window is unless the arguments say so. Every room has one player who thinks."""
        return max(SECONDS, MOVES * self.think / self.rooms)


async def _play(server: Server, process: Process, seconds: float, workload: Workload) -> Round:
    """Play on a server for ``seconds``, after a warm-up."""
    clients = Clients(workload.think)
    seated = await server.seated(process.url, workload.rooms)
    tasks = [asyncio.create_task(clients.play(*pair)) for pair in seated]
    await asyncio.sleep(seconds / 4)
    moves, cpu = clients.moves, process.cpu()
    await asyncio.sleep(seconds)
    moves, cpu = max(1, clients.moves - moves), process.cpu() - cpu
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.gather(*(socket.close() for socket, _ in seated))
    return Round(cpu / moves * 1e6, moves / seconds)


async def _alternate(
    processes: Mapping[str, Process], rounds: int, seconds: float, workload: Workload
) -> dict[str, list[Round]]:
    played: dict[str, list[Round]] = {name: [] for name in processes}
    for _ in range(rounds):
        for name, process in processes.items():
            played[name].append(await _play(SERVERS[name], process, seconds, workload))
    return played


def measure(
    names: Sequence[str] = tuple(SERVERS),
    rounds: int = ROUNDS,
    seconds: float | None = None,
    workload: Workload = Workload(),
) -> Iterable[Result]:
    """Yield CPU per move and moves per second of each server, and the ratios between them: medians of the rounds."""
    with ExitStack() as stack:
        processes = {name: stack.enter_context(SERVERS[name].started()) for name in names}
        played = asyncio.run(_alternate(processes, rounds, seconds or workload.seconds, workload))
    for name, found in played.items():
        yield f"{SERVERS[name].label}: CPU per move", median(each.cpu for each in found), "µs"
        yield f"{SERVERS[name].label}: moves per second", median(each.rate for each in found), "1/s"

    def ratio(label: str, over: str, under: str, must: float, aim: float, *, rate: bool = False) -> Iterable[Result]:
        if over in played and under in played:
            pairs = zip(played[over], played[under], strict=True)
            found = median(a.rate / b.rate if rate else a.cpu / b.cpu for a, b in pairs)
            yield Target(label, found, "", must, aim, more=must < aim)

    yield from ratio("reference / parlour, CPU per move", REFERENCE, OURS, 0.50, 0.65)
    yield from ratio("reference / parlour with clocks, CPU per move", REFERENCE, CLOCKS, 0.475, 0.62)
    yield from ratio("with clocks / without, CPU per move", CLOCKS, OURS, 1.05, 1.02)
    yield from ratio("rooms that do nothing / reference, CPU per move", EMPTY, REFERENCE, 0.85, 0.70)
    yield from ratio("moves per second, synced / not synced", OURS, FREE, 0.90, 0.95, rate=True)
    yield from ratio("moves per CPU second, synced / not synced", FREE, OURS, 0.85, 0.95)


def main() -> None:
    """Compare the servers that the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sockets", description="Server CPU per move.")
    parser.add_argument("names", nargs="*", metavar="SERVER", help=f"any of {', '.join(SERVERS)}; default: all")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, help=f"of a window; default: {SECONDS}, or as long as {MOVES} moves")
    parser.add_argument("--rooms", type=int, default=ROOMS, help="rooms of four")
    parser.add_argument("--think", type=float, default=0, help="seconds that a player thinks, on average; people: 0.75")
    asked = parser.parse_args()
    if unknown := sorted(set(asked.names) - SERVERS.keys()):
        parser.error(f"no server {', '.join(unknown)}; there are {', '.join(SERVERS)}")
    show(measure(asked.names or tuple(SERVERS), asked.rounds, asked.seconds, Workload(asked.rooms, asked.think)))


if __name__ == "__main__":
    main()
