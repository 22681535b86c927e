"""The parameter of commands that take the name of any game."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias

from cyclopts import Parameter, Token


def _name(_: Any, tokens: Sequence[Token]) -> str:
    """Return any name: the choices are those of the games that come with parlour, and others may be installed."""
    return tokens[0].value


GameName: TypeAlias = Annotated[
    Literal["uno", "minesweeper"],
    Parameter(help="The game: one of these, or another one that is installed.", converter=_name),
]
