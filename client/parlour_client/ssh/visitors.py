"""Processes of visitors, forked from one that has loaded all screens, so that they share its memory."""

import asyncio
import gc
import json
import os
import pty
import resource
import signal
import socket
import sys
import termios
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from traceback import format_exc
from typing import NoReturn

import attrs

CRASHED = 70
"""The exit code of a visitor whose screen has failed."""
_LONGEST = 16_384
"""Bytes of the longest request."""
_MEMORY = 2**29
"""Bytes that a visitor may allocate. A process that has just been forked counts what it shares, too."""
_FILE = 2**22
"""Bytes of the largest file that it may write."""
_STUCK, _SIGN_OF_LIFE = 20, 5.0
"""Seconds of CPU after which the system kills a visitor who gives no sign of life, and seconds between two of these."""
_NICE = 5
"""How much a visitor yields to the game server."""
_MOST_FILES = 256
"""Above the number of any file that is open when visitors are first forked."""
_IUTF8 = 0x4000
"""The flag of a terminal whose lines are UTF-8, which ``termios`` does not name."""


@attrs.frozen
class Visit:
    """The environment, home, player and command of a visitor's process.

    ``dialogue``: whether there is a terminal at the other end, and not a pipe.
    """

    environment: Mapping[str, str]
    home: str
    name: str
    key: str | None = attrs.field(repr=False)
    address: str
    words: Sequence[str] = ()
    dialogue: bool = True


class Nursery:
    """Forks visitors. ``warm_up`` runs once before the first; ``play`` in each, at its terminal, for its exit code.

    Create it before any event loop or thread: a fork copies neither. It ends with the process that created it.
    """

    def __init__(self, warm_up: Callable[[], object], play: Callable[[Visit], int]) -> None:
        self.socket, theirs = socket.socketpair()
        """It becomes readable if the process has ended."""
        self.pid = os.fork()
        if self.pid == 0:
            kept = theirs.fileno()
            os.closerange(3, kept)
            os.closerange(kept + 1, _MOST_FILES)
            warm_up()
            gc.collect()
            gc.freeze()  # a collection in a visitor would copy every page that holds an object
            _fork_visitors(theirs, play)
        theirs.close()

    def begin(self, visit: Visit) -> tuple[int, int]:
        """Start a visitor.

        Returns our end of its terminal, and a pipe: when it ends, its exit code can be read there as one byte; nothing
        if it was killed. Raises OSError.
        """
        mine, its = pty.openpty()
        ending, end = os.pipe()
        try:
            request = json.dumps(attrs.asdict(visit)).encode()
            socket.send_fds(self.socket, [request], [its, end])
            if self.socket.recv(1) != b"+":
                raise OSError("no process can be started")
        except BaseException:
            os.close(mine)
            os.close(ending)
            raise
        finally:
            os.close(its)
            os.close(end)
        return mine, ending


def _fork_visitors(requests: socket.socket, play: Callable[[Visit], int]) -> NoReturn:
    """Fork a visitor for each request, until the other end is closed."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system reaps them
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    while True:
        data, files, *_ = socket.recv_fds(requests, _LONGEST, 2)
        if not data:
            os._exit(0)
        try:
            pid = os.fork()
        except OSError:
            pid = -1
        if pid == 0:
            requests.close()
            terminal, end = files
            _be(Visit(**json.loads(data)), terminal, end, play)
        for file in files:
            os.close(file)
        requests.send(b"+" if pid > 0 else b"-")


def _be(visit: Visit, terminal: int, end: int, play: Callable[[Visit], int]) -> NoReturn:
    """Become a visitor: a session of its own at its terminal, with limits, and nothing of the host's environment."""
    code, log = CRASHED, os.dup(2)
    try:
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD):
            signal.signal(each, signal.SIG_DFL)
        os.login_tty(terminal)
        _prepare(0, visit.dialogue)
        _limit()
        folders = {f"XDG_{kind}_HOME": str(Path(visit.home, kind.lower())) for kind in ("STATE", "DATA", "CONFIG")}
        os.environ.clear()
        os.environ.update({**visit.environment, "HOME": visit.home, "PATH": os.defpath, **folders})
        os.chdir("/")
        for file, (stream, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
            opened = open(file, mode, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115 - they stay
            setattr(sys, stream, opened)
            setattr(sys, f"__{stream}__", opened)
        code = play(visit)
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        os.write(log, format_exc().encode())
    finally:
        os.write(end, bytes([code]))
        os._exit(code)


def _prepare(terminal: int, dialogue: bool) -> None:
    """Let a terminal erase whole characters; without a ``dialogue`` let it pass on bytes as a pipe does."""
    modes = termios.tcgetattr(terminal)
    modes[0] |= _IUTF8
    if not dialogue:
        modes[1] &= ~termios.OPOST
        modes[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, modes)


def _limit() -> None:
    os.nice(_NICE)
    for kind, most in ((resource.RLIMIT_DATA, _MEMORY), (resource.RLIMIT_FSIZE, _FILE), (resource.RLIMIT_CORE, 0)):
        with suppress(OSError, ValueError):  # a lower limit of the host's stays
            resource.setrlimit(kind, (most, most))


async def live() -> None:
    """Give signs of life until cancelled. When they stay away for long, the system kills this process."""
    while True:
        used = resource.getrusage(resource.RUSAGE_SELF)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        limit = int(used.ru_utime + used.ru_stime) + _STUCK
        resource.setrlimit(resource.RLIMIT_CPU, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
        await asyncio.sleep(_SIGN_OF_LIFE)
