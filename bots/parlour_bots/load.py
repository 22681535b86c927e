"""Load tests: rooms of random players, and the difference of two readings of clocks and counters.

In a closed loop a bot answers each turn immediately or after its think time. In an open loop acts are due at fixed
intervals, whether or not the last one has been shown, so that waiting for the server counts. The latency of an act is
the time from due to shown. Each room begins at a random moment, so that the rooms do not act in the same instants.

CPU and memory of a process come from Linux; those of a server from its /metrics.
"""

import asyncio
import http.client
import os
import random  # noqa: TID251  random players need no reproducible seed
import re
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

import attrs

from parlour_bots.boards import untouched
from parlour_bots.tools.reports import Report
from parlour_client.core.connection import Connection
from parlour_client.core.queries import ask
from parlour_client.core.session import Session
from parlour_games.plural import counted
from parlour_protocol.messages import Act, Create, Error, Join, Ok, Over, Plain, Start, Turn

PATIENCE = 2.0
"""The timeout for /metrics, in seconds."""
_CPU, _MEMORY = (
    re.compile(rf"^process_{name} (\S+)$", re.MULTILINE) for name in ("cpu_seconds_total", "resident_memory_bytes")
)
_BUSY = 0.9
"""The share of a core above which this process itself may delay the moves."""


@attrs.frozen
class Pattern:
    """The pace in each room. ``think``: seconds before an answer. ``rate``: acts per second, None in a closed loop."""

    game: str
    options: Plain
    seats: int
    think: float
    rate: float | None
    encoding: str

    @property
    def interval(self) -> float:
        """The seconds from one act of a room to the next, without waiting for the server."""
        return self.think if self.rate is None else 1 / self.rate


@attrs.define
class TrafficCounters:
    """The counters. ``latencies`` has the seconds of each act that was shown."""

    matches: int = 0
    lost: int = 0
    latencies: list[float] = attrs.field(factory=list)
    errors: Counter[str] = attrs.field(factory=Counter)


class TrafficRoom:
    """One room and its clients. ``tally`` can be replaced while they play."""

    def __init__(self, pattern: Pattern, tally: TrafficCounters, seed: int) -> None:
        self.tally = tally
        self.clients: list[Connection] = []
        self._pattern = pattern
        self._rng = random.Random(seed)
        self._due: deque[float] = deque()
        self._asked: deque[tuple[int, Turn]] = deque()
        """The turns that wait for their acts, each with the number of its client."""
        self._sent: dict[tuple[int, int], float] = {}

    async def open(self, url: str) -> None:
        """Open the connections and a room that starts when all are seated. Raises Refused, Interrupted."""
        room: str | None = None
        for _ in range(self._pattern.seats):
            session = Session(f"load-{os.urandom(4).hex()}", "bot", entropy=os.urandom, can=())
            client = Connection(url, session, encoding=self._pattern.encoding)
            await client.__aenter__()
            self.clients.append(client)
            room = await self._enter(client, room)

    async def play(self) -> None:
        """Play match after match until cancelled, from a random moment of the first interval on."""
        await asyncio.sleep(self._rng.random() * self._pattern.interval)
        async with asyncio.TaskGroup() as tasks:
            for number, client in enumerate(self.clients):
                tasks.create_task(self._follow(number, client))
            if self._pattern.rate is not None:
                tasks.create_task(self._fall_due())

    async def close(self) -> None:
        """Close the connections."""
        await asyncio.gather(*(client.close() for client in self.clients))

    async def _enter(self, client: Connection, room: str | None) -> str:
        pattern = self._pattern
        create = Create(pattern.game, pattern.options, seats=pattern.seats, start="full", clock=None, standin=False)
        return (await ask(client, Join(room) if room else create)).room

    async def _follow(self, number: int, client: Connection) -> None:
        async for message in client:
            if ok := getattr(message, "ok", None):
                self._shown(number, ok["rid"])
            match message:
                case Turn():
                    await self._turn(number, message)
                case Over() if number == 0:  # the host
                    self.tally.matches += 1
                    await client.send(Start(message.room))
                case Ok(rid=int(rid)):
                    self._shown(number, rid)
                case Error():
                    self.tally.errors[message.code] += 1
        self.tally.lost += 1

    async def _turn(self, number: int, turn: Turn) -> None:
        if self._pattern.rate is not None:
            self._asked.append((number, turn))
            await self._answer_due()
        else:
            if self._pattern.think:
                await asyncio.sleep(self._pattern.think)
            await self._act(number, turn, time.perf_counter())

    async def _fall_due(self) -> None:
        """Make an act due at each interval."""
        at = time.perf_counter()
        while True:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            self._due.append(at)
            at += self._pattern.interval
            await self._answer_due()

    async def _answer_due(self) -> None:
        while self._due and self._asked:
            await self._act(*self._asked.popleft(), self._due.popleft())

    async def _act(self, number: int, turn: Turn, due: float) -> None:
        self._sent[number, turn.rid] = due
        await self.clients[number].send(Act(turn.room, turn.rid, self._choice(turn)))

    def _choice(self, turn: Turn) -> int:
        if turn.legal is not None:
            return self._rng.randrange(len(turn.legal))
        closed = untouched(turn.view)
        return self._rng.choice(closed) if closed else 0

    def _shown(self, number: int, rid: int) -> None:
        due = self._sent.pop((number, rid), None)
        if due is not None:
            self.tally.latencies.append(time.perf_counter() - due)


