"""Latency on a lightly loaded server, from a player's act to the update that shows it.

The server syncs the move to disk in between. The same run times a bare fdatasync of one page: the server cannot be
faster than the disk.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time

from benchmarks.results import Result, Target, show

ROOMS, THINK = 50, 200
"""Rooms of four, and milliseconds that each player thinks."""
PAGE = b"x" * 4096
PAUSE = 0.01


class Disk(threading.Thread):
    """A thread that writes and syncs pages to its own file, as a store does to its log, until it is stopped."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.durations: list[float] = []
        """Seconds."""
        self._stopped = threading.Event()

    def run(self) -> None:
        """Write and sync a page every PAUSE seconds."""
        with tempfile.TemporaryFile() as file:
            while not self._stopped.wait(PAUSE):
                file.seek(0)
                file.write(PAGE)
                file.flush()
                began = time.perf_counter()
                os.fdatasync(file.fileno())
                self.durations.append(time.perf_counter() - began)

    def stop(self) -> None:
        """Stop the thread and wait for it."""
        self._stopped.set()
        self.join()

    def p99(self) -> float:
        """Return the 99th percentile in milliseconds."""
        return sorted(self.durations)[int(len(self.durations) * 0.99)] * 1e3


def measure(seconds: float = 8.0) -> list[Result]:
    """Return the latency of acts and of the disk."""
    disk = Disk()
    disk.start()
    words = ("load", "--rooms", str(ROOMS), "--think", str(THINK), "--seconds", str(seconds), "--json")
    done = subprocess.run([sys.executable, "-m", "parlour_client.cli.main", *words], capture_output=True, text=True)
    disk.stop()
    assert done.returncode == 0, done.stderr
    measured = json.loads(done.stdout)["latency_ms"]
    label = f"act → own update, {ROOMS} rooms, {THINK} ms think time"
    return [
        ("bare fdatasync of one page: p99", disk.p99(), "ms"),
        (f"{label}: maximum", measured["max"], "ms"),
        Target(f"{label}: p50", measured["p50"], "ms", 2, 1.5),
        Target(f"{label}: p99", measured["p99"], "ms", 8, 6),
    ]


if __name__ == "__main__":
    show(measure())
