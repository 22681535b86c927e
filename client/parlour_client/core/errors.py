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
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:  # the command loads messages only for a verb that needs them
    from parlour_protocol.messages import Error

OK = 0
INTERRUPTED_BY_USER = 130


class Fault(Exception):
    """Something that ends a command. ``exit_code`` is the code that the command ends with."""

    exit_code: ClassVar[int] = 1
    has_lines: ClassVar[bool] = False
    """Whether the text may have several lines: never if a server has written a part of it."""


class Usage(Fault):
    """An argument is invalid."""

    exit_code = 2


class CannotConnect(Fault):
    """No server answers at the address."""

    exit_code = 3


class Refused(Fault):
    """The server refused. ``code`` is the code of its ``error`` or ``bye``, ``error`` the message if there is one."""

    exit_code = 4

    def __init__(self, code: str, text: str, error: "Error | None" = None) -> None:
        super().__init__(text)
        self.code = code
        self.error = error


class WrongProtocol(Fault):
    """The server speaks no version of the protocol that we speak."""

    exit_code = 5


class Interrupted(Fault):
    """The connection was lost for good before the match was over."""

    exit_code = 6


class BotFault(Fault):
    """A bot answered illegally or failed."""

    exit_code = 7
    has_lines = True


@contextmanager
def understood(what: str) -> Iterator[None]:
    """Convert errors from data of an unexpected shape, sent by the server, to WrongProtocol."""
    try:
        yield
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError) as error:
        raise WrongProtocol(f"{what} cannot be understood ({error!r})") from error


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Convert errors of the file system or the encoding, while ``path`` is read, to Usage, with the error as cause."""
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        from parlour_client.core.phrases import say  # the command loads it only for a verb or a fault

        if isinstance(error, UnicodeDecodeError):
            raise Usage(say("fault.not_text", path=path)) from error
        raise Usage(say("fault.unread", path=path, why=error.strerror or error)) from error


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Convert errors of the file system, while ``path`` is written, to Usage."""
    try:
        yield
    except OSError as error:
        from parlour_client.core.phrases import say  # the command loads it only for a verb or a fault

        if isinstance(error, FileExistsError) and error.filename == str(path):
            raise Usage(say("fault.exists", path=path)) from None
        raise Usage(say("fault.unwritten", path=path, why=in_words(error, path))) from None


def in_words(error: OSError, path: Path | None = None) -> str:
    """Return what went wrong, where unless it is at ``path``, and what to do next."""
    from parlour_client.core.phrases import say  # the command loads it only for a verb or a fault

    where = f"{error.filename}: " if error.filename not in (None, str(path)) else ""
    advice = say("fault.advice", code=errno.errorcode.get(error.errno or 0, "other"))
    return f"{where}{error.strerror or error}{f'. {advice}' if advice else ''}"
