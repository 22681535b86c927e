"""``python -m parlour_bots.grading.confine FOLDER MIB SECONDS COMMAND…``: run a command with limits.

Its working directory is a new one inside FOLDER.

The limits are memory, CPU time, and the size of files it writes. It may still use the network and read whatever the
user who grades may read.
"""

import os
import sys
import tempfile
from collections.abc import Sequence

if os.name != "nt":
    import resource

MIB = 1 << 20
_FILE = 16 * MIB
"""Bytes of the largest file that a submission may write."""


def confined(command: Sequence[str], inside: str, memory: int, cpu: int) -> list[str]:
    """Return the command that runs ``command`` with ``memory`` MiB and ``cpu`` seconds, in a new folder."""
    return [sys.executable, "-m", "parlour_bots.grading.confine", inside, str(memory), str(cpu), *command]


def main(inside: str, memory: int, cpu: int, command: list[str]) -> None:
    """Set the limits, enter an empty folder, and become the command."""
    os.chdir(tempfile.mkdtemp(dir=inside))
    if os.name != "nt":
        resource.setrlimit(resource.RLIMIT_DATA, (memory * MIB, memory * MIB))
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
        resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE, _FILE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
