"""How a command of ours can fail, and the exit codes that say so.

::

    Fault              1  a check failed
    ├── Usage          2  what was asked for cannot be understood
    ├── CannotConnect  3  nothing answers at that address
    ├── Refused        4  the server said no
    ├── WrongProtocol  5  what answers there does not speak our protocol
    ├── Interrupted    6  the match was cut off before its end
    └── BotFault       7  a bot broke the rules of the contest

0 is success, 130 is Ctrl-C. The text of a fault says what is wrong, where, and what to try next.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

OK = 0
INTERRUPTED_BY_USER = 130


class Fault(Exception):
    """Something that ends a command. ``exit_code`` is the code that the command ends with."""

    exit_code: ClassVar[int] = 1


class Usage(Fault):
    """An argument cannot be understood."""

    exit_code = 2


class CannotConnect(Fault):
    """No server answers at the address."""

    exit_code = 3


class Refused(Fault):
    """The server answered no. ``code`` is the code of its error message or farewell."""

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
    """Take in something that the server has said. Raises WrongProtocol if it is not what it should be."""
    try:
        yield
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError) as error:
        raise WrongProtocol(f"{what} cannot be understood ({error!r})") from error
