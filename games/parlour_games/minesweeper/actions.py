"""What a seat can do. Cells are (x, y): x the column, y the row, both from 0 at the top left."""

from typing import ClassVar, Literal, TypeAlias

import attrs

MAX_MOVES = 64
"""How many moves one ``seq`` holds."""

At: TypeAlias = tuple[int, int]
Verb: TypeAlias = Literal["open", "flag", "unflag", "chord"]
Move: TypeAlias = tuple[Verb, int, int]
Step: TypeAlias = tuple[str, int, int]


@attrs.frozen
class Open:
    """Open cells, in order until one is a mine. In a duel: look for mines there, in order until one is none."""

    do: ClassVar[str] = "open"
    cells: tuple[At, ...]


@attrs.frozen
class Flag:
    """Mark cells as mines: they do not open while they are marked."""

    do: ClassVar[str] = "flag"
    cells: tuple[At, ...]


@attrs.frozen
class Unflag:
    """Take marks away."""

    do: ClassVar[str] = "unflag"
    cells: tuple[At, ...]


@attrs.frozen
class Chord:
    """Open all neighbours of open numbers that are not marked, where as many are marked as the number says."""

    do: ClassVar[str] = "chord"
    cells: tuple[At, ...]


@attrs.frozen
class Seq:
    """Several moves (verb, x, y) as one act, in order until a mine is set off."""

    do: ClassVar[str] = "seq"
    moves: tuple[Move, ...]


@attrs.frozen
class Bomb:
    """A duel: open the 5×5 around a cell and count the mines in it. Once, and only while behind."""

    do: ClassVar[str] = "bomb"
    at: At


@attrs.frozen
class Pass:
    """What is done for a seat whose clock has run out: it loses, is out, is frozen, or passes, as the mode says."""

    do: ClassVar[str] = "pass"


@attrs.frozen
class Resign:
    """Give up for good."""

    do: ClassVar[str] = "resign"


Cells: TypeAlias = Open | Flag | Unflag | Chord
Action: TypeAlias = Cells | Seq | Bomb | Pass | Resign
ACTIONS: tuple[type[Action], ...] = (Open, Flag, Unflag, Chord, Seq, Bomb, Pass, Resign)


def steps(action: Cells | Seq) -> list[Step]:
    """Return the single moves of ``action``, in order."""
    if isinstance(action, Seq):
        return list(action.moves)
    return [(action.do, x, y) for x, y in action.cells]
