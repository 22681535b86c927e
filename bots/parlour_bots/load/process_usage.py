"""CPU and memory of a process, from Linux; or of a server, from its /metrics."""

import asyncio
import http.client
import os
import re
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

import attrs

PATIENCE = 2.0
"""The timeout for /metrics, in seconds."""
_CPU, _MEMORY = (
    re.compile(rf"^process_{name} (\S+)$", re.MULTILINE) for name in ("cpu_seconds_total", "resident_memory_bytes")
)


@attrs.frozen
class ResourceUsage:
    """The CPU seconds that a process has used, and its current and peak memory in KiB; 0 if unknown."""

    cpu: float
    memory: int = 0
    peak: int = 0


@attrs.frozen
class MeasuredServer:
    """A server under load. ``pid`` is known for a local child process."""

    url: str
    pid: int | None = None

    async def usage(self) -> ResourceUsage | None:
        """Return the usage so far; None if unknown."""
        return usage_of(self.pid) or await asyncio.to_thread(usage_from_metrics, self.url)


def usage_of(pid: int | None) -> ResourceUsage | None:
    """Return the usage of the process ``pid``; None if unknown."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        status = dict(
            line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
        )
        ticks = int(fields[11]) + int(fields[12])
        return ResourceUsage(ticks / os.sysconf("SC_CLK_TCK"), _kib(status["VmRSS"]), _kib(status["VmHWM"]))
    except (OSError, ValueError, KeyError, AttributeError):
        return None


def usage_from_metrics(url: str) -> ResourceUsage | None:
    """Return the usage that the server at ``url`` reports; None if it does not."""
    parts = urlsplit(url)
    place = parts._replace(scheme=parts.scheme.replace("ws", "http"), path=f"{parts.path}/metrics", query="")
    try:
        with build_opener(ProxyHandler({})).open(place.geturl(), timeout=PATIENCE) as answer:
            text = answer.read().decode()
    except (OSError, ValueError, http.client.HTTPException):
        return None
    cpu, memory = _CPU.search(text), _MEMORY.search(text)
    return ResourceUsage(float(cpu[1]), int(float(memory[1])) // 1024 if memory else 0) if cpu else None


def _kib(text: str) -> int:
    return int(text.split()[0])
