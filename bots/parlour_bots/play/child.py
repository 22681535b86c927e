"""Start programs with pipes and limits, and end them with all their processes."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from parlour_bots.errors import Broken
from parlour_bots.play.limits import Limits, NotConfined
from parlour_protocol.installation import module_command

EXITS_WITHIN = 0.2
"""Seconds for a program to exit after its input has ended."""
_KILLED_WITHIN = 10.0
"""Seconds in which the launcher kills all processes, even on a busy machine."""
_SWITCHES = {
    "kernel.apparmor_restrict_unprivileged_userns": ("1", "0"),
    "kernel.unprivileged_userns_clone": ("0", "1"),
    "user.max_user_namespaces": ("0", "15000"),
}
"""Settings of Linux: the value that forbids user namespaces, and one that allows them."""
_LAUNCHER = Path(__file__).with_name("launcher.py")
"""Run by its path, without what else parlour imports, since one starts with each program."""


class Child(Protocol):
    """A running program."""

    process: "subprocess.Popen[bytes]"
    """The process with the unbuffered pipes of the program."""

    def end(self, *, at_once: bool) -> int | None:
        """Give the program EXITS_WITHIN seconds to exit, or none ``at_once``, and kill all its processes.

        Return its exit code, which is negative for a signal; None if it had to be killed.
        """


def start(command: Sequence[str], limits: Limits | None = None) -> Child:
    """Start a program. Raises Broken, and NotConfined if it cannot be confined as ``limits`` say."""
    if limits and limits.confined and sys.platform != "linux":
        raise NotConfined("Programs cannot be confined on this system, only on Linux.")
    try:
        return _Direct(command, limits) if sys.platform == "win32" else _Launched(command, limits)
    except OSError as error:
        raise (_not_confined(error) if limits and limits.confined else _broken(error)) from None


def check_confinement() -> None:
    """Raise NotConfined if this system cannot confine programs. Its text says why and what to do."""
    try:
        child = start(["sh", "-c", "(:); exit 0"], Limits(memory=1_024))  # it forks: the kernel must count only there
    except Broken as error:
        raise _not_confined(error) from None
    child.process.communicate()
    if child.end(at_once=False):
        raise _not_confined("the number of processes cannot be limited")


def _broken(why: object) -> Broken:
    return Broken(f"cannot be started: {why}")


def _not_confined(why: object) -> NotConfined:
    for name, (forbidden, allowed) in _SWITCHES.items():
        file = Path("/proc/sys", name.replace(".", "/"))
        if file.exists() and file.read_text(encoding="ascii").strip() == forbidden:
            advice = f"To allow it, run: sudo sysctl {name}={allowed}."
            break
    else:
        advice = "It needs Linux 5.14, and user namespaces, which many containers forbid."
    return NotConfined(f"The program cannot be confined ({why}) and was not run. {advice}")


class _Launched:
    """A program behind ``launcher``, which ends it even if this process is killed."""

    def __init__(self, command: Sequence[str], limits: Limits | None) -> None:
        confined = limits.confinement() if limits else None
        order = {
            "command": list(command), "patience": EXITS_WITHIN,
            "limits": limits.resources() if limits else {}, "confined": confined,
        }  # fmt: skip
        with ExitStack() as resources:
            (orders, lifeline), (status, report) = os.pipe(), os.pipe()
            self._lifeline = resources.enter_context(os.fdopen(lifeline, "wb", buffering=0))
            self._status = resources.enter_context(os.fdopen(status, "rb"))
            launcher = [sys.executable, "-I", "-S", str(_LAUNCHER), str(orders), str(report)]
            if getattr(sys, "frozen", False) or not _LAUNCHER.exists():
                launcher = module_command("parlour_bots.play.launcher", str(orders), str(report))
            try:
                self.process = _popen(launcher, limits, resources, pass_fds=(orders, report), start_new_session=True)
            finally:
                os.close(orders)
                os.close(report)
            left = memoryview(json.dumps(order).encode() + b"\n")
            with suppress(BrokenPipeError):
                while left:
                    left = left[self._lifeline.write(left) :]
            self._check_start(self._status.readline(), "confinement" if confined else "program")
            self._resources = resources.pop_all()

    def end(self, *, at_once: bool) -> int | None:
        """See ``Child``."""
        with self._resources:
            with suppress(BrokenPipeError), self._lifeline:
                self._lifeline.write(b"!" if at_once else b"")
            events = select.poll()
            events.register(self._status, select.POLLIN)
            if not events.poll((EXITS_WITHIN + _KILLED_WITHIN) * 1_000):
                os.killpg(self.process.pid, signal.SIGKILL)
            said = self._status.read()
            self.process.wait()
            return json.loads(said)["exited"] if said else None

    def _check_start(self, said: bytes, first_step: str) -> None:
        """Raise Broken or NotConfined if the program has not started."""
        result = json.loads(said) if said else {"failed": first_step, "why": "the launcher was killed"}
        if "failed" in result:
            with self.process:  # which closes its pipes
                self.process.wait()
            raise (_broken if result["failed"] == "program" else _not_confined)(result["why"])


class _Direct:
    """A program on Windows."""

    def __init__(self, command: Sequence[str], limits: Limits | None) -> None:
        options: dict[str, int] = {}
        if sys.platform == "win32":
            options["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP  # Ctrl-C skips it
        with ExitStack() as resources:
            self.process = _popen(command, limits, resources, **options)
            self._resources = resources.pop_all()

    def end(self, *, at_once: bool) -> int | None:
        """See ``Child``."""
        with self._resources:
            code = None
            with suppress(subprocess.TimeoutExpired):
                code = self.process.wait(0 if at_once else EXITS_WITHIN)
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(self.process.pid)], capture_output=True, check=False)
            self.process.wait()
            return code


def _popen(
    command: Sequence[str], limits: Limits | None, resources: ExitStack, **options: Any
) -> "subprocess.Popen[bytes]":
    """Start a process, in an empty folder if it has limits of its own. The folder is one of the ``resources``."""
    environment: Mapping[str, str] = {
        name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")
    }
    folder = None
    if limits:
        environment = limits.environment(environment)
        folder = limits.folder or (None if limits.confined else resources.enter_context(TemporaryDirectory()))
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, cwd=folder, **options
    )
