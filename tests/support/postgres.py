"""Run a real PostgreSQL server for tests, with a new database for each test.

::

    with Postgres() as postgres:
        url = postgres.database()        # postgresql://…, a new, empty database
        postgres.crash()                 # kills its processes; data that was written survives
        postgres.start()                 # recovers; the same port
"""

import os
import shutil
import signal
import subprocess
import tempfile
from itertools import count
from pathlib import Path
from typing import Self

from tests.support.groups import program
from tests.support.ports import free_port
from tests.support.processes import otherwise

USER = "postgres"
PATIENCE = 180
"""The timeout of each PostgreSQL program in seconds."""
MEMORY = Path("/dev/shm")
"""A folder in memory, if available: deleting the hundreds of files of a database from a busy disk is slow."""
ENOUGH = 4 << 30
"""The free bytes needed to use MEMORY, which several servers share."""
_CONFIGURATION = """
listen_addresses = '127.0.0.1'
max_connections = 200
max_wal_size = 64MB
shared_buffers = 32MB
fsync = off
log_min_messages = warning
"""
"""fsync is off: tests kill processes, not the machine, so that written data survives in the page cache."""


class Postgres:
    """A server and its files, which are deleted on exit."""

    def __init__(self) -> None:
        memory = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH
        self.folder = Path(tempfile.mkdtemp(prefix="parlour-postgres-", dir=MEMORY if memory else None))
        self.port = free_port()
        self._data = self.folder / "data"
        self._numbers = count()
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(self.folder, USER, USER)
        self._otherwise = otherwise(f"kill -QUIT $(head -n 1 {self._data}/postmaster.pid); rm -rf {self.folder}")

    def __enter__(self) -> Self:
        self._otherwise.__enter__()
        try:
            self._run("initdb", "-D", self._data, "-U", USER, "--auth=trust", "--encoding=UTF8", "--no-locale")
            with (self._data / "postgresql.conf").open("a") as configuration:
                configuration.write(f"{_CONFIGURATION}port = {self.port}\nunix_socket_directories = '{self.folder}'\n")
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if (self._data / "postmaster.pid").exists():
            self.crash()
        shutil.rmtree(self.folder)
        self._otherwise.__exit__(None, None, None)

    def start(self) -> None:
        """Start the server and wait until it accepts connections."""
        self._run("pg_ctl", "-D", self._data, "-w", "-t", "60", "-l", self.folder / "log", "start")

    def crash(self) -> None:
        """Kill the server without a clean shutdown."""
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")

    def stop(self) -> None:
        """Stop the server cleanly and close all connections, as for an upgrade."""
        self._run("pg_ctl", "-D", self._data, "-m", "fast", "-w", "stop")

    def freeze(self) -> None:
        """Suspend the process that accepts connections."""
        os.kill(self._pid(), signal.SIGSTOP)

    def thaw(self) -> None:
        """Resume the suspended process."""
        os.kill(self._pid(), signal.SIGCONT)

    def database(self) -> str:
        """Create a database and return its URL."""
        name = f"test{next(self._numbers)}"
        self._run("createdb", "-h", self.folder, "-p", str(self.port), "-U", USER, name)
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{name}"

    def _pid(self) -> int:
        return int((self._data / "postmaster.pid").read_text().splitlines()[0])

    def _run(self, name: str, *arguments: str | Path) -> None:
        as_user = {"user": USER, "group": USER, "extra_groups": []} if os.geteuid() == 0 else {}
        with (self.folder / "said").open("ab") as said:
            done = subprocess.run(
                [program(name), *arguments],
                timeout=PATIENCE,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                cwd=self.folder,
                **as_user,  # type: ignore[call-overload]
            )
        if done.returncode:
            raise RuntimeError(f"{name}: {(self.folder / 'said').read_text()}")
