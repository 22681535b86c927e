"""The ssh server: accept visitors, and connect each channel with the terminal of its visitor.

Everyone may come: a public key is an identity, without one they are guests, and no password is asked. A connection is
for one visitor; all else that ssh can do is refused.
"""

import asyncio
import fcntl
import hmac
import os
import re
import shlex
import struct
import termios
from collections import Counter
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import asyncssh
import attrs

from parlour_client.core.errors import Interrupted, Refused, Usage
from parlour_client.core.phrases import say
from parlour_client.ssh.visitors import CRASHED, Nursery, Visit

_STRANGERS = 32
"""Connections beyond those of visitors, which may still say who they are or read why they are refused."""
_CHUNK = 65_536
"""Bytes to read of a terminal at a time."""
_LONGEST_LINE = 1_000
"""Characters of the longest command."""
_ENVIRONMENT = ("COLORTERM", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "NO_COLOR", "PARLOUR_LANG", "PARLOUR_LOOK")
"""Environment variables of a client that the screens read: colours, characters and language."""
_VALUE = re.compile(r"[A-Za-z0-9_.,@=+-]{1,64}")
_TERM = re.compile(r"[A-Za-z0-9_.+-]{1,32}")
_MOST_CELLS = 500
"""Columns and rows of the largest terminal."""
_OPTIONS = {
    "agent_forwarding": False,
    "allow_scp": False,
    "compression_algs": ["none"],
    "encoding": None,
    "host_based_auth": False,
    "keepalive_count_max": 4,
    "keepalive_interval": 30,
    "line_editor": False,
    "login_timeout": 30,
    "password_auth": False,
    "server_version": "parlour",
    "window": 65_536,
    "x11_forwarding": False,
}


@attrs.frozen
class VisitorLimits:
    """How many visitors there may be in all, and from one address; for how many seconds each may press no key."""

    visitors: int
    per_address: int
    idle: int


class Host:
    """Accepts visitors. ``seed``: the secret from which their keys are derived; ``folder``: for what they keep."""

    def __init__(self, nursery: Nursery, limits: VisitorLimits, seed: bytes, folder: Path) -> None:
        self._nursery = nursery
        self.limits = limits
        self._seed = seed
        self._folder = folder
        self._connections: Counter[str] = Counter()
        self._visitors: Counter[str] = Counter()
        self.sessions: set[VisitorSession] = set()

    def connected(self, address: str) -> bool:
        """Count a connection; return whether there is room for it."""
        self._connections[address] += 1
        most = min(self.limits.visitors, self.limits.per_address) + _STRANGERS
        return self._connections[address] <= most and self._connections.total() <= self.limits.visitors + _STRANGERS * 4

    def disconnected(self, address: str) -> None:
        """Uncount a connection."""
        self._connections -= Counter((address,))

    def begin(self, visit: Visit) -> tuple[int, int]:
        """Start a visitor, who counts until ``left``; return what ``Nursery.begin`` does. Raises OSError, Refused."""
        if self._visitors.total() >= self.limits.visitors:
            raise Refused("full", say("ssh.full", most=self.limits.visitors))
        if self._visitors[visit.address] >= self.limits.per_address:
            raise Refused("full", say("ssh.full_address", most=self.limits.per_address))
        found = self._nursery.begin(visit)
        self._visitors[visit.address] += 1
        return found

    def home(self) -> TemporaryDirectory[str]:
        """Return a new folder for the files of one visit."""
        return TemporaryDirectory(dir=self._folder)

    def dismiss(self) -> None:
        """Disconnect all visitors: the server stops."""
        for session in list(self.sessions):
            session.send_away(say("ssh.stopped"))

    def left(self, address: str) -> None:
        """Uncount a visitor."""
        self._visitors -= Counter((address,))

    def key(self, fingerprint: str | None) -> str | None:
        """Return the key that reserves names for the owner of a public key; None for a guest."""
        return fingerprint and hmac.digest(self._seed, fingerprint.encode(), "sha256").hex()


