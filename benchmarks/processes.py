"""Servers in processes of their own, and what they use."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs

from parlour_bots.load.process_usage import ResourceUsage, usage_of

SYNCED, UNSYNCED = "parlour_client.cli.main", "benchmarks.unsynced"
"""Our server: as it is, and with a store that leaves the syncing to the operating system."""


@attrs.frozen
class Process:
    """A server in a process of its own."""

    url: str
    pid: int

    def usage(self) -> ResourceUsage:
        """Return what it has used so far."""
        found = usage_of(self.pid)
        assert found is not None, "what a process uses is known on Linux only"
        return found

    def cpu(self) -> float:
        """Return the seconds of CPU it has used, all its threads together."""
        return self.usage().cpu


@contextmanager
def child(*command: str) -> Iterator[Process]:
    """Run a module that tells its url in one line of JSON and ends when its stdin closes."""
    process = subprocess.Popen([sys.executable, "-m", *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        ready = json.loads(process.stdout.readline())
        yield Process(ready["url"], ready["pid"])
    finally:
        process.stdin.close()
        process.wait(20)


@contextmanager
def parlour(module: str = SYNCED) -> Iterator[Process]:
    """Run our server with a store of its own; anybody may have as many connections as there are."""
    with TemporaryDirectory(prefix="bench-") as folder:
        store = f"sqlite:///{Path(folder, 'bench.db')}"
        options = ("--port", "0", "--no-house-bots", "--per-address", "10000", "--log-level", "warning")
        with child(module, "serve", "--ready-json", "--store", store, *options) as server:
            yield server
