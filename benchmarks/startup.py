"""The time from starting ``parlour serve`` until a client can connect."""

import time
from statistics import median

from benchmarks.processes import parlour
from benchmarks.results import Result, Target, show

TIMES = 7


def measure() -> list[Result]:
    """Return medians of several starts, each with a new store. CPU time excludes other processes."""
    starts = [_start() for _ in range(TIMES)]
    taken, cpu = zip(*starts, strict=True)
    return [
        ("start to listening, CPU", median(cpu), "ms"),
        Target("start to listening", median(taken), "ms", 400, 250),
    ]


def _start() -> tuple[float, float]:
    """Start a server; return the elapsed time and its CPU time until it listens, in ms."""
    began = time.perf_counter()
    with parlour() as server:
        return (time.perf_counter() - began) * 1e3, server.cpu() * 1e3


if __name__ == "__main__":
    show(measure())
