"""``python -m parlour_bots.grading.confine LIMITS COMMAND…``: run a command with limits.

Its working directory is a new one. The limits are memory, CPU time and the size of files. Where the system has user
namespaces (Linux), the command does not see the files of others and has no network.
"""

import ctypes
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import attrs

if os.name != "nt":
    import resource

MIB = 1 << 20
_FILE = 16 * MIB
"""Bytes of the largest file that a submission may write."""
_SCRATCH = "size=64m"
"""The space for all files that it writes."""
_NEW_MOUNTS, _NEW_USER, _NEW_NETWORK = 0x20000, 0x10000000, 0x40000000  # see unshare(2)
_BIND, _RECURSIVE, _PRIVATE = 0x1000, 0x4000, 0x40000  # see mount(2)


@attrs.frozen
class Limits:
    """The limits of a command, and the files it may see."""

    memory: int
    """MiB."""
    cpu: int
    """Seconds of CPU time."""
    inside: str
    """The folder of its working directory."""
    own: str
    """Its own file or folder."""
    hidden: tuple[str, ...] = ()
    """Files and folders that it does not see, apart from ``own``."""
    isolated: bool = True
    """Whether it only runs if these are hidden and it has no network."""

    def command(self, command: Sequence[str]) -> list[str]:
        """Return the command that runs ``command`` with these limits."""
        return [sys.executable, "-m", "parlour_bots.grading.confine", json.dumps(attrs.asdict(self)), *command]


def hides(inside: str) -> bool:
    """Return whether this system can hide files from a command: whether one in ``inside`` is hidden. Raises OSError."""
    if sys.platform != "linux":
        return False
    file = Path(inside, "hidden")
    file.touch()
    look = [sys.executable, "-c", f"raise SystemExit(__import__('os').path.exists({str(file)!r}))"]
    done = subprocess.run(
        Limits(1_024, 60, inside, sys.executable, (inside,)).command(look), capture_output=True, check=False
    )
    file.unlink()
    failure(inside).unlink(missing_ok=True)
    return done.returncode == 0


def failure(inside: str) -> Path:
    """Return the file that says why a command was not isolated and did not run."""
    return Path(inside, "not-isolated")


def main(limits: Limits, command: list[str]) -> None:
    """Set the limits, enter an empty folder, and become the command."""
    if limits.isolated:
        try:
            _hide(limits)
        except OSError as error:
            failure(limits.inside).write_text(str(error), encoding="utf-8", newline="\n")
            raise
    os.chdir(tempfile.mkdtemp(dir=limits.inside))
    if os.name != "nt":
        resource.setrlimit(resource.RLIMIT_DATA, (limits.memory * MIB, limits.memory * MIB))
        resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu, limits.cpu))
        resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE, _FILE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.execvp(command[0], command)


def _hide(limits: Limits) -> None:
    """Cover what is hidden with empty folders, and leave the network. Raises OSError."""
    _unshare(_NEW_USER | _NEW_MOUNTS | _NEW_NETWORK)
    _mount("none", "/", _RECURSIVE | _PRIVATE)
    own = os.open(limits.own, os.O_RDONLY)
    try:
        for path in limits.hidden:
            if os.path.isdir(path):
                _mount("tmpfs", path, 0, "tmpfs", _SCRATCH)
            elif os.path.exists(path):
                _mount(os.devnull, path, _BIND)
        if not os.path.exists(limits.own):
            _place(Path(limits.own), os.path.isdir(f"/proc/self/fd/{own}"))
            _mount(f"/proc/self/fd/{own}", limits.own, _BIND | _RECURSIVE)
    finally:
        os.close(own)
    _unshare(_NEW_USER)  # a user of the first namespace may uncover the folders


def _place(path: Path, is_folder: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir() if is_folder else path.touch()


def _unshare(flags: int) -> None:
    user, group = os.getuid(), os.getgid()
    _call("unshare", flags)
    Path("/proc/self/setgroups").write_bytes(b"deny")
    Path("/proc/self/uid_map").write_bytes(f"{user} {user} 1".encode())
    Path("/proc/self/gid_map").write_bytes(f"{group} {group} 1".encode())


def _mount(source: str, target: str, flags: int, kind: str | None = None, options: str | None = None) -> None:
    _call("mount", source.encode(), target.encode(), kind and kind.encode(), flags, options and options.encode())


def _call(name: str, *args: object) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*(ctypes.c_ulong(arg) if isinstance(arg, int) else arg for arg in args)):
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


if __name__ == "__main__":
    main(Limits(**json.loads(sys.argv[1])), sys.argv[2:])
