"""``python -I -S launcher.py LIFELINE STATUS``: run a program, and end it together with all its processes.

This process stands between parlour and a bot's program on POSIX systems. It imports only the standard library, since
one starts with each program.

LIFELINE and STATUS are pipes. Parlour writes an order to the first, one line of JSON, and closes it to end the program.
The system closes it if parlour is killed. A byte after the order ends the program without giving it time to exit. The
second pipe receives two lines of JSON: that the program has started, or why not; and how it ended.

On Linux, an order can ask for confinement. The program then runs in namespaces of its own: it sees only the files that
the order names, read-only, and a scratch space; it has no network, sees no other process, and cannot gain rights.
"""

import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

_SCRATCH = "/tmp"
"""The scratch space of a confined program."""
_FILES = 8_192
"""Files and folders that fit into the scratch space."""
_SYSTEM = (
    "/bin", "/etc", "/gnu/store", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/opt", "/sbin", "/usr",
)  # fmt: skip
"""Programs, libraries and their settings, which every confined program may read."""
_DEVICES = ("full", "null", "random", "urandom", "zero")
_LINKS = {
    "/dev/fd": "/proc/self/fd", "/dev/stdin": "/proc/self/fd/0", "/dev/stdout": "/proc/self/fd/1",
    "/dev/stderr": "/proc/self/fd/2", "/dev/shm": _SCRATCH, "/var/tmp": _SCRATCH,
}  # fmt: skip
_NOBODY = 65_534
"""The user and the group of a program that root has confined."""
_ROOT = "/tmp"
"""The folder in which the root of a confined program is put together."""

# see unshare(2), mount(2), mount_setattr(2), prctl(2)
_NEW_USER = 0x10000000
_NEW_REST = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x20000000 | 0x40000000
"""New namespaces for mounts, control groups, the host's name, IPC, processes and the network."""
_NO_SUID, _NO_DEVICES, _NO_EXEC, _BIND, _RECURSIVE, _PRIVATE = 2, 4, 8, 0x1000, 0x4000, 0x40000
_DETACH, _MOUNT_SETATTR, _HERE, _WHOLE_TREE = 2, 442, -100, 0x8000
_READ_ONLY, _INERT = 1, 1 | 2 | 4
"""Attributes of mounts: read-only; and also without set-user-ID programs and devices."""
_DIE_WITH_PARENT, _ADOPT_ORPHANS, _NO_NEW_PRIVILEGES = 1, 36, 38


class _NotStarted(Exception):
    """The program has not started: the step that failed, and why."""


def main(lifeline: int, status: int) -> None:
    """Run the program that ``lifeline`` orders until it exits or ``lifeline`` is closed, and report to ``status``."""
    for pipe in (lifeline, status):
        os.set_inheritable(pipe, False)
    order, woken = json.loads(_line(lifeline)), _wake_at_exits()
    try:
        child, outcome = _start(order)
    except _NotStarted as error:
        step, why = error.args
        _report(status, {"failed": step, "why": why})
        return
    _report(status, {})
    code = _watch(child, lifeline, woken, order["patience"])
    _end(child, running=code is None)
    inner = os.read(outcome, 64)
    _report(status, {"exited": int(inner) if inner else code})


def _report(status: int, what: dict[str, str | int | None]) -> None:
    with suppress(BrokenPipeError):  # parlour has been killed: what the program has started must still be ended
        os.write(status, f"{json.dumps(what)}\n".encode())


def _line(pipe: int) -> bytes:
    """Return the line that parlour writes before it waits for an answer."""
    line = b""
    while not line.endswith(b"\n"):
        if not (more := os.read(pipe, 65_536)):
            sys.exit(1)  # parlour has been killed
        line += more
    return line


def _wake_at_exits() -> int:
    """Return a pipe that becomes readable when a child exits."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return woken


def _start(order: Any) -> tuple[int, int]:
    """Start the program. Return its process, and a pipe with the exit code of a confined one. Raises _NotStarted.

    The process of a confined program is the first one of its namespace, which ends with it.
    """
    if sys.platform == "linux":
        _call("prctl", _ADOPT_ORPHANS, 1)
    if order["confined"]:
        with _step("confinement"):
            _leave_namespaces()
    (outcome, exited), (errors, failed) = os.pipe(), os.pipe()
    if (child := os.fork()) == 0:
        os.close(outcome)
        _be_child(order, exited, failed)
    os.close(exited)
    os.close(failed)
    _close_standard_streams()
    with os.fdopen(errors, encoding="ascii") as pipe:
        if text := pipe.read():  # nothing once the program has replaced the process that held the other end
            raise _NotStarted(*json.loads(text))
    return child, outcome


@contextmanager
def _step(step: str) -> Iterator[None]:
    """Convert the errors of a step. Raises _NotStarted."""
    try:
        yield
    except OSError as error:
        raise _NotStarted(step, str(error)) from None


def _be_child(order: Any, exited: int, failed: int) -> NoReturn:
    """Become the program, or confine and start it and wait for it."""
    try:
        signal.set_wakeup_fd(-1)
        for each in (signal.SIGCHLD, signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):  # Python has changed these
            signal.signal(each, signal.SIG_DFL)
        if sys.platform == "linux":
            _call("prctl", _DIE_WITH_PARENT, int(signal.SIGKILL))
            _exit_unless_read(exited)
        if order["confined"]:
            _be_init(order, exited, failed)
        else:
            _become(order)
    except _NotStarted as error:
        os.write(failed, json.dumps(error.args).encode())
    finally:
        os._exit(1)


def _exit_unless_read(pipe: int) -> None:
    """Exit if the other end of a pipe is closed: the parent has died before its death was waited for."""
    events = select.poll()
    events.register(pipe, 0)
    if events.poll(0):
        os._exit(1)


def _become(order: Any) -> None:
    """Replace this process by the program. Raises _NotStarted."""
    with _step("program"):
        os.setsid()
        for name, amount in order["limits"].items():
            resource.setrlimit(getattr(resource, name), (amount, amount))
        os.execvp(order["command"][0], order["command"])


def _close_standard_streams() -> None:
    """Leave the streams to the program: their other ends notice when it closes them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.close(nothing)


