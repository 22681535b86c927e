"""The environments of the matrix: the Pythons of this machine, Debian releases, and unusual surroundings."""

import os
import platform
import subprocess
from collections.abc import Iterator
from pathlib import Path

import attrs

OLDEST = (3, 11)
SUITES = ("bookworm", "trixie", "sid")
"""Debian releases."""
FAST_TESTS = (
    "tests/protocol",
    "tests/client/core",
    "tests/client/play",
    "tests/client/text",
    "tests/server/lobby",
    "tests/server/transport",
)
"""Tests that depend on Python and the system, and need neither the sources nor other programs."""
LEARNERS = {"learners": "tests/bots/rl/test_rllib.py", "torch-learners": "tests/bots/rl/test_torch_learners.py"}
"""Dependency groups of libraries for learning agents → their tests. Each names an environment, which has them."""
LOWEST_TESTS = ("tests/protocol", "tests/client/core", "tests/client/tui/games")
"""Tests that use the dependencies more than others do."""
_PATTERNS = ("python3", "python3.??", "python3.?")
_ASK = "import platform, sys; print(platform.python_version(), sys._base_executable, sep='\\n')"


@attrs.frozen
class Environment:
    """A system with a Python on which the wheel is tried."""

    system: str
    python: str
    """The interpreter: a path, or a name that the release in the chroot has in its ``PATH``."""
    suite: str | None = None
    """The Debian release, in a chroot of its own; None is this machine."""
    lowest: bool = False
    """Whether the dependencies have the lowest versions that pyproject.toml allows."""
    learners: bool = False
    """Whether the dependency group of the same name is installed, where it fits."""
    dual_stack: bool = False
    """Whether ``localhost`` is made both ::1 and 127.0.0.1."""
    ipv6: bool = True
    """Without IPv6 the checks have no network but the loopback interface."""
    ordinary: bool = False
    """Whether the checks run as an ordinary user, not as root."""
    bare: bool = False
    """Whether the checks have a read-only home, ``LANG=C``, no ``TERM`` and nothing else in ``PATH``."""
    tests: tuple[str, ...] = ()
    """The tests to run after the smoke."""

    @property
    def isolated(self) -> bool:
        """Whether it needs namespaces of its own, which only root can make."""
        return self.suite is not None or self.dual_stack or not self.ipv6 or self.ordinary or self.bare


def environments() -> Iterator[Environment]:
    """Yield all environments, those that take long first."""
    pythons = _pythons()
    default = pythons[platform.python_version()]
    for suite in SUITES:
        yield Environment(suite, "python3", suite=suite, dual_stack=True, tests=FAST_TESTS)
    yield Environment("sid", "python3.15", suite="sid", dual_stack=True, tests=FAST_TESTS)
    yield Environment("lowest dependencies", default, lowest=True, tests=LOWEST_TESTS)
    for group, tests in LEARNERS.items():
        yield Environment(group, default, learners=True, tests=(tests,))
    yield Environment("localhost is ::1, too", default, dual_stack=True)
    yield Environment("no IPv6", default, dual_stack=True, ipv6=False)
    yield Environment("bare user", next(filter(for_all, pythons.values()), default), ordinary=True, bare=True)
    for version, python in pythons.items():
        tested = version.split(".")[:2] == list(platform.python_version_tuple()[:2])  # by make test
        yield Environment("this machine", python, tests=() if tested else FAST_TESTS)


def whole_systems() -> Iterator[Environment]:
    """Yield the Debian releases as they are installed, for root and for a user, and the Pythons of this machine."""
    for suite in SUITES:
        yield Environment(f"{suite}, as root", "python3", suite=suite, dual_stack=True)
        yield Environment(f"{suite}, as a user", "python3", suite=suite, dual_stack=True, ordinary=True)
    for python in _pythons().values():
        yield Environment("this machine", python, dual_stack=True)


def for_all(python: str) -> bool:
    """Return whether all users may run ``python``."""
    return all(folder.stat().st_mode & 0o005 == 0o005 for folder in Path(python).resolve().parents)


def _pythons() -> dict[str, str]:
    """Return the Pythons of this machine that are new enough, by version: of ``PATH``, of pyenv and of uv."""
    home = Path.home()
    folders = [Path(folder) for folder in os.get_exec_path()]
    folders += (Path(os.environ.get("PYENV_ROOT", home / ".pyenv")) / "versions").glob("*/bin")
    folders += (home / ".local/share/uv/python").glob("*/bin")
    found: dict[str, str] = {}
    for path in (path for folder in folders for pattern in _PATTERNS for path in sorted(folder.glob(pattern))):
        done = subprocess.run((path, "-c", _ASK), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode == 0:  # pyenv's shims of versions that are not chosen fail
            version, executable = done.stdout.splitlines()
            if tuple(map(int, version.split(".")[:2])) >= OLDEST:
                found.setdefault(version, executable)
    return found
