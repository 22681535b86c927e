"""Everything, in one table; then what has a target once more, beside it."""

import platform

from benchmarks import (
    commits,
    crowd,
    fairness,
    frames,
    latency,
    metrics,
    mines,
    nodes,
    page,
    rooms,
    rules,
    screens,
    sockets,
    startup,
    terminals,
    wire,
)
from benchmarks.table import Target, show, summary

PARTS = (
    startup,
    rules,
    mines,
    wire,
    frames,
    rooms,
    metrics,
    commits,
    latency,
    sockets,
    crowd,
    nodes,
    screens,
    terminals,
    page,
    fairness,
)

if __name__ == "__main__":
    print(f"Python {platform.python_version()} on {platform.machine()}, one process, one core each")
    targets: list[Target] = []
    for part in PARTS:
        targets += show(part.measure())
    print("\n" + "\n".join(summary(targets)))
