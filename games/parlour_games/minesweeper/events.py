"""What can happen. ``at`` are cells, (x, y). What is ``private`` happened in a race: where, only the seat may know."""

from typing import ClassVar, TypeAlias

import attrs

from parlour_games.minesweeper.actions import At


@attrs.frozen
class Making:
    """A board that needs no guess is being looked for."""

    e: ClassVar[str] = "making"


@attrs.frozen
class Placed:
    """The mines are in their places. ``at`` is the cell that the server opened for all in a race, else None."""

    e: ClassVar[str] = "board"
    at: At | None
    n: int
    """How many cells that opened."""


@attrs.frozen
class Opened:
    """``seat`` has opened the cells ``at``, by which ``n`` came open."""

    e: ClassVar[str] = "open"
    seat: int
    at: tuple[At, ...]
    n: int
    private: bool


@attrs.frozen
class Flagged:
    """``seat`` has marked the cells ``at`` (``on``), or taken the marks away."""

    e: ClassVar[str] = "flag"
    seat: int
    at: tuple[At, ...]
    on: bool
    private: bool


@attrs.frozen
class Exploded:
    """``seat`` has set off the mine ``at``."""

    e: ClassVar[str] = "mine"
    seat: int
    at: At
    private: bool


@attrs.frozen
class Out:
    """``seat`` plays no more. ``why``: mine, clock, resigned, left."""

    e: ClassVar[str] = "out"
    seat: int
    why: str


@attrs.frozen
class Cleared:
    """``seat`` has cleared its board in ``ms``, penalties included."""

    e: ClassVar[str] = "done"
    seat: int
    ms: int


@attrs.frozen
class Found:
    """A duel: ``seat`` has found the mines ``at``."""

    e: ClassVar[str] = "found"
    seat: int
    at: tuple[At, ...]


@attrs.frozen
class Missed:
    """A duel: there was no mine ``at``; ``n`` cells came open."""

    e: ClassVar[str] = "miss"
    seat: int
    at: At
    n: int


@attrs.frozen
class Bombed:
    """A duel: ``seat`` has bombed the 5×5 around ``at``: ``n`` safe cells came open, ``found`` mines are its own."""

    e: ClassVar[str] = "bomb"
    seat: int
    at: At
    n: int
    found: int


@attrs.frozen
class Passed:
    """A duel: ``seat`` has let its turn pass."""

    e: ClassVar[str] = "pass"
    seat: int


@attrs.frozen
class Ended:
    """The game is decided; the openings are being judged. ``why`` as in the result."""

    e: ClassVar[str] = "end"
    why: str


@attrs.frozen
class Reviewed:
    """The openings have been judged."""

    e: ClassVar[str] = "review"


Event: TypeAlias = (
    Making | Placed | Opened | Flagged | Exploded | Out | Cleared | Found | Missed | Bombed | Passed | Ended | Reviewed
)
EVENTS: tuple[type, ...] = (
    Making,
    Placed,
    Opened,
    Flagged,
    Exploded,
    Out,
    Cleared,
    Found,
    Missed,
    Bombed,
    Passed,
    Ended,
    Reviewed,
)
