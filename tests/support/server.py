"""Run a real server for tests: ``parlour serve`` as a child process on its own loopback port.

::

    with server_process(tmp_path) as server:                      # no house bots
        ...                                                       # connect to server.url, join server.room
        server.kill()                                             # SIGKILL, like a power failure
        server.restart()                                          # the same store, a new url and pid

``server_process(tmp_path, "--lan", house_bots=True)`` passes further flags to ``parlour serve``; house bots do not
pause. It writes only to ``tmp_path``: the store (``server.store``), the admin token, and the log (``server.log()``).
The server ends with the context, and if the test process dies.
"""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tests.support.ports import free_port

READY_WITHIN = 240.0
STOPS_WITHIN = 60.0
"""Seconds."""
LAST_WORDS = 2_000
"""Characters of the log to show if a server does not start."""


class ServerProcess:
    """A store and its server process. ``url``, ``pid``, ``admin``, ``room``, ``ssh`` come from the ready line.

    ``program``: the command to run in place of ``parlour serve``. ``store``: the URL of a store outside the folder.
    """

    url: str
    pid: int
    admin: str
    room: str
    ssh: int | None
    """The port of ssh, if it is served."""

    def __init__(
        self,
        folder: Path,
        *flags: str,
        house_bots: bool = False,
        program: tuple[str, ...] | None = None,
        store: str | None = None,
        port: int | None = None,
    ) -> None:
        self.folder = folder
        self.crash = ""
        """Where the next process crashes (PARLOUR_CRASH), possibly before it is ready."""
        self.store = folder / "parlour.db"
        """The file of its store, unless it uses ``database``."""
        self.database = store
        bots = ("--house-bots", "--pace", "0") if house_bots else ("--no-house-bots",)
        self._port = port or free_port()
        self._program = program or SERVE
        self._flags = ("--ready-json", "--store", store or f"sqlite:///{self.store}", *bots, *flags)
        self._child = self._start()

    @property
    def outer_pid(self) -> int:
        """The id of the process that was started; ``pid`` is what the server calls itself, perhaps in a namespace."""
        return self._child.pid

    def log(self) -> str:
        """Return its stderr over all restarts, without the warnings of a slow disk."""
        lines = (self.folder / "server.log").read_text().splitlines(keepends=True)
        return "".join(line for line in lines if "commits are slow" not in line)

    def rest(self) -> str:
        """Return its stdout after the ready line; waits until it has exited."""
        assert self._child.stdout is not None
        return self._child.stdout.read().decode()

    def kill(self) -> None:
        """Kill it with SIGKILL and wait until it has exited."""
        self.signal(signal.SIGKILL)
        self.wait()

    def signal(self, number: int) -> None:
        """Send it a signal."""
        self._child.send_signal(number)

    def stop(self) -> int:
        """Close its stdin, which stops it; return its exit code."""
        assert self._child.stdin is not None
        self._child.stdin.close()
        return self.wait()

    def wait(self, within: float = STOPS_WITHIN) -> int:
        """Wait until it has exited and return its exit code. Raises TimeoutExpired after ``within`` seconds."""
        return self._child.wait(within)

    def restart(self, *, same_port: bool = False) -> None:
        """Start it again on the same store, by default on another port; kill it first if it runs.

        Raises ValueError if it exits without a ready line.
        """
        self.close()
        self._port = self._port if same_port else free_port()
        self._child = self._start()

    def close(self) -> None:
        """Kill it if it runs, and close its pipes."""
        if self._child.poll() is None:
            self.kill()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                pipe.close()

    def _start(self) -> subprocess.Popen[bytes]:
        with (self.folder / "server.log").open("ab") as log:
            child = subprocess.Popen(
                (*self._program, "--port", str(self._port), *self._flags),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=environment(self.folder, **({"PARLOUR_CRASH": self.crash} if self.crash else {})),
            )
        self._child = child
        try:
            ready = json.loads(first_line(child))
        except BaseException as error:
            self.close()
            error.add_note(f"exit code {child.returncode}; its log:\n{self.log()[-LAST_WORDS:]}")
            raise
        self.url, self.pid, self.admin, self.room = ready["url"], ready["pid"], ready["admin"], ready["room"]
        self.ssh = ready.get("ssh")
        return child


SERVE = (sys.executable, "-m", "parlour_client.cli.main", "serve")
"""The command that serves."""


@contextmanager
def server_process(folder: Path, *flags: str, **options: Any) -> Iterator[ServerProcess]:
    """Run a server with its files in ``folder`` while in the context; ``options``: those of `ServerProcess`."""
    with closing(ServerProcess(folder, *flags, **options)) as server:
        yield server


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Return an environment without settings of the user who runs the tests."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")}
    return {**inherited, "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder), "HOME": str(folder), **more}


def first_line(child: subprocess.Popen[bytes]) -> bytes:
    """Return the first line that ``child`` prints; empty if it exits without output. Raises TimeoutError."""
    assert child.stdout is not None
    if not select.select([child.stdout], [], [], READY_WITHIN)[0]:
        raise TimeoutError(f"the server was not ready within {READY_WITHIN} s")
    return child.stdout.readline()
