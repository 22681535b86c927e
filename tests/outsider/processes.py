"""``parlour serve`` as a process that can be killed, frozen and started again."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

PARLOUR = Path(sys.executable).with_name("parlour")
PATIENCE = 180
"""The seconds that a program may take to start or to end: a node tries for a minute to reach a slow database."""


def environment(home: Path) -> Mapping[str, str]:
    """Hide the settings and keys of the user who runs the tests."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")}
    return ours | {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_STATE_HOME": str(home)}


async def parlour(home: Path, *arguments: str) -> int:
    """Run a command and return its exit code."""
    process = await asyncio.create_subprocess_exec(
        PARLOUR,
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        env=environment(home),
    )
    return await asyncio.wait_for(process.wait(), PATIENCE)


class Server:
    """A node. Each start listens on a free port; ``port`` is 0 while it is down."""

    def __init__(self, folder: Path, name: str, *options: str) -> None:
        self.name = name
        self.port = 0
        self.kills = 0
        self.log = folder / f"{name}.log"
        self._options = options
        self._folder = folder
        self._process: Process | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()

    async def start(self) -> None:
        """Start it, and wait until it takes connections."""
        before = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            options = ("--port", "0", "--pace", "0", "--per-address", "1000", *self._options)
            self._process = await asyncio.create_subprocess_exec(
                PARLOUR,
                "serve",
                *options,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment(self._folder),
            )
        async with asyncio.timeout(PATIENCE):
            while not (port := self._serving(before)):
                if self._process.returncode is not None:
                    raise RuntimeError(f"{self.name} ended with {self._process.returncode}: see {self.log}")
                await asyncio.sleep(0.02)
        self.port = port

    async def kill(self) -> None:
        """``kill -9``."""
        self.port = 0
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
            self.kills += 1

    async def stop(self) -> None:
        """Stop it as Ctrl-C does."""
        self.port = 0
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            await asyncio.wait_for(self._process.wait(), PATIENCE)

    def freeze(self) -> None:
        """Suspend it."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let a suspended server go on."""
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)

    def complaints(self) -> list[dict[str, Any]]:
        """Return what it has logged as an error."""
        return [line for line in self._lines(0) if line.get("level") in ("error", "critical")]

    def _serving(self, before: int) -> int:
        return next((line["port"] for line in self._lines(before) if line.get("event") == "serving"), 0)

    def _lines(self, begin: int) -> list[dict[str, Any]]:
        text = self.log.read_bytes()[begin:].decode(errors="replace")
        return [json.loads(line) for line in text.splitlines() if line.startswith("{") and line.endswith("}")]
