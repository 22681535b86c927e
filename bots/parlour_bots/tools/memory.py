"""Limit the memory of a bot that runs in this process."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if os.name != "nt":
    import resource

MEMORY = 1_024
"""MiB that a bot may use unless another limit is given."""
MIB = 1 << 20
_STATM = Path("/proc/self/statm")
_DATA = 5
"""The column of ``_STATM`` with the pages of data."""


@contextmanager
def limited_memory(mib: int) -> Iterator[None]:
    """Let this process use ``mib`` MiB more than now; allocating more raises MemoryError. Only Linux can do this."""
    if os.name == "nt" or not _STATM.exists():
        yield
        return
    used = int(_STATM.read_text(encoding="ascii").split()[_DATA]) * os.sysconf("SC_PAGE_SIZE")
    soft, hard = before = resource.getrlimit(resource.RLIMIT_DATA)
    known = [each for each in before if each != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min([used + mib * MIB, *known]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
