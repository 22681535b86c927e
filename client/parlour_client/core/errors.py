"""Faults that end a command, and their exit codes.

::

    Fault              1  a check failed
    ├── Usage          2  an argument is invalid
    ├── CannotConnect  3  no server answers at the address
    ├── Refused        4  the server refused
    ├── WrongProtocol  5  the server speaks another protocol
    ├── Interrupted    6  the match was interrupted
    └── BotFault       7  a bot failed or broke the rules

0 is success, 130 is Ctrl-C. The text of a fault names the problem, its place, and what to try next.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

OK = 0
INTERRUPTED_BY_USER = 130
_ADVICE = {
    errno.ENOENT: "Create the folder first, or name another",
    errno.EEXIST: "Name another",
    errno.ENOTDIR: "A file is where a folder should be: name another folder",
    errno.EISDIR: "Name a file, not a folder",
    errno.EACCES: "Name another place, or make this one writable",
    errno.EPERM: "Name another place, or make this one writable",
    errno.EROFS: "Name another place, or make this one writable",
    errno.ENOSPC: "Free some space, or name a place on another disk",
    errno.EDQUOT: "Free some space, or name a place on another disk",
}
"""What to do about an error of the file system."""


class Fault(Exception):
    """Something that ends a command. ``exit_code`` is the code that the command ends with."""

    exit_code: ClassVar[int] = 1


class Usage(Fault):
    """An argument is invalid."""

    exit_code = 2


class CannotConnect(Fault):
    """No server answers at the address."""

    exit_code = 3


class Refused(Fault):
    """The server refused. ``code`` is the code of its ``error`` or ``bye``."""

    exit_code = 4

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class WrongProtocol(Fault):
    """The server speaks no version of the protocol that we speak."""

    exit_code = 5


class Interrupted(Fault):
    """The connection was lost for good before the match was over."""

    exit_code = 6


class BotFault(Fault):
    """A bot answered illegally or failed."""

    exit_code = 7


@contextmanager
def understood(what: str) -> Iterator[None]:
    """Convert errors from data of an unexpected shape, sent by the server, to WrongProtocol."""
    try:
        yield
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError) as error:
        raise WrongProtocol(f"{what} cannot be understood ({error!r})") from error


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Convert errors of the file system, while ``path`` is written, to Usage."""
    try:
        yield
    except OSError as error:
        if isinstance(error, FileExistsError) and error.filename == str(path):
            raise Usage(f"{path} already exists; name another file") from None
        raise Usage(f"{path} cannot be written: {in_words(error, path)}") from None


def in_words(error: OSError, path: Path | None = None) -> str:
    """Return what went wrong, where unless it is at ``path``, and what to do next."""
    where = f"{error.filename}: " if error.filename not in (None, str(path)) else ""
    advice = _ADVICE.get(error.errno or 0, "")
    return f"{where}{error.strerror or error}{f'. {advice}' if advice else ''}"
