"""Notice or refuse that a bot starts processes: they would run on the machine of the person who runs it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import attrs

from parlour_bots.errors import Place, author_calling
from parlour_client.core.errors import BotFault

_EVENTS = frozenset({"os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.system", "subprocess.Popen"})


class ProcessRefused(BotFault):
    """The bot was about to start a process."""


@attrs.define
class ProcessStarts:
    """The lines of authors that have started processes. ``refused``: none may be started."""

    refused: bool = False
    lines: list[Place] = attrs.field(factory=list)

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


@cache
def _install() -> None:
    """Install the hook, which stays for the life of this process."""
    sys.addaudithook(_hook)


def _hook(event: str, _: Any) -> None:
    if event in _EVENTS and _watching and (line := author_calling(sys._getframe(1))):
        for starts in _watching:
            starts.lines.append(line)
        if any(starts.refused for starts in _watching):
            raise ProcessRefused("a bot may not start processes")