def _watch(child: int, lifeline: int, woken: int, patience: float) -> int | None:
    """Return the exit code of ``child``, or None if ``patience`` seconds after the end of ``lifeline`` it runs on."""
    events, until = select.poll(), float("inf")
    for pipe in (woken, lifeline):
        events.register(pipe, select.POLLIN)
    while True:
        for pid, status in _exits():
            if pid == child:
                return os.waitstatus_to_exitcode(status)
        left = until - time.monotonic()
        if left <= 0:
            return None
        for pipe, _ in events.poll(None if left == float("inf") else left * 1_000):
            if pipe == lifeline:
                events.unregister(lifeline)
                until = time.monotonic() + (0 if os.read(lifeline, 1) else patience)
            else:
                os.read(woken, 512)


def _exits() -> Iterator[tuple[int, int]]:
    """Yield the children that have exited, and their statuses."""
    with suppress(ChildProcessError):
        while (exited := os.waitpid(-1, os.WNOHANG))[0]:
            yield exited


def _end(child: int, *, running: bool) -> None:
    """Kill ``child`` if it is running, its process group, and on Linux all its descendants, whatever their sessions."""
    if running:
        os.kill(child, signal.SIGKILL)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    with suppress(ChildProcessError):
        while True:
            for orphan in _children():  # each that dies leaves us its own
                with suppress(ProcessLookupError):
                    os.kill(orphan, signal.SIGKILL)
            os.waitpid(-1, 0)


