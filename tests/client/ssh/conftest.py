"""A server with ssh, and visitors with the ssh client of OpenSSH."""

import asyncio
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.support.ports import free_port
from tests.support.processes import children
from tests.support.server import ServerProcess, server_process
from tests.support.terminal import Terminal
from tests.support.waiting import until


class Site:
    """A server with ssh, and the files of its visitors."""

    def __init__(self, folder: Path, server: ServerProcess) -> None:
        self.folder = folder
        self.server = server
        self._terminals: list[Terminal] = []

    def ssh(self, *options: str, key: str | None = "id", program: str = "ssh") -> list[str]:
        """Return the command that connects with the key of this name, None: as a guest; ``options`` of ssh follow."""
        settings = {
            "UserKnownHostsFile": self.folder / "known",
            "StrictHostKeyChecking": "accept-new",
            "IdentityFile": self.key(key) if key else "none",
            "IdentitiesOnly": "yes",
            "IdentityAgent": "none",
            "LogLevel": "INFO",
        }
        words = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
        return [program, "-F", "none", "-o", f"Port={self.server.ssh}", *words, *options]

    def key(self, name: str) -> Path:
        """Return the file of a private key, which is made when it is first asked for."""
        path = self.folder / name
        if not path.exists():
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
        return path

    def visit(self, user: str, *words: str, key: str | None = "id", **variables: str) -> Terminal:
        """Connect in a terminal; ``words``: the command."""
        program = self.ssh("-t", "-o", "SendEnv=COLORTERM LANG", f"{user}@127.0.0.1", "--", key=key)
        self._terminals.append(Terminal(self.folder, *words, program=program, **variables))
        return self._terminals[-1]

    def run(self, *words: str, program: str = "ssh") -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            self.ssh(*words, program=program), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )

    @property
    def process(self) -> int:
        found = [pid for pid in children(self.server.pid) if b"parlour_client.ssh" in _command(pid)]
        [pid] = found or [0]
        return pid

    @property
    def visitors(self) -> list[int]:
        [nursery] = children(self.process)
        return children(nursery)

    def wait_until(self, condition: Callable[[], bool]) -> None:
        asyncio.run(until(condition))

    def close(self) -> None:
        for terminal in self._terminals:
            terminal.close()


def _command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


@contextmanager
def serving(folder: Path, *flags: str, house_bots: bool = False) -> Iterator[Site]:
    """Run a server with ssh while in the context; ``flags`` of ``parlour serve``."""
    with server_process(folder, "--ssh", f"127.0.0.1:{free_port()}", *flags, house_bots=house_bots) as server:
        site = Site(folder, server)
        try:
            yield site
        finally:
            site.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server for all tests of a module that leave it running."""
    with serving(tmp_path_factory.mktemp("site"), house_bots=True) as found:
        yield found


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    """A server of the test's own, with two places for visitors."""
    with serving(tmp_path, "--max-ssh", "2") as found:
        yield found
