"""The parameters of commands that can confine bots."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

from cyclopts import Parameter

from parlour_bots.play.child import check_confinement
from parlour_bots.play.limits import Limits
from parlour_bots.tools.memory import MEMORY
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
