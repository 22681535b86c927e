"""The result of a load: what two readings of clocks and counters differ by, in words and as plain data."""

import os
import time
from collections.abc import Iterable

import attrs

from parlour_bots.load.process import Used, used
from parlour_bots.load.traffic import Pattern, Table, Tally
from parlour_bots.reports import Report
from parlour_protocol.messages import Plain


@attrs.frozen
class Reading:
    """What clocks and counters say at one moment. ``server`` is unknown on another machine, or not on Linux."""

    time: float
    bytes_in: int
    bytes_out: int
    server: Used | None
    own: Used | None


def reading(tables: Iterable[Table], pid: int | None) -> Reading:
    """Read everything now. ``pid``: the server's process, if it is known."""
    clients = [client for table in tables for client in table.clients]
    came, went = sum(client.bytes_in for client in clients), sum(client.bytes_out for client in clients)
    return Reading(time.perf_counter(), came, went, used(pid), used(os.getpid()))


def report(pattern: Pattern, rooms: int, tally: Tally, began: Reading, ended: Reading) -> Report:
    """Report what happened between two readings."""
    seconds, moves = ended.time - began.time, len(tally.latencies)
    data: Plain = {
        **attrs.asdict(pattern, filter=attrs.filters.exclude("options")),
        "rooms": rooms,
        "seconds": round(seconds, 2),
        "moves": moves,
        "moves_per_second": round(moves / seconds, 1),
        "matches": tally.matches,
        "latency_ms": {name: round(1000 * value, 2) for name, value in _spread(tally.latencies).items()},
        "bytes_in": ended.bytes_in - began.bytes_in,
        "bytes_out": ended.bytes_out - began.bytes_out,
        "errors": dict(tally.errors),
        "lost": tally.lost,
        "server": _cost(moves, seconds, began.server, ended.server),
        "own_cpu": _share(seconds, began.own, ended.own),
    }
    return Report("\n".join(_lines(data)), data, sound=not tally.lost)


def _spread(latencies: list[float]) -> dict[str, float]:
    ordered = sorted(latencies)
    if not ordered:
        return {}
    at = {"p50": 0.5, "p99": 0.99, "max": 1.0}
    return {name: ordered[min(len(ordered) - 1, int(len(ordered) * share))] for name, share in at.items()}


def _cost(moves: int, seconds: float, began: Used | None, ended: Used | None) -> Plain | None:
    if began is None or ended is None:
        return None
    cpu = ended.cpu - began.cpu
    return {
        "cpu": _share(seconds, began, ended),
        "cpu_us_per_move": round(1e6 * cpu / moves, 1) if moves else None,
        "moves_per_cpu_second": round(moves / cpu, 1) if cpu else None,
        "memory_kib": ended.memory,
        "peak_kib": ended.peak,
    }


def _share(seconds: float, began: Used | None, ended: Used | None) -> float | None:
    """Return how much of one core was used."""
    return None if began is None or ended is None else round((ended.cpu - began.cpu) / seconds, 3)


def _lines(data: Plain) -> list[str]:
    took, server = data["latency_ms"], data["server"]
    lines = [
        f"{data['moves']} moves in {data['seconds']} s at {data['rooms']} tables of {data['seats']}: "
        f"{data['moves_per_second']} a second, {data['matches']} matches ended"
    ]
    if took:
        lines.append(f"ms from due to shown: p50 {took['p50']}, p99 {took['p99']}, max {took['max']}")
    if server and server["moves_per_cpu_second"]:
        lines.append(
            f"server: {server['cpu']:.0%} of a core, {server['cpu_us_per_move']} µs a move, "
            f"{server['moves_per_cpu_second']} moves a CPU second; {server['memory_kib'] / 1024:.0f} MiB"
        )
    lines.append(f"{data['bytes_in'] / 1e6:.1f} MB told, {data['bytes_out'] / 1e6:.1f} MB said")
    if data["own_cpu"] and data["own_cpu"] > _BUSY:
        lines.append(f"these bots used {data['own_cpu']:.0%} of a core: it may be they, not the server, that are slow")
    lines += [f"refused, {code}: {times}" for code, times in data["errors"].items()]
    return [*lines, *([f"{data['lost']} connections were lost"] if data["lost"] else [])]


_BUSY = 0.9
"""The share of a core above which the load itself may hold up the acts."""
