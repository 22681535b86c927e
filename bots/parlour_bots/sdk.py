"""The types of a bot: ``Turn``, the question; ``Bot``, which answers it; ``BotSpec``, which makes a bot per match.

A bot is a function that takes a turn, or a class with a method ``play(self, turn)``, which is instantiated for each
match. It returns an action from ``turn.legal``, the index of one, or a pair (answer, why). The reason is recorded with
the move and stays hidden until the match is over.
"""

import marshal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from random import Random  # noqa: TID251  for the bots' own choices; never for the deal
from types import SimpleNamespace
from typing import Any, Generic, Protocol, Self, TypeAlias, runtime_checkable

import attrs
from typing_extensions import TypeVar

from parlour_protocol.messages import Plain

Action: TypeAlias = Plain
"""A move as plain data: ``{"do": "play", "card": 7}``."""
Answer: TypeAlias = Mapping[str, Any] | int
"""An action, or the index of one in ``turn.legal``."""
Choice: TypeAlias = Answer | tuple[Answer, str]
"""The return value of a bot: an answer, or an answer and its reason (cut to 1,024 characters)."""


ViewT = TypeVar("ViewT", default=Plain)
ActionT = TypeVar("ActionT", default=Plain)
EventT = TypeVar("EventT", default=Plain)


@attrs.frozen
class Turn(Generic[ViewT, ActionT, EventT]):
    """A decision that the bot has to make. The bot owns the whole object and may change it.

    ``Turn`` alone has plain data; ``parlour_bots.typed`` has the types of the games.
    """

    game: str
    room: str
    seat: int
    rid: int
    """The request id: the number of this decision at this seat."""
    view: ViewT
    """The view of the seat now; its content depends on the game."""
    legal: list[ActionT]
    """Every legal action except resigning, in the game's order. Empty for a game that does not list them."""
    left: int | None
    """Milliseconds left on the clock; None without a clock."""
    events: list[EventT]
    """The events since the previous turn, oldest first."""
    rng: Random
    """Randomness. A bot that uses no other source plays the same match again under the same seed."""
    budget: int | None = attrs.field(default=attrs.Factory(lambda turn: turn.left, takes_self=True))
    """Milliseconds after which the answer counts as late: ``left``, or a contest's limit. None without a limit."""
    options: Plain = attrs.field(factory=dict)
    """All options of the match."""

    def copy(self) -> Self:
        """Return a deep copy; ``rng`` is shared."""
        plain: Any = (self.view, self.legal, self.events, self.options)
        view, legal, events, options = marshal.loads(marshal.dumps(plain))
        return attrs.evolve(self, view=view, legal=legal, events=events, options=options)

    def plain(self) -> Plain:
        """Return the turn as plain data, without ``rng``, for printing or storing."""
        return attrs.asdict(self, recurse=False, filter=attrs.filters.exclude("rng"))


AnyTurn: TypeAlias = Turn[Any, Any, Any]
"""A turn of any game, with any types."""


@runtime_checkable
class Bot(Protocol):
    """One player in one match.

    A bot may also have a method ``may(self, turn)`` for optional decisions, such as catching a seat that forgot to
    call UNO. ``turn.legal`` lists them; the answer is one of them, its index, or None to decline. A declined
    decision may be asked about again.
    """

    def play(self, turn: AnyTurn) -> Choice:
        """Return the answer to a turn."""


@attrs.frozen
class Function:
    """A bot made from a function."""

    play: Callable[[AnyTurn], Choice]


def wrapped(bot: Bot, wrap: Callable[[Callable[[AnyTurn], Any]], Callable[[AnyTurn], Any]]) -> Bot:
    """Return ``bot`` with ``wrap`` around its methods."""
    methods = {name: wrap(getattr(bot, name)) for name in ("play", "may") if hasattr(bot, name)}
    return SimpleNamespace(usage=getattr(bot, "usage", {}), **methods)


BotSource: TypeAlias = Callable[[AnyTurn], Choice] | Bot | type[Bot]
"""A bot as its author writes it: a function, a class, or an object that plays every match."""


@attrs.frozen
class BotSpec:
    """A bot that can be seated: ``make`` returns an instance for one match."""

    name: str
    make: Callable[[], Bot]
    game: str = "uno"
    call_uno: bool = True
    """Whether UNO is called for a play that leaves one card, even if the bot does not call it."""
    external: bool = False
    """Whether the bot runs in a process of its own, which is stopped when its budget ends."""
    style: str | None = None
    """How the bot plays, shown at its seat and in standings."""
    assumed: bool = False
    """Whether ``game`` was assumed, because the bot declares none."""


def bot_spec(source: BotSource, name: str, game: str = "uno", call_uno: bool = True) -> BotSpec:
    """Return the spec of a bot. Raises TypeError if ``source`` is not a bot.

    What the bot declares comes before ``game`` and ``call_uno``: its attributes, or GAME and CALL_UNO of its module.
    """
    game, call_uno = str(_declared_by(source, "game", game)), bool(_declared_by(source, "call_uno", call_uno))
    if isinstance(source, type):
        if not callable(getattr(source, "play", None)):
            raise TypeError(f"class {source.__name__} is not a bot: it has no method play(self, turn)")
        return BotSpec(name, source, game, call_uno)
    if isinstance(source, Bot):
        return BotSpec(name, partial(_itself, source), game, call_uno)
    if callable(source):
        return BotSpec(name, partial(Function, source), game, call_uno)
    raise TypeError(f"{name} is not a bot: write a function play(turn) or a class with that method")


def _itself(bot: Bot) -> Bot:  # a lambda could not be pickled
    return bot


def _declared_by(source: object, name: str, default: object) -> object:
    """Return what a bot declares as an attribute, or its module as a constant."""
    module = sys.modules.get(getattr(source, "__module__", None) or "")
    found = getattr(source, name, getattr(module, name.upper(), default))
    return found if isinstance(found, type(default)) else default


def seeded(*parts: object) -> Random:
    """Return a random generator seeded with these parts."""
    return Random("/".join(map(str, parts)))


_declared: ContextVar[list[BotSpec] | None] = ContextVar("declared", default=None)


@contextmanager
def declaring() -> Iterator[list[BotSpec]]:
    """Collect the bots that a file gives to ``run`` while it is loaded, instead of playing."""
    found: list[BotSpec] = []
    token = _declared.set(found)
    try:
        yield found
    finally:
        _declared.reset(token)


def declare(bot: BotSpec) -> bool:
    """Add ``bot`` to what ``declaring`` collects. Return False outside of it."""
    if (declared := _declared.get()) is None:
        return False
    declared.append(bot)
    return True
