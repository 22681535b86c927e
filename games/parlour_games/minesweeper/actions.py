"""Actions. Cells are (x, y): x is the column, y the row, both from 0 at the top left."""

from typing import ClassVar, Literal, TypeAlias

import attrs

MAX_MOVES = 64
"""The maximum number of moves in a ``seq``."""

At: TypeAlias = tuple[int, int]
Verb: TypeAlias = Literal["open", "flag", "unflag", "chord"]
Move: TypeAlias = tuple[Verb, int, int]
Step: TypeAlias = tuple[str, int, int]


@attrs.frozen
class Open:
    """Open cells in order until one is a mine. In a duel, search them for mines in order until one is not a mine."""

    do: ClassVar[str] = "open"
    cells: tuple[At, ...]


@attrs.frozen
class Flag:
    """Mark cells as mines. Marked cells do not open."""

    do: ClassVar[str] = "flag"
    cells: tuple[At, ...]


@attrs.frozen
class Unflag:
    """Remove marks."""

    do: ClassVar[str] = "unflag"
    cells: tuple[At, ...]


@attrs.frozen
class Chord:
    """For each open number with as many marked neighbours as it says, open the unmarked ones."""

    do: ClassVar[str] = "chord"
    cells: tuple[At, ...]


@attrs.frozen
class Seq:
    """Do several moves (verb, x, y) as one action, in order until a mine is set off."""

    do: ClassVar[str] = "seq"
    moves: tuple[Move, ...]


@attrs.frozen
class Bomb:
    """Duel: open the 5×5 around a cell and score its mines. Allowed once, and only while behind."""

    do: ClassVar[str] = "bomb"
    at: At


@attrs.frozen
class Pass:
    """The default action when time is up. By mode, the seat loses, is out, is frozen, or passes the turn."""

    do: ClassVar[str] = "pass"


@attrs.frozen
class Resign:
    """Give up."""

    do: ClassVar[str] = "resign"


Cells: TypeAlias = Open | Flag | Unflag | Chord
Action: TypeAlias = Cells | Seq | Bomb | Pass | Resign
ACTIONS: tuple[type[Action], ...] = (Open, Flag, Unflag, Chord, Seq, Bomb, Pass, Resign)


def steps(action: Cells | Seq) -> list[Step]:
    """Return the single moves of ``action``, in order."""
    if isinstance(action, Seq):
        return list(action.moves)
    return [(action.do, x, y) for x, y in action.cells]
