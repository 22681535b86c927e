"""What a process uses, as Linux tells it; or a server, as it says itself under /metrics on its own machine."""

import asyncio
import http.client
import os
import re
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

import attrs

PATIENCE = 2.0
"""Seconds for which a server is asked."""
_CPU, _MEMORY = (
    re.compile(rf"^process_{name} (\S+)$", re.MULTILINE) for name in ("cpu_seconds_total", "resident_memory_bytes")
)


@attrs.frozen
class Used:
    """What a process has used so far: seconds of CPU, all threads together, and KiB of memory now and at most.

    Memory that is not known is 0.
    """

    cpu: float
    memory: int = 0
    peak: int = 0


@attrs.frozen
class Server:
    """A server under load. ``pid``: its process, if it is ours."""

    url: str
    pid: int | None = None

    async def used(self) -> Used | None:
        """Return what it has used so far; None if that cannot be known."""
        return used(self.pid) or await asyncio.to_thread(told, self.url)


def used(pid: int | None) -> Used | None:
    """Return what process ``pid`` has used; None if that cannot be known here."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
        ticks = int(fields[11]) + int(fields[12])
        return Used(ticks / os.sysconf("SC_CLK_TCK"), _kib(status["VmRSS"]), _kib(status["VmHWM"]))
    except (OSError, ValueError, KeyError, AttributeError):
        return None


def told(url: str) -> Used | None:
    """Return what the server at ``url`` says that it has used; None if it does not say so to us."""
    parts = urlsplit(url)
    place = parts._replace(scheme=parts.scheme.replace("ws", "http"), path=f"{parts.path}/metrics", query="")
    try:
        with build_opener(ProxyHandler({})).open(place.geturl(), timeout=PATIENCE) as answer:
            text = answer.read().decode()
    except (OSError, ValueError, http.client.HTTPException):
        return None
    cpu, memory = _CPU.search(text), _MEMORY.search(text)
    return Used(float(cpu[1]), int(float(memory[1])) // 1024 if memory else 0) if cpu else None


def _kib(text: str) -> int:
    return int(text.split()[0])
