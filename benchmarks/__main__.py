"""Run all benchmarks and print their results, then a summary of the targets."""

import platform

from benchmarks import (
    board_drawing,
    commits,
    connections,
    endgames,
    fairness,
    frames,
    history,
    hostile,
    latency,
    metrics,
    minesweeper,
    model_turns,
    nodes,
    page_motion,
    rlcard_uno,
    rooms,
    sockets,
    startup,
    terminals,
    uno,
    visitors,
    web_page,
    wire,
)
from benchmarks.results import Target, show, summary

PARTS = (
    startup,
    uno,
    minesweeper,
    endgames,
    wire,
    frames,
    model_turns,
    rooms,
    rlcard_uno,
    metrics,
    commits,
    latency,
    sockets,
    connections,
    history,
    hostile,
    nodes,
    board_drawing,
    terminals,
    visitors,
    web_page,
    page_motion,
    fairness,
)

if __name__ == "__main__":
    print(f"Python {platform.python_version()} on {platform.machine()}, one process, one core each")
    targets: list[Target] = []
    for part in PARTS:
        targets += show(part.measure())
    print("\n" + "\n".join(summary(targets)))
