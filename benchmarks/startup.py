"""How long ``parlour serve`` takes from its start until somebody can connect."""

import time
from statistics import median

from benchmarks.processes import parlour
from benchmarks.table import Result, Target, show

TIMES = 7


def measure() -> list[Result]:
    """Return the medians of some starts, each with a new store; what others use of the machine is not in the CPU."""
    starts = [_start() for _ in range(TIMES)]
    taken, cpu = zip(*starts, strict=True)
    return [
        ("import and start to listening, CPU", median(cpu), "ms"),
        Target("import and start to listening", median(taken), "ms", 400, 250),
    ]


def _start() -> tuple[float, float]:
    """Return ms until the server has told where it listens, and how long it has had a core in them."""
    began = time.perf_counter()
    with parlour() as server:
        return (time.perf_counter() - began) * 1e3, server.cpu() * 1e3


if __name__ == "__main__":
    show(measure())
