"""Events. ``at`` holds cells as (x, y). Where a ``private`` event of a race happened, only its seat may know."""

from typing import ClassVar

from msgspec import Struct

from parlour_games.minesweeper.actions import At


class Event(Struct, frozen=True):
    """The base of all events. ``e`` is the tag of its class."""

    e: ClassVar[str]


class Making(Event, frozen=True):
    """The server is looking for a board that needs no guess."""

    e: ClassVar[str] = "making"


class Placed(Event, frozen=True):
    """The mines are placed. ``at`` is the cell that the server opened for every seat in a race, else None."""

    e: ClassVar[str] = "board"
    at: At | None
    n: int
    """Number of cells that this opened."""


class Opened(Event, frozen=True):
    """``seat`` opened the cells ``at`` directly, and ``n`` cells in all."""

    e: ClassVar[str] = "open"
    seat: int
    at: tuple[At, ...]
    n: int
    private: bool


class Flagged(Event, frozen=True):
    """``seat`` marked the cells ``at``, or removed the marks if not ``on``."""

    e: ClassVar[str] = "flag"
    seat: int
    at: tuple[At, ...]
    on: bool
    private: bool


class Exploded(Event, frozen=True):
    """``seat`` set off the mine ``at``."""

    e: ClassVar[str] = "mine"
    seat: int
    at: At
    private: bool


class Out(Event, frozen=True):
    """``seat`` is out. ``why`` is mine, clock, resigned or left."""

    e: ClassVar[str] = "out"
    seat: int
    why: str


class Cleared(Event, frozen=True):
    """``seat`` cleared its board in ``ms`` milliseconds, penalties included."""

    e: ClassVar[str] = "done"
    seat: int
    ms: int


class Found(Event, frozen=True):
    """Duel: ``seat`` found the mines ``at``."""

    e: ClassVar[str] = "found"
    seat: int
    at: tuple[At, ...]


class NoMine(Event, frozen=True):
    """Duel: there was no mine ``at``, and ``n`` cells opened."""

    e: ClassVar[str] = "miss"
    seat: int
    at: At
    n: int


class Bombed(Event, frozen=True):
    """Duel: ``seat`` bombed the 5×5 around ``at``; ``n`` safe cells opened, and it scored ``found`` mines."""

    e: ClassVar[str] = "bomb"
    seat: int
    at: At
    n: int
    found: int


class Passed(Event, frozen=True):
    """Duel: ``seat`` passed its turn."""

    e: ClassVar[str] = "pass"
    seat: int


class Ended(Event, frozen=True):
    """The match is decided, and its openings are being reviewed. ``why`` is that of the result."""

    e: ClassVar[str] = "end"
    why: str


class ReviewDone(Event, frozen=True):
    """The review is done."""

    e: ClassVar[str] = "review"


EVENTS = tuple(Event.__subclasses__())