@attrs.frozen
class ResourceUsage:
    """The CPU seconds that a process has used, and its current and peak memory in KiB; 0 if unknown."""

    cpu: float
    memory: int = 0
    peak: int = 0


@attrs.frozen
class LoadedServer:
    """A server, and its part of the load. ``pid`` is known for a local child process."""

    url: str
    pid: int | None = None
    rooms: Sequence[TrafficRoom] = ()
    tally: TrafficCounters = attrs.field(factory=TrafficCounters)

    async def usage(self) -> ResourceUsage | None:
        """Return the usage so far; None if unknown."""
        return usage_of(self.pid) or await asyncio.to_thread(usage_from_metrics, self.url)


def usage_of(pid: int | None) -> ResourceUsage | None:
    """Return the usage of the process ``pid``; None if unknown."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        status = dict(
            line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
        )
        ticks = int(fields[11]) + int(fields[12])
        memory, peak = (int(status[name].split()[0]) for name in ("VmRSS", "VmHWM"))
        return ResourceUsage(ticks / os.sysconf("SC_CLK_TCK"), memory, peak)
    except (OSError, ValueError, KeyError, AttributeError):
        return None


def usage_from_metrics(url: str) -> ResourceUsage | None:
    """Return the usage that the server at ``url`` reports; None if it does not."""
    parts = urlsplit(url)
    place = parts._replace(scheme=parts.scheme.replace("ws", "http"), path=f"{parts.path}/metrics", query="")
    try:
        with build_opener(ProxyHandler({})).open(place.geturl(), timeout=PATIENCE) as answer:
            text = answer.read().decode()
    except (OSError, ValueError, http.client.HTTPException):
        return None
    cpu, memory = _CPU.search(text), _MEMORY.search(text)
    return ResourceUsage(float(cpu[1]), int(float(memory[1])) // 1024 if memory else 0) if cpu else None


@attrs.frozen
class Reading:
    """Clocks and counters at one moment. The usage of a server is not always known."""

    time: float
    bytes_in: int
    bytes_out: int
    servers: tuple[ResourceUsage | None, ...]
    own: ResourceUsage | None


async def reading(loaded: Iterable[LoadedServer]) -> Reading:
    """Read all clocks and counters."""
    clients = [client for server in loaded for room in server.rooms for client in room.clients]
    came, went = sum(client.traffic.bytes_in for client in clients), sum(client.traffic.bytes_out for client in clients)
    servers = await asyncio.gather(*(server.usage() for server in loaded))
    return Reading(time.perf_counter(), came, went, tuple(servers), usage_of(os.getpid()))


def report(pattern: Pattern, loaded: Sequence[LoadedServer], began: Reading, ended: Reading) -> Report:
    """Return the report of the time between two readings, in total and for each of several servers."""
    seconds, tally = ended.time - began.time, _together(loaded)
    moves = len(tally.latencies)
    costs = [
        _cost(len(server.tally.latencies), seconds, *uses)
        for server, *uses in zip(loaded, began.servers, ended.servers, strict=True)
    ]
    data: Plain = {
        **attrs.asdict(pattern, filter=attrs.filters.exclude("options")),
        "rooms": sum(len(server.rooms) for server in loaded),
        "seconds": round(seconds, 2),
        "moves": moves,
        "moves_per_second": round(moves / seconds, 1),
        "matches": tally.matches,
        "latency_ms": {name: round(1000 * value, 2) for name, value in _spread(tally.latencies).items()},
        "bytes_in": ended.bytes_in - began.bytes_in,
        "bytes_out": ended.bytes_out - began.bytes_out,
        "errors": dict(tally.errors),
        "lost": tally.lost,
        "server": _cost(moves, seconds, _sum(began.servers), _sum(ended.servers)),
        "servers": [
            {
                "url": server.url,
                "rooms": len(server.rooms),
                "moves": len(server.tally.latencies),
                "moves_per_second": round(len(server.tally.latencies) / seconds, 1),
                **(cost or {}),
            }
            for server, cost in zip(loaded, costs, strict=True)
        ],
        "own_cpu": _share(seconds, began.own, ended.own),
    }
    return Report("\n".join(_lines(data)), data, sound=not tally.lost)


def _together(loaded: Iterable[LoadedServer]) -> TrafficCounters:
    whole = TrafficCounters()
    for tally in (server.tally for server in loaded):
        whole.matches += tally.matches
        whole.lost += tally.lost
        whole.latencies += tally.latencies
        whole.errors += tally.errors
    return whole


def _sum(parts: Sequence[ResourceUsage | None]) -> ResourceUsage | None:
    """Return the total usage; None unless all parts are known."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    memory, peak = [part.memory for part in known], [part.peak for part in known]
    return ResourceUsage(sum(part.cpu for part in known), sum(memory) * all(memory), sum(peak) * all(peak))


