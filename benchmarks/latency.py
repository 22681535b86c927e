"""How long a player waits, on a server that is far from busy: from the act to the update that shows it.

In between the move goes to disk. How long that takes is the disk's business: a bare fdatasync of one page is timed in
the same run, and its p99 is allowed on top.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time

from benchmarks.table import Result, Target, show

ROOMS, RATE = 5, 10
"""Tables, and acts a second at each."""
PAGE = b"x" * 4096
PAUSE = 0.01


class Disk(threading.Thread):
    """Syncs one page after another to a file of its own, as a store does to its log, until it is told to stop."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.taken: list[float] = []
        """Seconds."""
        self._enough = threading.Event()

    def run(self) -> None:
        """Write, sync, wait a little."""
        with tempfile.TemporaryFile() as file:
            while not self._enough.wait(PAUSE):
                file.seek(0)
                file.write(PAGE)
                file.flush()
                began = time.perf_counter()
                os.fdatasync(file.fileno())
                self.taken.append(time.perf_counter() - began)

    def stop(self) -> None:
        """Return when it has stopped."""
        self._enough.set()
        self.join()

    def p99(self) -> float:
        """Return ms."""
        return sorted(self.taken)[int(len(self.taken) * 0.99)] * 1e3


def measure(seconds: float = 8.0) -> list[Result]:
    """Return the latency of acts beside that of the disk."""
    disk = Disk()
    disk.start()
    words = ("load", "--rooms", str(ROOMS), "--rate", str(RATE), "--seconds", str(seconds), "--json")
    done = subprocess.run([sys.executable, "-m", "parlour_client.cli.main", *words], capture_output=True, text=True)
    disk.stop()
    assert done.returncode == 0, done.stderr
    taken = json.loads(done.stdout)["latency_ms"]
    synced = disk.p99()
    return [
        ("a bare fdatasync of one page: p99", synced, "ms"),
        (f"act → own update at worst ({ROOMS} tables, {RATE} acts a second each)", taken["max"], "ms"),
        Target("act → own update, unsaturated: p50", taken["p50"], "ms", 3, 2),
        Target("act → own update, unsaturated: p99; + p99 of fdatasync", taken["p99"], "ms", 10 + synced, 10 + synced),
    ]


if __name__ == "__main__":
    show(measure())
