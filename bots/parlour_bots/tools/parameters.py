"""Parameters that several commands share: the name of a game, and how bots are confined."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from cyclopts import Parameter, Token

from parlour_bots.play.child import check_confinement
from parlour_bots.play.limits import Limits
from parlour_bots.tools.guards import MEMORY
from parlour_client.core.errors import Usage

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


def _name(_: Any, tokens: Sequence[Token]) -> str:
    """Return any name: the choices are those of the games that come with parlour, and others may be installed."""
    return tokens[0].value


GameName: TypeAlias = Annotated[
    Literal["uno", "minesweeper"],
    Parameter(help="The game: one of these, or another one that is installed.", converter=_name),
]
