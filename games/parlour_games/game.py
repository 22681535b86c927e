"""The contract between a room and a game.

A game is one class, registered in the entry-point group ``parlour.games``. It runs a whole match: deals, rounds,
pauses and scores. It is pure and deterministic: it does no I/O, reads no clock, and takes all randomness from ``Fair``.
The room measures time and runs long computations; the game asks for them in ``pending`` and gets their results in
``settle``. A state is mutable and belongs to its caller. Each method that changes it returns events that describe the
change. Equal calls in equal order give equal states, on every machine: that is how matches are stored and verified.

A match goes like this: the room calls ``start``, then repeats: it asks ``decisions`` which seats have to decide
something, passes each answer to ``apply``, and the result of what the game waits for to ``settle``. When ``outcome``
returns a result, the match is over.

Only ``view``, ``announce`` and ``redact`` let information out of a state. They are allow-lists: what they do not name
stays on the server. Every change of a viewer's ``view`` comes with an event that this viewer may see, because the room
sends nothing to a viewer for whom neither events nor decisions have changed.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeAlias, TypeVar

import attrs
from msgspec import Struct

from parlour_games.fair import Fair, Stream
from parlour_games.layout import Shown
from parlour_games.statistics import BestTime

Plain: TypeAlias = dict[str, Any]
"""Plain data, which both wire encodings carry: str, int, bool, None, lists, and maps with string keys. No floats."""


class Decision(Struct, frozen=True):
    """A question to a seat: required (``must``), or optional, such as the chance to react to another player.

    ``key`` tells the open questions of a seat apart. In a game that lists its actions, a question stays open as long as
    its list stays the same, even under another key, and is renewed when its list changes. In a grid it is renewed when
    its key changes. A seat has at most one required decision and any number of optional ones. Only required decisions
    run the seat's clock.
    """

    seat: int
    key: str
    must: bool
    topped_up: bool = True
    """Whether opening it adds time to the seat's clock. False after an action that made no progress.

    A room limits how much of its log such actions fill: an action that can be repeated without end makes no progress.
    """


class Timer(Struct, frozen=True):
    """A wait of ``ms`` milliseconds of room time, after which the room calls ``settle(state, Fired(name))``.

    Give consecutive timers of the same name different values of ``serial``.
    """

    name: str
    ms: int
    serial: int = 0


class Job(Struct, frozen=True):
    """A call of ``compute(name, args)`` off the event loop, then of ``settle(state, Done(name, result))``."""

    name: str
    args: Plain


class Fired(Struct, frozen=True):
    """The result of a timer: it ran out, or all players agreed to end it early."""

    name: str


class Done(Struct, frozen=True):
    """The result of a job."""

    name: str
    result: Plain


class Outcome(Struct, frozen=True):
    """The end of a match. ``ranks`` and ``scores`` are indexed by seat. Rank 1 is best; ranks may be shared."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    why: str
    stats: Plain | None = None
    rated: bool = True
    """Whether the match counts in standings and ratings."""


