"""What other processes do, as far as tests have to know."""

from pathlib import Path


def children(pid: int) -> list[int]:
    """Return the ids of the children of process ``pid``."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def gone(pid: int) -> bool:
    """Return whether process ``pid`` has ended."""
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z"
