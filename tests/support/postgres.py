"""A real PostgreSQL server for tests, in a folder of its own, and a database for each test.

::

    with Postgres() as postgres:
        url = postgres.database()        # postgresql://…, a new and empty one
        postgres.crash()                 # its processes die at once; the machine, and what it keeps, does not
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
"""Seconds that each of its programs may take."""
MEMORY = Path("/dev/shm")
"""A folder in memory, where there is one: a database is hundreds of files, which a busy disk takes long to delete."""
ENOUGH = 4 << 30
"""Bytes free there that are asked for: several servers share it."""
_CONFIGURATION = """
listen_addresses = '127.0.0.1'
max_connections = 200
max_wal_size = 64MB
shared_buffers = 32MB
fsync = off
log_min_messages = warning
"""
"""Processes die in tests, the machine does not: what was written is there again, whether or not it is on a disk."""


class Postgres:
    """One server and its files, which are gone when the context is left."""

    def __init__(self) -> None:
        memory = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH
        self.folder = Path(tempfile.mkdtemp(prefix="parlour-postgres-", dir=MEMORY if memory else None))
        self.port = free_port()
        self._data = self.folder / "data"
        self._numbers = count()
        if os.geteuid() == 0:  # it refuses to run as root
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
        """Start it, and wait until it answers."""
        self._run("pg_ctl", "-D", self._data, "-w", "-t", "60", "-l", self.folder / "log", "start")

    def crash(self) -> None:
        """Let it die at once, with no chance to finish anything."""
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")

    def stop(self) -> None:
        """Stop it, breaking every connection, as for an upgrade."""
        self._run("pg_ctl", "-D", self._data, "-m", "fast", "-w", "stop")

    def freeze(self) -> None:
        """Let the process that takes connections stand still."""
        os.kill(self._pid(), signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        os.kill(self._pid(), signal.SIGCONT)

    def database(self) -> str:
        """Return the URL of a new database."""
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
