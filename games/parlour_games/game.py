"""The contract between a room and a game.

A game is one class, found through the entry-point group ``parlour.games``. It owns a whole match:
dealer, rounds, pauses, scores. It is pure and deterministic: no I/O, no clock, no randomness of its
own. Time and long work come in as results that the room records (``settle``). The state is mutable
and belongs to the caller; every method that changes it returns the events that tell what happened.

``view`` and ``redact`` are the only ways out of a state, and they are allow-lists: what they do not
name does not leave the server. Every change of what ``view`` shows somebody comes with an event that
this viewer may see; the room sends nothing to a viewer for whom neither events nor decisions changed.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

import attrs

from parlour_games.fair import Fair

Plain: TypeAlias = dict[str, Any]
"""Plain data: str, int, bool, None, list, and maps with string keys; what both wire encodings carry."""


@attrs.frozen
class Decision:
    """What a seat must (an obligation) or may (an offer) decide now.

    ``key`` names the whole question: a question whose list of legal actions would differ has another
    key. A seat has at most one obligation and any number of offers.
    """

    seat: int
    key: str
    must: bool
    topped_up: bool = True
    """Whether opening it adds to the seat's clock: not after an act that brought nothing forward."""


@attrs.frozen
class Timer:
    """The game waits ``ms`` milliseconds of room time, then wants ``settle(state, Fired(name))``.

    Two timers of one name that follow each other at once differ in ``serial``.
    """

    name: str
    ms: int
    serial: int = 0


@attrs.frozen
class Job:
    """The game waits for a computation off the event loop, then wants ``settle(state, Done(name, result))``."""

    name: str
    args: Plain


@attrs.frozen
class Fired:
    """The timer ``name`` has run out, or the table agreed to end it early."""

    name: str


@attrs.frozen
class Done:
    """The job ``name`` has come to ``result``."""

    name: str
    result: Plain


@attrs.frozen
class Outcome:
    """The end of a match. Both tuples are indexed by seat; equal ranks are shared, 1 is best."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    why: str
    stats: Plain | None = None
    rated: bool = True
    """Whether it counts in the standings."""


class IllegalAction(Exception):
    """The action breaks a rule. ``reason`` tells its player what was wrong and what is allowed.

    It must not tell anything that the player's own view does not: "not in your hand" and "no such
    card" are one reason.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class BadOptions(ValueError):
    """The options ask for a match that cannot be played. The text says what is wrong and what is allowed."""


OptionsT = TypeVar("OptionsT")
StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")
EventT = TypeVar("EventT")


class Tagged(Protocol):
    """A class of actions. ``do`` is its tag on the wire."""

    do: ClassVar[str]


class Game(ABC, Generic[OptionsT, StateT, ActionT, EventT]):
    """One game's rules as the room sees them. Instances hold nothing: all of a match is in its state."""

    name: ClassVar[str]
    """The name on the wire, ``uno``."""
    rules_version: ClassVar[int]
    """Raised with every change of behaviour, so that records of older matches still fold as they were played."""
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    listed: ClassVar[bool] = True
    """Whether decisions come with a list of legal actions; a grid is its own list."""

    Options: ClassVar[type]
    """Frozen attrs class; every field has a default. Its validators raise BadOptions."""
    Actions: ClassVar[tuple[type[Tagged], ...]]
    """Frozen attrs classes of what a seat can do."""
    by_clock: ClassVar[tuple[type[Tagged], ...]] = ()
    """Those of them that are done only when a clock has run out: nobody can send them."""
    Events: ClassVar[tuple[type, ...]]
    """attrs classes of what can happen, each with a class variable ``e``: its tag on the wire."""

    def seats(self, options: OptionsT) -> tuple[int, int]:
        """Return the least and the greatest number of seats under ``options``."""
        return self.min_seats, self.max_seats

    def sent(self) -> list[type[Tagged]]:
        """Return the classes of what a seat can send."""
        return [cls for cls in self.Actions if cls not in self.by_clock]

    def verbs(self, options: OptionsT) -> list[str]:
        """Return what a seat can send in a match with ``options``: tags of actions."""
        return [cls.do for cls in self.sent()]

    @abstractmethod
    def start(self, options: OptionsT, seats: int, fair: Fair) -> tuple[StateT, list[EventT]]:
        """Begin a match for ``seats`` seats, first deal included. Raises BadOptions."""

    def note_time(self, state: StateT, ms: int) -> None:
        """Take note that ``ms`` milliseconds of room time have passed since the match began. Told before each step.

        For results that tell times. No rule may depend on how often it is told.
        """

    @abstractmethod
    def decisions(self, state: StateT) -> list[Decision]:
        """Return all that is to be decided now, ordered by seat."""

    @abstractmethod
    def legal(self, state: StateT, seat: int, key: str) -> Sequence[ActionT]:
        """Return every legal single action but resigning, in a fixed order. Empty if the game is not ``listed``."""

    @abstractmethod
    def apply(self, state: StateT, seat: int, key: str, action: ActionT) -> list[EventT]:
        """Carry out ``action`` as the answer to decision (seat, key). Raises IllegalAction, the state untouched."""

    @abstractmethod
    def default_action(self, state: StateT, seat: int, key: str) -> ActionT:
        """Return what is done for a seat whose clock has run out."""

    @abstractmethod
    def remove(self, state: StateT, seat: int) -> list[EventT]:
        """Take a seat out of the match for good (its player left and nobody stands in)."""

    @abstractmethod
    def pending(self, state: StateT) -> Timer | Job | None:
        """Return what the match waits for besides decisions."""

    @abstractmethod
    def settle(self, state: StateT, result: Fired | Done) -> list[EventT]:
        """Take in the result of ``pending``."""

    def compute(self, name: str, args: Plain) -> Plain:
        """Do the job that ``pending`` asked for. Pure; called off the event loop."""
        raise LookupError(f"{self.name} has no job {name}")

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """Return the result once the match is over."""

    @abstractmethod
    def view(self, state: StateT, viewer: int | None) -> Plain:
        """Return all that seat ``viewer`` (None: a spectator) may know now."""

    def announce(self, event: EventT) -> Plain | None:
        """Return the event, tagged by ``e``, if every viewer sees it alike; None: ``redact`` tells what each sees."""
        return None

    @abstractmethod
    def redact(self, event: EventT, viewer: int | None) -> Plain | None:
        """Return the event as ``viewer`` may see it, tagged by ``e``; None if it may not know of it."""

    @abstractmethod
    def canonical(self, state: StateT) -> Plain:
        """Return the whole state, secrets included, as plain data: its hash ends the record of a match."""

    @abstractmethod
    def copy(self, state: StateT) -> StateT:
        """Return an independent copy, cheap enough for search."""

    def indexed(self, state: StateT, seat: int, key: str, index: int) -> ActionT:
        """Return the action that the bare integer ``index`` stands for. Raises IllegalAction."""
        legal = self.legal(state, seat, key)
        if not 0 <= index < len(legal):
            raise IllegalAction(f"there is no action {index}: legal has {len(legal)}, numbered from 0")
        return legal[index]

    def wire(self, action: ActionT) -> Plain:
        """Return the action as plain data, tagged by ``do``. The same map for equal actions: never change it."""
        return _wire(action)


@lru_cache(maxsize=4096)
def _wire(action: Any) -> Plain:
    fields = attrs.asdict(action, recurse=False)
    told = {name: value for name, value in fields.items() if value is not None and value is not False}
    return {"do": action.do, **told}
