"""A PostgreSQL server as a process, with one database."""

import asyncio
import os
import shutil
import signal
import socket
import tempfile
from pathlib import Path
from typing import Self

USER = "postgres"
MEMORY = Path("/dev/shm")
"""A folder in memory, where there is one: disks of busy machines are slow."""
PATIENCE = 120
"""The seconds that one of its programs may take."""
SETTINGS = """
listen_addresses = '127.0.0.1'
max_connections = 100
fsync = off
"""
"""Without fsync: processes are killed here, and not the machine."""


class Database:
    """A server of its own, deleted on exit."""

    def __init__(self) -> None:
        self.port = _free_port()
        self._folder = Path(tempfile.mkdtemp(prefix="outsider-", dir=MEMORY if MEMORY.is_dir() else None))
        self._data = self._folder / "data"

    async def __aenter__(self) -> Self:
        if os.geteuid() == 0:  # it refuses to run as root
            shutil.chown(self._folder, USER, USER)
        await self._run("initdb", "-D", str(self._data), "-U", USER, "--auth=trust", "--no-locale", "--encoding=UTF8")
        with (self._data / "postgresql.conf").open("a") as settings:
            settings.write(f"{SETTINGS}port = {self.port}\nunix_socket_directories = '{self._folder}'\n")
        await self.start()
        await self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", USER, "parlour")
        return self

    async def __aexit__(self, *_: object) -> None:
        if (self._data / "postmaster.pid").exists():
            await self.crash()
        shutil.rmtree(self._folder)

    async def start(self) -> None:
        """Start it, and wait until it takes connections."""
        await self._control("-w", "-l", str(self._folder / "log"), "start")

    async def crash(self) -> None:
        """End it without a clean shutdown."""
        await self._control("-m", "immediate", "-w", "stop")

    def freeze(self) -> None:
        """Suspend the process that takes connections."""
        os.kill(self._pid(), signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        os.kill(self._pid(), signal.SIGCONT)

    def _pid(self) -> int:
        return int((self._data / "postmaster.pid").read_text().split()[0])

    async def _control(self, *arguments: str) -> None:
        await self._run("pg_ctl", "-D", str(self._data), *arguments)

    async def _run(self, name: str, *arguments: str) -> None:
        process = await asyncio.create_subprocess_exec(
            _program(name),
            *arguments,
            cwd=self._folder,
            user=USER if os.geteuid() == 0 else None,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        if code := await asyncio.wait_for(process.wait(), PATIENCE):
            raise RuntimeError(f"{name} ended with {code}")


def _program(name: str) -> str:
    folders = [str(folder) for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    program = shutil.which(name, path=os.pathsep.join([*folders, os.environ.get("PATH", "")]))
    if program is None:
        raise RuntimeError(f"{name} is missing: apt install postgresql")
    return program


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port
