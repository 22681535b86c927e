"""``python -m tests.support.under_load [RUNS [PYTEST ARGUMENTS]]``: run the tests beside busy loops and synced writes.

Stops at the first run that fails, and exits with its code.
"""

import os
import subprocess
import sys
from multiprocessing import Process
from tempfile import TemporaryFile

LOOPS = 2
PYTEST = (sys.executable, "-m", "pytest", "-q", "--numprocesses", "auto", "--maxprocesses", "4", "--dist", "worksteal")


def compute() -> None:
    """Keep a core busy."""
    while True:
        pass


def write() -> None:
    """Write blocks of 4 KiB, each synced, as ``dd bs=4k oflag=dsync`` does."""
    with TemporaryFile(buffering=0) as file:
        while True:
            file.seek(0)
            for _ in range(50):
                file.write(bytes(4096))
                os.fsync(file.fileno())


def main(runs: int, arguments: list[str]) -> int:
    """Return the exit code of the last run."""
    load = [Process(target=target, daemon=True) for target in (*[compute] * LOOPS, write)]
    for process in load:
        process.start()
    try:
        for run in range(1, runs + 1):
            print(f"run {run} of {runs}", flush=True)
            if code := subprocess.run([*PYTEST, *arguments], check=False).returncode:
                return code
    finally:
        for process in load:
            process.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main(int((sys.argv[1:] or ["5"])[0]), sys.argv[2:]))
