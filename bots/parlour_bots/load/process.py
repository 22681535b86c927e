"""What a process uses, as Linux tells it; elsewhere nothing is known."""

import os
from pathlib import Path

import attrs


@attrs.frozen
class Used:
    """What a process has used so far: seconds of CPU, all threads together, and KiB of memory now and at most."""

    cpu: float
    memory: int
    peak: int


def used(pid: int | None) -> Used | None:
    """Return what process ``pid`` has used; None if that cannot be known here."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
        ticks = int(fields[11]) + int(fields[12])
        return Used(ticks / os.sysconf("SC_CLK_TCK"), _kib(status["VmRSS"]), _kib(status["VmHWM"]))
    except (OSError, ValueError, KeyError, AttributeError):
        return None


def _kib(text: str) -> int:
    return int(text.split()[0])
