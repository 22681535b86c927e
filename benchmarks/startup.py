"""The time from starting ``parlour serve`` until a client can connect, and until the rooms of its store are loaded."""

import asyncio
import random
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.processes import child, parlour
from benchmarks.results import Result, Target, show
from parlour_protocol.messages import Act, Create, Join, Joined, Turn
from parlour_server.local import Local
from parlour_server.persistence import Append, SaveRoom
from parlour_server.store.sqlite.store import SqliteStore

TIMES = 7
ROOMS, RECORDS, SEATS = 40, 155, 4
"""A store after a kill: rooms with a match of UNO under way, and the records of each."""


def measure() -> list[Result]:
    """Return medians of several starts, each with a new store. CPU time excludes other processes."""
    starts = [_start() for _ in range(TIMES)]
    taken, cpu = zip(*starts, strict=True)
    logs = _logs()
    label = f"listening to {ROOMS} rooms loaded, {sum(map(len, logs.values())):,} records"
    loading, cpu_of_loading = _loading(logs)
    return [
        ("start to listening, CPU", median(cpu), "ms"),
        Target("start to listening", median(taken), "ms", 400, 250),
        (f"{label}, CPU", cpu_of_loading, "ms"),
        Target(label, loading, "ms", 2_000, 1_000),
    ]


def _start() -> tuple[float, float]:
    """Start a server; return the elapsed time and its CPU time until it listens, in ms."""
    began = time.perf_counter()
    with parlour() as server:
        return (time.perf_counter() - began) * 1e3, server.cpu() * 1e3


def _logs() -> dict[str, Sequence[str]]:
    """Return the lines of rooms in which matches are under way, by code."""
    local, rng = Local(1), random.Random(1)
    for number in range(ROOMS):
        peers = [local.connect(f"b{number}x{seat}") for seat in range(SEATS)]
        peers[0].send(Create("uno", {"pause": 0}, seats=SEATS, start="full"))
        joined = peers[0].inbox[0]
        assert isinstance(joined, Joined)
        code = joined.room
        for peer in peers[1:]:
            peer.send(Join(code))
        while len(local.log[code]) < RECORDS:
            turns = [(peer, message) for peer in peers for message in peer.inbox if isinstance(message, Turn)]
            for peer in peers:
                peer.inbox.clear()
            for peer, turn in turns:
                assert turn.legal
                peer.send(Act(code, turn.rid, rng.randrange(len(turn.legal))))
            if not turns:
                local.step()
    return {code: list(lines) for code, lines in local.log.items()}


def _loading(logs: dict[str, Sequence[str]]) -> tuple[float, float]:
    """Return the time from listening until a server with these rooms has loaded them all, and its CPU time, in ms."""
    with TemporaryDirectory(prefix="bench-") as folder:
        path = Path(folder, "bench.db")
        asyncio.run(_store(path, logs))
        options = ("--port", "0", "--no-house-bots", "--log-level", "warning")
        with child("parlour_client.cli.main", "serve", "--ready-json", "--store", f"sqlite:///{path}", *options) as run:
            began, cpu = time.perf_counter(), run.cpu()
            metrics = urllib.request.Request(f"{run.url.replace('ws', 'http', 1)}/metrics")
            metrics.add_header("Authorization", f"Bearer {Path(folder, 'bench.admin').read_text().strip()}")
            dormant = 1.0
            while dormant:
                with urllib.request.urlopen(metrics) as answer:
                    lines = answer.read().decode().splitlines()
                [dormant] = [float(line.split()[1]) for line in lines if line.startswith("parlour_rooms_dormant ")]
            return (time.perf_counter() - began) * 1e3, (run.cpu() - cpu) * 1e3


async def _store(path: Path, logs: dict[str, Sequence[str]]) -> None:
    store = SqliteStore(path)
    for code, lines in logs.items():
        await store.commit([SaveRoom(code, 1, True), *(Append(code, 1, n, line) for n, line in enumerate(lines))])
    await store.close()


if __name__ == "__main__":
    show(measure())