def _spread(latencies: list[float]) -> dict[str, float]:
    ordered = sorted(latencies)
    if not ordered:
        return {}
    at = {"p50": 0.5, "p99": 0.99, "max": 1.0}
    return {name: ordered[min(len(ordered) - 1, int(len(ordered) * share))] for name, share in at.items()}


def _cost(moves: int, seconds: float, began: ResourceUsage | None, ended: ResourceUsage | None) -> Plain | None:
    if began is None or ended is None:
        return None
    cpu = ended.cpu - began.cpu
    return {
        "cpu": _share(seconds, began, ended),
        "cpu_us_per_move": round(1e6 * cpu / moves, 1) if moves else None,
        "moves_per_cpu_second": round(moves / cpu, 1) if cpu else None,
        "memory_kib": ended.memory or None,
        "peak_kib": ended.peak or None,
    }


def _share(seconds: float, began: ResourceUsage | None, ended: ResourceUsage | None) -> float | None:
    """Return the share of one core that was used."""
    return None if began is None or ended is None else round((ended.cpu - began.cpu) / seconds, 3)


def _lines(data: Plain) -> Iterator[str]:
    took, several = data["latency_ms"], len(data["servers"]) > 1
    moves, rooms = counted(data["moves"], "move"), counted(data["rooms"], "room")
    yield (
        f"{moves} in {data['seconds']} s in {rooms} of {data['seats']}: "
        f"{data['moves_per_second']} a second, {counted(data['matches'], 'match', 'matches')} ended"
    )
    if took:
        yield f"latency in ms: p50 {took['p50']}, p99 {took['p99']}, max {took['max']}"
    if data["server"] and data["server"]["moves_per_cpu_second"]:
        yield f"{'all servers' if several else 'server'}: {_words(data['server'])}"
    for each in data["servers"] if several else ():
        cost = f": {_words(each)}" if each.get("moves_per_cpu_second") else ""
        yield f"{each['url']}, {counted(each['rooms'], 'room')}, {each['moves_per_second']} moves a second{cost}"
    yield f"{data['bytes_in'] / 1e6:.1f} MB received, {data['bytes_out'] / 1e6:.1f} MB sent"
    if data["own_cpu"] and data["own_cpu"] > _BUSY:
        yield f"the load itself used {data['own_cpu']:.0%} of a core: it may be the bottleneck"
    yield from (f"refused, {code}: {times}" for code, times in data["errors"].items())
    if data["lost"]:
        yield f"{counted(data['lost'], 'connection was', 'connections were')} lost"


def _words(cost: Plain) -> str:
    memory = f"; {cost['memory_kib'] / 1024:.0f} MiB" if cost["memory_kib"] is not None else ""
    return (
        f"{cost['cpu']:.0%} of a core, {cost['cpu_us_per_move']} µs a move, "
        f"{cost['moves_per_cpu_second']} moves a CPU second{memory}"
    )
