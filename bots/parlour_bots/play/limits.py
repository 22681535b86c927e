"""Limits of what another person's program may use and see."""

import importlib.util
import os
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from parlour_client.core.errors import Fault

SCRATCH = 64
"""MiB of all files that a confined program may write."""
PROCESSES = 128
"""Processes and threads that a confined program may have."""
_FILE = 16
"""MiB of the largest file that a program with limits may write."""
_HOME, _EMPTY = "/tmp", "/tmp/work"
"""The scratch space of a confined program, and an empty folder in it."""
_ENVIRONMENT = ("JAVA_HOME", "LANG", "LANGUAGE", "PATH", "TERM", "TZ")
_ENVIRONMENT_PREFIXES = ("LC_", "PYTHON")
"""The environment variables that a confined program receives. Others may be secrets."""
_PACKAGES = ("parlour_bots", "parlour_client", "parlour_games", "parlour_protocol", "parlour_server")
_MIB = 1 << 20


class NotConfined(Fault):
    """A program cannot be confined as it must be, and has not run."""


@attrs.frozen(kw_only=True)
class Limits:
    """The limits of a program. All paths are absolute."""

    memory: int
    """MiB of data in each of its processes. Only Linux can limit this."""
    cpu: int | None = None
    """Seconds of CPU time of each of its processes."""
    confined: bool = True
    """Whether it runs in namespaces of its own, or else not at all."""
    own: tuple[str, ...] = ()
    """Its files and folders."""
    readable: tuple[str, ...] = ()
    """Further files and folders that it may read if it is confined, besides those of the system and of Python."""
    hidden: tuple[str, ...] = ()
    """Files and folders that it must not see even there, apart from ``own``."""
    folder: str | None = None
    """Its working folder; None for an empty one."""

    def __str__(self) -> str:
        """Return which protections are in force."""
        if self.confined:
            text = (
                "Programs are confined: they see only their own files and those of the system, change none, write at "
                f"most {SCRATCH} MiB, which are discarded, run at most {PROCESSES} processes and threads, have no "
                "network, and end with their games."
            )
        else:
            text = "Programs are not confined: they can read and change your files, and use the network."
        each = [f"{self.memory:,} MiB of memory"] if sys.platform == "linux" else []
        if self.cpu is not None and os.name != "nt":
            each.append(f"{self.cpu:,} s of CPU time")
        return f"{text} Each process may use {' and '.join(each)}." if each else text

    def with_own(self, *paths: str) -> "Limits":
        """Return the limits of a program to which these files and folders belong, too."""
        return attrs.evolve(self, own=(*self.own, *map(os.path.abspath, paths)))

    def resources(self) -> dict[str, int]:
        """Return the limits of each process, by their names in ``resource``."""
        limits = {"RLIMIT_DATA": self.memory * _MIB, "RLIMIT_FSIZE": _FILE * _MIB, "RLIMIT_CORE": 0}
        if self.cpu is not None:
            limits["RLIMIT_CPU"] = self.cpu
        if self.confined:
            limits["RLIMIT_RTPRIO"] = 0
        return limits

    def confinement(self) -> dict[str, Any] | None:
        """Return what the launcher confines the program to, None if it does not."""
        if not self.confined:
            return None
        readable = (*self.readable, *_python())
        shown = {"own": self.own, "readable": readable, "hidden": self.hidden}
        return {**shown, "folder": self.folder or _EMPTY, "scratch": SCRATCH, "processes": PROCESSES}

    def environment(self, environment: Mapping[str, str]) -> Mapping[str, str]:
        """Return what the program receives of an environment."""
        if not self.confined:
            return environment
        allowed = {
            name: value
            for name, value in environment.items()
            if name in _ENVIRONMENT or name.startswith(_ENVIRONMENT_PREFIXES)
        }
        return {**allowed, "HOME": _HOME, "TMPDIR": _HOME}


def _python() -> Iterator[str]:
    """Yield the folders of this Python, of its packages, and of parlour, but none in which a script lies."""
    yield from (sys.prefix, sys.base_prefix, sys.executable)
    yield from filter(os.path.isabs, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    if (library := sysconfig.get_path("stdlib")) in sys.path:
        yield from sys.path[sys.path.index(library) + 1 :]
    yield from (path for path in sys.path if os.path.isfile(path) or any(Path(path).glob("*.dist-info")))
    for name in _PACKAGES:
        if spec := importlib.util.find_spec(name):
            yield from spec.submodule_search_locations or ()