class VisitorConnection(asyncssh.SSHServer):
    """One connection: accepts everyone, and refuses all but one session."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._session: VisitorSession | None = None
        self.fingerprint: str | None = None
        self.address = ""
        self.user = ""

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Count the connection, and close it if there are far too many."""
        self.connection = conn
        self.address = str(conn.get_extra_info("peername")[0]).partition("%")[0]
        if not self._host.connected(self.address):
            conn.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Uncount the connection."""
        self._host.disconnected(self.address)

    def begin_auth(self, username: str) -> bool:
        """Ask for a key: clients offer one only when asked."""
        self.user = username
        return True

    def public_key_auth_supported(self) -> bool:
        """Ask for a key first."""
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Accept every key. The library has checked its signature when it lets the visitor in."""
        self.fingerprint = key.get_fingerprint()
        return True

    def kbdint_auth_supported(self) -> bool:
        """Let guests in without a question."""
        return True

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> tuple[str, str, str, list[Any]]:
        """Ask nothing."""
        return "", "", "", []

    def validate_kbdint_response(self, username: str, responses: object) -> bool:
        """Accept a guest, whose keys, if any, have not been proved."""
        self.fingerprint = None
        return True

    def session_requested(self) -> "VisitorSession":
        """Begin the only session."""
        if self._session is not None:
            raise _refusal("ssh.one_session")
        self._session = VisitorSession(self._host, self)
        return self._session

    def connection_requested(self, *_: object) -> bool:
        """Refuse to forward a port."""
        raise _refusal("ssh.no_forwarding")

    def unix_connection_requested(self, *_: object) -> bool:
        """Refuse to forward a socket."""
        raise _refusal("ssh.no_forwarding")


def _refusal(phrase: str) -> asyncssh.ChannelOpenError:
    return asyncssh.ChannelOpenError(asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED, say(phrase))


class _Environment(dict[bytes, bytes]):
    """Environment variables that a client sets. Only a few short ones are kept."""

    def __setitem__(self, name: bytes, value: bytes) -> None:
        with suppress(UnicodeDecodeError):
            if name.decode() in _ENVIRONMENT and _VALUE.fullmatch(value.decode()):
                super().__setitem__(name, value)


