"""Run servers in child processes and measure their resource usage."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs

from parlour_bots.load import ResourceUsage, usage_of

SYNCED, UNSYNCED = "parlour_client.cli.main", "benchmarks.unsynced_server"
"""The modules that run our server: as it is, and with a store that does not sync."""


@attrs.frozen
class Process:
    """A server in a child process."""

    url: str
    pid: int

    def usage(self) -> ResourceUsage:
        """Return its resource usage so far."""
        found = usage_of(self.pid)
        assert found is not None, "resource usage needs Linux"
        return found

    def cpu(self) -> float:
        """Return the CPU time of all its threads in seconds, exact to the nanosecond; the kernel's ticks take 10 ms."""
        threads = Path(f"/proc/{self.pid}/task").iterdir()
        return sum(int((each / "schedstat").read_text(encoding="ascii").split()[0]) for each in threads) / 1e9


@contextmanager
def child(*command: str) -> Iterator[Process]:
    """Run a module that prints its URL in one line of JSON and ends when its stdin closes.

    Its modules are compiled once, as those of installed programs are, whatever the environment says.
    """
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen([sys.executable, "-m", *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
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
    """Run our server with a new store and practically no limit of connections per address."""
    with TemporaryDirectory(prefix="bench-") as folder:
        store = f"sqlite:///{Path(folder, 'bench.db')}"
        options = ("--port", "0", "--no-house-bots", "--per-address", "10000", "--log-level", "warning")
        with child(module, "serve", "--ready-json", "--store", store, *options) as server:
            yield server