class IllegalAction(Exception):
    """The action breaks a rule. ``reason`` tells the player what is wrong and what is allowed.

    The reason must reveal nothing that the player's own view does not show: "not in your hand" and "no such card" have
    to be the same text. The same holds for ``fields``.

    ``phrase`` names the words that clients show instead, in the language of the player: ``GAME.refusal.PHRASE`` of the
    game's phrases, filled in with ``fields``, which are plain data. Clients without these words show the reason.
    """

    def __init__(self, reason: str, phrase: str | None = None, **fields: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.phrase = phrase
        self.fields = fields


Best: TypeAlias = Literal["time", "most", "fewest"]


class BadOptions(ValueError):
    """The options do not describe a playable match. ``reason`` says what is wrong and what is allowed.

    ``phrase`` and ``fields`` are those of `IllegalAction`; the phrases ``one_of`` and ``whole`` are there for every
    game.
    """

    def __init__(self, reason: str, phrase: str | None = None, **fields: Any) -> None:
        super().__init__(reason)
        self.phrase = phrase
        self.fields = fields

    @classmethod
    def of(cls, error: Exception) -> "BadOptions":
        """Return an error that was raised while options were read: the one that caused it, if that is all."""
        cause = error if isinstance(error, cls) else error.__cause__
        return cause if isinstance(cause, cls) else cls(str(error))


class DailyMatch(Struct, frozen=True):
    """A match that everyone on a server may play once a day with the same deal.

    Its player has the first seat, house bots that play in the styles ``bots`` have the others. ``best`` says what comes
    first in the table of the day: the shortest time of a board that was cleared (``Game.best_time``), or the most or
    the fewest points (``Game.daily_points``).
    """

    options: Plain
    bots: tuple[str, ...] = ()
    best: Best = "time"


OptionsT = TypeVar("OptionsT")
StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")
EventT = TypeVar("EventT")


class Tagged(Protocol):
    """A class of actions. ``do`` is its tag on the wire."""

    do: ClassVar[str]


class Game(ABC, Generic[OptionsT, StateT, ActionT, EventT]):
    """The rules of one game. An instance has no state of its own: a match is entirely in its ``StateT``.

    Seats are numbered from 0 and keep their numbers for the whole match.
    """

    name: ClassVar[str]
    """The name on the wire, such as ``uno``, and of the entry point."""
    rules_version: ClassVar[int]
    """Increase it with every change of behaviour: a stored match is replayed only by the version that played it.

    Keep the rules of the former version for one minor release, and return them from ``under``. A room with matches of a
    version that is not known is not loaded.
    """
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    listed: ClassVar[bool] = True
    """Whether turns carry the list of legal actions. False for grids, where ``indexed`` numbers the cells."""

    phrases: ClassVar[str] = ""
    """The folder of the game's words for people, written like a package: a file ``LANGUAGE.json`` for each language.
    "" for none."""

    dailies: ClassVar[Mapping[str, DailyMatch]] = MappingProxyType({})
    """The matches of the day by name. A name is unique on a server: that of the game, or one that begins with it."""
    layout: ClassVar[Mapping[str, Shown]] = MappingProxyType({})
    """How clients show fields of the view. A field that is not named here is shown by its shape."""
    page: ClassVar[str] = ""
    """The package with the game's module for the web page, ``widget.js``, and the files it loads; "" for none."""

    Options: ClassVar[type]
    """Frozen attrs class. Every field has a default and a validator that raises BadOptions: see ``options.option``."""
    Actions: ClassVar[tuple[type[Tagged], ...]]
    """Frozen attrs classes of the actions, each with a class variable ``do``: its tag on the wire."""
    by_clock: ClassVar[tuple[type[Tagged], ...]] = ()
    """The classes in ``Actions`` that only a time-out can cause. Clients cannot send them."""
    Events: ClassVar[tuple[type, ...]]
    """attrs classes of the events, each with a class variable ``e``: its tag on the wire."""

    def seats(self, options: OptionsT) -> tuple[int, int]:
        """Return the minimum and the maximum number of seats under ``options``."""
        return self.min_seats, self.max_seats

    def under(self, version: int) -> "Game[OptionsT, StateT, ActionT, EventT] | None":
        """Return the rules as they were in ``version``; None if they are not known."""
        return self if version == self.rules_version else None

    def sent(self) -> list[type[Tagged]]:
        """Return the classes of actions that clients can send."""
        return [cls for cls in self.Actions if cls not in self.by_clock]

    def verbs(self, options: OptionsT) -> list[str]:
        """Return the tags of the actions that clients can send in a match with ``options``."""
        return [cls.do for cls in self.sent()]

    def reviewable(self, options: OptionsT) -> bool:
        """Return whether each decision of a match with ``options`` can be judged by what its seat could see."""
        return True

    def with_fixed_deal(self, options: OptionsT, deal: Stream) -> OptionsT:
        """Return ``options`` under which deal 1, when it is ``deal``, does not depend on what the players do."""
        return options

    @abstractmethod
    def start(self, options: OptionsT, seats: int, fair: Fair) -> tuple[StateT, list[EventT]]:
        """Start a match, including its first deal. Raises BadOptions if ``seats`` do not fit the options."""

    def note_time(self, state: StateT, ms: int) -> None:
        """Store that ``ms`` milliseconds of room time have passed since the start. Called before each step.

        Use the time in results only. No rule may depend on how often this is called.
        """

    def elapsed(self, state: StateT, ms: int) -> int | None:
        """Return the time that players try to keep short, ``ms`` milliseconds after the start.

        None: there is no such time, or it does not run yet.
        """
        return None

    @abstractmethod
    def decisions(self, state: StateT) -> list[Decision]:
        """Return all open decisions, ordered by seat."""

    @abstractmethod
    def legal(self, state: StateT, seat: int, key: str) -> Sequence[ActionT]:
        """Return all single legal actions except resigning, in a fixed order. Empty if not ``listed``."""

    @abstractmethod
    def apply(self, state: StateT, seat: int, key: str, action: ActionT) -> list[EventT]:
        """Carry out ``action`` as the answer to the decision of ``seat`` with ``key``.

        Raises IllegalAction and leaves the state unchanged if the decision is not open or the action breaks a rule.
        """

    @abstractmethod
    def default_action(self, state: StateT, seat: int, key: str) -> ActionT:
        """Return the action for a seat whose time is up. It must be legal."""

    @abstractmethod
    def remove(self, state: StateT, seat: int) -> list[EventT]:
        """Remove a seat from the match: its player left and no stand-in plays."""

    @abstractmethod
    def pending(self, state: StateT) -> Timer | Job | None:
        """Return the timer or the job that the match waits for, besides decisions."""

    @abstractmethod
    def settle(self, state: StateT, result: Fired | Done) -> list[EventT]:
        """Continue with the result of ``pending``. Raises ValueError if the match does not wait for it."""

    def compute(self, name: str, args: Plain) -> Plain:
        """Run the job ``name``. Pure: it runs in another process. Raises LookupError for an unknown name."""
        raise LookupError(f"{self.name} has no job {name}")

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """Return the result, or None while the match is running."""

    @abstractmethod
    def view(self, state: StateT, viewer: int | None) -> Plain:
        """Return everything that seat ``viewer`` may know now; None means a spectator."""

    def announce(self, event: EventT) -> Plain | None:
        """Return the event as all viewers but ``insiders`` see it, tagged by ``e``; None: ``redact`` has to decide."""
        return None

    def insiders(self, event: EventT) -> Sequence[int]:
        """Return the seats that may see something else of an event than ``announce`` shows: what ``redact`` returns."""
        return ()

    @abstractmethod
    def redact(self, event: EventT, viewer: int | None) -> Plain | None:
        """Return the event as ``viewer`` may see it, tagged by ``e``; None if the event is secret from this viewer."""

    @abstractmethod
    def canonical(self, state: StateT) -> Plain:
        """Return the whole state, secrets included, as plain data. Its hash ends the record of a match."""

    @abstractmethod
    def copy(self, state: StateT) -> StateT:
        """Return an independent copy, cheap enough for search."""

    def resample(self, state: StateT, viewer: int | None, stream: Stream) -> StateT | None:
        """Return a copy in which what ``viewer`` may not know is drawn again; None if the game cannot do that.

        To the viewer the two states must look the same: ``parlour game check`` looks for leaks with it, and a bot that
        searches may guess with it. What the next event shows without a trace in the view has to stay as it is. Future
        draws must differ, too: a state that keeps ``fair`` gets a different one, ``Fair(stream.key, "resample", [])``.
        A game without secrets and without future draws returns a copy.
        """
        return None

    def best_time(self, state: StateT) -> BestTime | None:
        """Return the board of a match that was won alone, and its time, for lists of best times; None: none counts."""
        return None

    def daily_points(self, state: StateT, seat: int) -> int | None:
        """Return the points of ``seat`` for the table of the day, once the match is over; None: they do not count."""
        outcome = self.outcome(state)
        return None if outcome is None else outcome.scores[seat]

    def indexed(self, state: StateT, seat: int, key: str, index: int) -> ActionT:
        """Return the action that an integer in ``act`` stands for. Raises IllegalAction if it is out of range."""
        legal = self.legal(state, seat, key)
        if not 0 <= index < len(legal):
            raise IllegalAction(f"there is no action {index}: legal has {len(legal)}, numbered from 0")
        return legal[index]

    def wire(self, action: ActionT) -> Plain:
        """Return the action as plain data, tagged by ``do``. Equal actions share one map: do not change it."""
        return action_map(action)

    def wires(self, legal: Sequence[ActionT]) -> list[Plain]:
        """Return each of the actions that ``legal`` has returned as plain data."""
        return [self.wire(action) for action in legal]


@lru_cache(maxsize=4096)
def action_map(action: Any) -> Plain:
    """Return an action as plain data: its tag, and the fields that are given."""
    fields = attrs.asdict(action, recurse=False)
    given = {name: value for name, value in fields.items() if value is not None and value is not False}
    return {"do": action.do, **{name: [*value] if isinstance(value, tuple) else value for name, value in given.items()}}