class VisitorSession(asyncssh.SSHServerSession[bytes]):
    """A channel and the terminal of its visitor."""

    def __init__(self, host: Host, guard: VisitorConnection) -> None:
        self._host = host
        self._guard = guard
        self._environment = _Environment()
        self._term = ""
        self._size = (80, 24)
        self._words: list[str] = []
        self._subsystem = ""
        self._terminal = self._ending = -1
        self._unwritten = b""
        self._ended_input = False
        self._home: TemporaryDirectory[str] | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    # --- what the client asks for -----------------------------------------------------------------------------

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        """Bound what the client may set before it begins."""
        self._channel = chan
        chan._env = self._environment  # the library keeps all that comes

    def pty_requested(self, term_type: str, term_size: tuple[int, int, int, int], term_modes: object) -> bool:
        """Note the terminal."""
        self._term = term_type if _TERM.fullmatch(term_type) else "dumb"
        self.terminal_size_changed(*term_size)
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        """Resize the terminal."""
        self._size = (min(max(width, 1), _MOST_CELLS), min(max(height, 1), _MOST_CELLS))
        if self._terminal >= 0:
            columns, rows = self._size
            fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def shell_requested(self) -> bool:
        """Accept: the start screen is the shell."""
        return True

    def exec_requested(self, command: str) -> bool:
        """Note the words, which the visitor's process understands or refuses."""
        try:
            self._words = shlex.split(command[:_LONGEST_LINE])
        except ValueError:
            self._words = [command[:_LONGEST_LINE]]
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        """Accept, in order to say why not."""
        self._subsystem = subsystem
        return True

    def session_started(self) -> None:
        """Start the visitor."""
        try:
            if self._subsystem:
                raise Usage(say("ssh.no_subsystem", said=self._subsystem[:40]))
            self._start()
        except (Refused, Usage, OSError) as fault:
            code = Usage.exit_code if isinstance(fault, OSError) else fault.exit_code
            self._say(say("ssh.no_process") if isinstance(fault, OSError) else str(fault))
            self._channel.exit(code)

    def _start(self) -> None:
        guard, self._home = self._guard, self._host.home()
        variables = {name.decode(): value.decode() for name, value in self._environment.items()}
        variables = {"LANG": "C.UTF-8", **variables, "TERM": self._term or "dumb"}
        key = self._host.key(guard.fingerprint)
        visit = Visit(variables, self._home.name, guard.user[:64], key, guard.address, self._words, bool(self._term))
        self._terminal, self._ending = self._host.begin(visit)
        self._host.sessions.add(self)
        os.set_blocking(self._terminal, False)
        self.terminal_size_changed(*self._size, 0, 0)
        self._loop.add_reader(self._ending, self._ended)
        self.resume_writing()
        self._touch()

    # --- from the client to the terminal ----------------------------------------------------------------------

    def data_received(self, data: bytes, datatype: object) -> None:
        """Type what the client sends."""
        self._touch()
        if self._terminal >= 0:
            self._unwritten += data
            self._type()

    def eof_received(self) -> bool:
        """Pass on the end of input, which in a terminal is a key."""
        if not self._term and self._terminal >= 0:
            self._ended_input = True
            self._type()
        return True

    def _type(self) -> None:
        """Write what the terminal takes; read no more of the channel before it has taken all."""
        if self._ended_input and not self._unwritten:
            self._ended_input, self._unwritten = False, b"\x04"
        try:
            self._unwritten = self._unwritten[os.write(self._terminal, self._unwritten) :]
        except BlockingIOError:
            pass
        except OSError:  # the visitor has ended
            self._unwritten = b""
        self._loop.remove_writer(self._terminal)
        if self._unwritten or self._ended_input:
            self._channel.pause_reading()
            self._loop.add_writer(self._terminal, self._type)
        else:
            self._channel.resume_reading()

    def _touch(self) -> None:
        """Start over to wait for the next key press."""
        if self._idle is not None:
            self._idle.cancel()
        idle = self._host.limits.idle
        self._idle = self._loop.call_later(idle, self.send_away, say("ssh.idle", minutes=max(1, round(idle / 60))))

    def send_away(self, why: str) -> None:
        """Hang up, after a sentence that says ``why``."""
        self._say(why)
        self._channel.exit(Interrupted.exit_code)
        self._close()

    # --- from the terminal to the client ----------------------------------------------------------------------

    def pause_writing(self) -> None:
        """Let the terminal wait for the client."""
        if self._terminal >= 0:
            self._loop.remove_reader(self._terminal)

    def resume_writing(self) -> None:
        """Read the terminal again."""
        if self._terminal >= 0:
            self._loop.add_reader(self._terminal, self._read)

    def _read(self) -> None:
        data = self._screen()
        if data:
            self._pass_on(data)
        elif data is None:
            self._loop.remove_reader(self._terminal)  # closed by the visitor, who ends

    def _pass_on(self, data: bytes) -> None:
        """Send what the visitor has drawn, unless the client has closed the channel meanwhile."""
        if not self._channel.is_closing():
            self._channel.write(data)

    def _screen(self) -> bytes | None:
        """Return what the visitor has drawn, empty if nothing yet, None at the end."""
        try:
            return os.read(self._terminal, _CHUNK) or None
        except BlockingIOError:
            return b""
        except OSError:
            return None

    def _ended(self) -> None:
        """Pass on the last words and the exit code of a visitor who has ended."""
        while data := self._screen():
            self._pass_on(data)
        code = os.read(self._ending, 1)
        if not code or code[0] == CRASHED:
            self._say(say("ssh.crashed"))
        self._channel.exit(code[0] if code else CRASHED)
        self._close()

    def _say(self, text: str) -> None:
        """Write a line, on a screen of its own if there was one."""
        if self._channel.is_closing():
            return
        restored = _RESTORED if self._term and self._terminal >= 0 else b""
        self._channel.write_stderr(restored + text.encode() + (b"\r\n" if self._term else b"\n"))

    # --- the end ----------------------------------------------------------------------------------------------

    def connection_lost(self, exc: Exception | None) -> None:
        """Hang up."""
        self._close()

    def _close(self) -> None:
        """Hang up the terminal, which ends the visitor, and forget all about the visit."""
        if self._idle is not None:
            self._idle.cancel()
        if self._terminal >= 0:
            self._loop.remove_reader(self._terminal)
            self._loop.remove_writer(self._terminal)
            self._loop.remove_reader(self._ending)
            os.close(self._terminal)
            os.close(self._ending)
            self._terminal = self._ending = -1
            self._host.sessions.discard(self)
            self._host.left(self._guard.address)
        if self._home is not None:
            self._loop.run_in_executor(None, self._home.cleanup)
            self._home = None


_RESTORED = b"\x1b[?1049l\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?2004l\x1b[?25h\x1b[0m\r\n"
"""What gives a terminal back in which the screens were drawn: the main screen, no mouse reports, the cursor."""


def host_key(path: Path) -> asyncssh.SSHKey:
    """Return the host key, which is made at the first start, mode 0600. Raises OSError, KeyImportError."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f"{path.name}.{os.getpid()}")
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(asyncssh.generate_private_key("ssh-ed25519", "parlour").export_private_key())
        with suppress(FileExistsError):
            os.link(fresh, path)
        fresh.unlink()
    return asyncssh.read_private_key(path)


def secret_of(key: asyncssh.SSHKey) -> bytes:
    """Return the secret from which the keys of visitors are derived."""
    return hmac.digest(key.export_private_key("pkcs8-der"), b"parlour: keys of ssh visitors", "sha256")


async def listen(host: Host, sock: Any, key: asyncssh.SSHKey) -> asyncssh.SSHAcceptor:
    """Serve at a listening socket."""
    return await asyncssh.listen(
        sock=sock, server_factory=lambda: VisitorConnection(host), server_host_keys=[key], **_OPTIONS
    )
