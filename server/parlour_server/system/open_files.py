"""How many files this process may have open, which limits the connections."""

import os
from contextlib import suppress

if os.name != "nt":
    import resource

SPARE = 64
"""Open files that are reserved for other things than sockets; less where only a few may be open."""
FEW = 1_000
"""Connections below which the system's limit is worth a warning."""
HINT = "Allow more open files: ulimit -n 20000, LimitNOFILE of systemd, or --ulimit nofile of a container"


def connections(most: int) -> int:
    """Return how many of ``most`` connections the system allows, after raising the limit as far as it lets us."""
    if os.name == "nt":
        return most
    wanted = most + SPARE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        raised = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):  # macOS allows fewer than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, raised), hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return most if soft == resource.RLIM_INFINITY else max(1, min(most, soft - min(SPARE, soft // 2)))
