"""Guards around bots: parameters of commands that confine them, and limits for a bot that runs in this process.

In this process its memory is limited, and processes that it starts are noticed or refused.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, TypeAlias

import attrs
from cyclopts import Parameter

from parlour_bots.errors import SourceLine, author_calling
from parlour_bots.play.child import check_confinement
from parlour_bots.play.limits import Limits
from parlour_client.core.errors import BotFault, Usage

if os.name != "nt":
    import resource

MEMORY = 1_024
"""MiB that a bot may use unless another limit is given."""
MIB = 1 << 20
_STATM = Path("/proc/self/statm")
_DATA = 5
"""The column of ``_STATM`` with the pages of data."""


@contextmanager
def limited_memory(mib: int) -> Iterator[None]:
    """Let this process use ``mib`` MiB more than now; allocating more raises MemoryError. Only Linux can do this."""
    if os.name == "nt" or not _STATM.exists():
        yield
        return
    used = int(_STATM.read_text(encoding="ascii").split()[_DATA]) * os.sysconf("SC_PAGE_SIZE")
    soft, hard = before = resource.getrlimit(resource.RLIMIT_DATA)
    known = [each for each in before if each != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min([used + mib * MIB, *known]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


_REPLACES = "os.exec"
_EVENTS = frozenset({"os.fork", "os.forkpty", _REPLACES, "os.posix_spawn", "os.system", "subprocess.Popen"})


class ProcessRefused(BotFault):
    """The bot was about to start a process."""


@attrs.define
class ProcessStarts:
    """The lines of authors that have started processes. ``refused``: none may be started."""

    refused: bool = False
    lines: list[SourceLine] = attrs.field(factory=list)
    process: int = attrs.field(factory=os.getpid)
    """This process, which no program may replace."""

    @property
    def first(self) -> str | None:
        """The first of these lines, None if there is none."""
        return f"{self.lines[0].where}: {self.lines[0].text}" if self.lines else None


_watching: list[ProcessStarts] = []


@contextmanager
def noticed(*, refused: bool = False) -> Iterator[ProcessStarts]:
    """Notice the processes that authors' code starts in this context; if ``refused``, raise ProcessRefused there."""
    _install()
    _watching.append(starts := ProcessStarts(refused))
    try:
        yield starts
    finally:
        _watching.remove(starts)


@contextmanager
def exits_raised() -> Iterator[None]:
    """Raise SystemExit in this context where a bot calls ``os._exit``, after which nothing would be reported."""
    process, ends = os.getpid(), os._exit

    def refuse(status: int) -> NoReturn:
        if os.getpid() != process:  # a child that the bot has forked
            ends(status)
        raise SystemExit(status)

    modules = (os, sys.modules[os.name])
    for module in modules:
        setattr(module, "_exit", refuse)  # noqa: B010
    try:
        yield
    finally:
        for module in modules:
            setattr(module, "_exit", ends)  # noqa: B010


@cache
def _install() -> None:
    """Install the hook, which stays for the life of this process."""
    sys.addaudithook(_hook)


def _hook(event: str, _: Any) -> None:
    if _watching and event in _EVENTS and (line := author_calling(sys._getframe(1))):
        for starts in _watching:
            starts.lines.append(line)
        if any(starts.refused for starts in _watching):
            raise ProcessRefused("a bot may not start processes")
        if event == _REPLACES and any(starts.process == os.getpid() for starts in _watching):
            raise SystemExit("a bot may not replace the process")


Confined: TypeAlias = Annotated[
    bool,
    Parameter(
        negative="",
        help="Confine bots that are programs or Python files: they see no files but their own and those of the system, "
        "change none, and have no network.",
    ),
]
Readable: TypeAlias = Annotated[
    list[Path] | None, Parameter(negative="", help="A file or folder that confined bots may read. Repeatable.")
]


def confinement(readable: Sequence[Path] | None, memory: int = MEMORY) -> Limits:
    """Return the limits of confined bots, which work in the current folder. Raises Usage."""
    if missing := next((path for path in readable or () if not path.exists()), None):
        raise Usage(f"--readable {missing} does not exist")
    return Limits(memory=memory, readable=tuple(os.path.abspath(path) for path in readable or ()), folder=os.getcwd())


def announce(limits: Limits) -> None:
    """Print which protections are in force. Raises NotConfined if the system cannot confine programs."""
    if limits.confined:
        check_confinement()
    sys.stderr.write(f"{limits}\n")


class _AnyName:
    """Lets pydantic, which Cyclopts asks once something has imported it, take names beside the choices."""

    def __get_pydantic_core_schema__(self, *_: Any) -> dict[str, str]:
        return {"type": "str"}


GameName: TypeAlias = Annotated[
    Literal["uno", "minesweeper"],
    Parameter(
        help="The game: one of these, or another one that is installed.", converter=lambda _, tokens: tokens[0].value
    ),
    _AnyName(),
]
"""Any name: the choices are those of the games that come with parlour."""
GameOptions: TypeAlias = Annotated[
    list[str] | None, Parameter(negative="", help="An option of the game, NAME=VALUE. Repeatable.")
]