def _children() -> list[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            return [int(pid) for pid in file.read().split()]
    except FileNotFoundError:  # not Linux
        return []


# confinement


def _leave_namespaces() -> None:
    """Enter new namespaces; the next child is the first process there. Raises OSError."""
    if os.geteuid() == 0:
        _call("unshare", _NEW_REST)
        return
    user, group = os.getuid(), os.getgid()
    _call("unshare", _NEW_USER | _NEW_REST)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{user} {user} 1")
    _write("/proc/self/gid_map", f"{group} {group} 1")


def _be_init(order: Any, exited: int, failed: int) -> NoReturn:
    """Confine and start the program as its first process, reap its orphans, and report its exit code."""
    user, group = os.getuid() or _NOBODY, os.getgid() or _NOBODY
    with _step("confinement"):
        _enter_root(order["confined"])
        (unshared, unshare), (mapped, map_) = os.pipe(), os.pipe()
        if (program := os.fork()) == 0:
            os.close(map_)
            _give_up_rights(unshare, mapped, user, group, order["confined"])
            _become(order)
        os.close(unshare)
        if os.read(unshared, 1):  # otherwise it has reported why not
            _write(f"/proc/{program}/uid_map", f"{user} {user} 1")
            _write(f"/proc/{program}/gid_map", f"{group} {group} 1")
            os.write(map_, b".")
    os.close(failed)
    _close_standard_streams()
    while True:
        pid, status = os.wait()
        if pid == program:
            os.write(exited, str(os.waitstatus_to_exitcode(status)).encode())
            os._exit(0)


def _enter_root(seen: Any) -> None:
    """Put together a root folder with what may be seen, read-only, and enter it. Raises OSError."""
    folder = seen["folder"]
    os.umask(0o022)
    _mount(None, "/", None, _RECURSIVE | _PRIVATE)
    links = dict(_LINKS)
    readable = _opened((*_SYSTEM, *seen["readable"]), links)
    own = _opened(seen["own"], links)
    hidden = [_real(path, {}) for path in filter(os.path.exists, seen["hidden"])]
    devices = _opened((f"/dev/{name}" for name in _DEVICES), {})

    _mount("tmpfs", _ROOT, "tmpfs", _NO_SUID | _NO_DEVICES, "size=1m,mode=755")
    os.mkdir(_ROOT + _SCRATCH)
    size = f"size={seen['scratch']}m,nr_inodes={_FILES},mode=1777"
    _mount("tmpfs", _ROOT + _SCRATCH, "tmpfs", _NO_SUID | _NO_DEVICES, size)
    _show(readable)
    for path in hidden:
        _cover(_ROOT + path)
    _show(own)
    for path in (folder, "/proc", "/dev"):
        os.makedirs(_ROOT + path, exist_ok=True)
    for link, target in links.items():
        if not os.path.lexists(_ROOT + link):
            os.makedirs(os.path.dirname(_ROOT + link), exist_ok=True)
            os.symlink(target, _ROOT + link)
    for path in devices:
        _touch(_ROOT + path)
    if folder.startswith(f"{_SCRATCH}/"):
        os.chmod(_ROOT + folder, 0o777)
    _set_attributes(_ROOT, _INERT, tree=True)
    _set_attributes(_ROOT + _SCRATCH, 0, without=_READ_ONLY)
    for path, source in devices.items():
        _mount(f"/proc/self/fd/{source}", _ROOT + path, None, _BIND)
        os.close(source)
    _mount("proc", f"{_ROOT}/proc", "proc", _NO_SUID | _NO_DEVICES | _NO_EXEC)
    os.chdir(_ROOT)
    _call("pivot_root", b".", b".")
    _call("umount2", b".", _DETACH)
    os.chdir(folder)


def _opened(paths: Iterable[str], links: dict[str, str]) -> dict[str, int]:
    """Open the files and folders that exist, and add the symbolic links that lead there. Raises OSError."""
    real = {_real(path, links) for path in paths if os.path.exists(path)}
    return {path: os.open(path, os.O_PATH) for path in sorted(real)}  # folders before what they contain


def _real(path: str, links: dict[str, str]) -> str:
    """Return the path of an existing file without symbolic links, and add those on the way to ``links``."""
    real, rest = "/", path.split("/")[::-1]
    while rest:
        if (name := rest.pop()) == "..":
            real = os.path.dirname(real)
        elif name not in ("", "."):
            here = os.path.join(real, name)
            if os.path.islink(here):
                links[here] = target = os.readlink(here)
                rest += target.split("/")[::-1]
                real = "/" if target.startswith("/") else real
            else:
                real = here
    return real


def _show(opened: dict[str, int]) -> None:
    """Mount what is opened at its path in the new root, unless it is already there."""
    for path, source in opened.items():
        target = _ROOT + path
        if not os.path.exists(target):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.mkdir(target) if os.path.isdir(f"/proc/self/fd/{source}") else _touch(target)
            _mount(f"/proc/self/fd/{source}", target, None, _BIND | _RECURSIVE)
        os.close(source)


def _cover(path: str) -> None:
    """Hide a file or folder if it is there."""
    if os.path.isdir(path):
        _mount("tmpfs", path, "tmpfs", _NO_SUID | _NO_DEVICES, "size=1m,mode=755")
    elif os.path.exists(path):
        _mount(os.devnull, path, None, _BIND)


def _give_up_rights(unshare: int, mapped: int, user: int, group: int, seen: Any) -> None:
    """Enter a user namespace without rights in the others, from which none can be gained. Raises OSError."""
    _write("/proc/self/oom_score_adj", "1000")  # the first to go when memory is short
    _call("unshare", _NEW_USER)
    os.write(unshare, b".")
    if not os.read(mapped, 1):
        os._exit(1)  # the first process reports what failed
    with suppress(PermissionError):  # only root may
        os.setgroups([])
    os.setresgid(group, group, group)
    os.setresuid(user, user, user)
    for path in seen["own"]:
        if not os.access(path, os.R_OK):
            raise PermissionError(f"user {user} cannot read {path}; to allow it, run: chmod -R o+rX {path}")
    _write("/proc/sys/user/max_user_namespaces", "0")
    resource.setrlimit(resource.RLIMIT_NPROC, (seen["processes"],) * 2)
    _call("prctl", _NO_NEW_PRIVILEGES, 1, 0, 0, 0)


class _Attributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("attr_set", "attr_clr", "propagation", "userns_fd")]


def _set_attributes(path: str, attributes: int, *, without: int = 0, tree: bool = False) -> None:
    """Change the attributes of a mount, or of all below a folder."""
    changes = _Attributes(attributes, without, 0, 0)
    flags = _WHOLE_TREE if tree else 0
    _call("syscall", _MOUNT_SETATTR, _HERE, path.encode(), flags, ctypes.byref(changes), ctypes.sizeof(changes))


def _mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind, options)]
    _call("mount", *words[:3], flags, words[3])


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii", newline="\n") as file:
        file.write(text)


def _touch(path: str) -> None:
    os.close(os.open(path, os.O_CREAT, 0o644))


def _call(name: str, *args: Any) -> None:
    """Call a function of the C library. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*(ctypes.c_long(arg) if isinstance(arg, int) else arg for arg in args)):
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
