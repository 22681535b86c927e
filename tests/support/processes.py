"""Inspect other processes, and clean up if the test process is killed."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def children(pid: int) -> list[int]:
    """Return the ids of the children of process ``pid``."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextmanager
def bystander() -> Iterator[int]:
    """Start a process that does nothing, and yield its id. Fails if somebody else has ended it."""
    with subprocess.Popen(["sleep", "1000"]) as process:
        try:
            yield process.pid
            assert process.poll() is None
        finally:
            process.kill()


def called(name: str) -> list[int]:
    """Return the processes whose first argument is ``name``."""
    return [int(file.parent.name) for file in Path("/proc").glob("[0-9]*/cmdline") if _first(file) == name.encode()]


def _first(file: Path) -> bytes:
    try:
        return file.read_bytes().partition(b"\0")[0]
    except OSError:  # it has ended
        return b""


def gone(pid: int) -> bool:
    """Return whether process ``pid`` has ended."""
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z"


@contextmanager
def otherwise(script: str) -> Iterator[int]:
    """Start a shell that runs ``script`` if this process dies within the context; yield the shell's process id."""
    command = ("sh", "-c", f"read -r done || {{ {script}\n}}")
    with subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True) as watch:
        assert watch.stdin is not None
        try:
            yield watch.pid
        finally:
            watch.stdin.write(b"done\n")
            watch.stdin.flush()
