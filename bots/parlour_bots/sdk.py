"""The types of a bot: ``Turn``, the question; ``Bot``, the interface that answers it; ``Entrant``, a factory of bots.

A bot is a function of a turn, or a class with a method ``play(self, turn)``, of which each match gets its
own instance. It answers with an action out of ``turn.legal`` or the index of one, or with a pair
(answer, why): the reason is recorded with the move and shown to nobody while the match lasts.
"""

import marshal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from random import Random  # noqa: TID251  the chances a bot takes are its own; the deal is not made of them
from typing import Protocol, TypeAlias, runtime_checkable

import attrs

from parlour_protocol.messages import Plain

Action: TypeAlias = Plain
"""What a seat does, as plain data: ``{"do": "play", "card": 7}``."""
Answer: TypeAlias = Action | int
"""An action, or the index of one in ``turn.legal``."""
Choice: TypeAlias = Answer | tuple[Answer, str]
"""What a bot returns: an answer, or an answer and the reason for it (at most 1,024 characters are kept)."""


@attrs.frozen
class Turn:
    """A decision that waits for the bot. All of it is the bot's own copy: change what you like."""

    game: str
    room: str
    seat: int
    rid: int
    """The number of this decision at this seat."""
    view: Plain
    """All that the seat knows of the match now; what is in it is the game's affair."""
    legal: list[Action]
    """Every legal action (but resigning), in the game's order. Empty for a game that lists none."""
    left: int | None
    """Milliseconds to answer in, None without a clock."""
    events: list[Plain]
    """What has happened since the turn before, oldest first."""
    rng: Random
    """Chance. Whoever draws on no other plays the same match again under the same seed."""
    budget: int | None = attrs.field(default=attrs.Factory(lambda turn: turn.left, takes_self=True))
    """Milliseconds after which the answer counts as late: what is left, or less if a contest gives less. None: any."""
    options: Plain = attrs.field(factory=dict)
    """The options of the match, all of them."""

    def copy(self) -> "Turn":
        """Return the same turn with plain data of its own."""
        view, legal, events, options = marshal.loads(marshal.dumps((self.view, self.legal, self.events, self.options)))
        return attrs.evolve(self, view=view, legal=legal, events=events, options=options)

    def plain(self) -> Plain:
        """Return the turn as plain data, to be printed or stored."""
        return attrs.asdict(self, recurse=False, filter=attrs.filters.exclude("rng"))


@runtime_checkable
class Bot(Protocol):
    """One player in one match.

    A bot may also have a method ``may(self, turn)``. It is asked, while nobody waits for it, about what the
    seat may do but need not, such as catching a seat that forgot to call UNO: ``turn.legal`` lists that, and
    the answer is one of it, its index, or None to leave it. What is left is asked about again.
    """

    def play(self, turn: Turn) -> Choice:
        """Return what to do."""


@attrs.frozen
class Function:
    """The bot made of a function."""

    play: Callable[[Turn], Choice]


Playing: TypeAlias = Callable[[Turn], Choice] | Bot | type[Bot]
"""What an author writes: a function, a class, or an object to be used in every match."""


@attrs.frozen
class Entrant:
    """A bot ready to be seated: ``make`` returns one for a match."""

    name: str
    make: Callable[[], Bot]
    game: str = "uno"
    call_uno: bool = True
    """Whether a play that leaves one card calls UNO although the bot did not say so."""
    apart: bool = False
    """Whether it plays in processes of its own, and is itself cut off at the end of its budget."""


def entrant(playing: Playing, name: str, game: str = "uno", call_uno: bool = True) -> Entrant:
    """Return the entrant that ``playing`` makes. Raises TypeError if it is no bot."""
    if isinstance(playing, type):
        if not callable(getattr(playing, "play", None)):
            raise TypeError(f"class {playing.__name__} is no bot: it has no method play(self, turn)")
        return Entrant(name, playing, game, call_uno)
    if isinstance(playing, Bot):
        return Entrant(name, lambda: playing, game, call_uno)
    if callable(playing):
        return Entrant(name, lambda: Function(playing), game, call_uno)
    raise TypeError(f"{name} is no bot: write a function play(turn) or a class with that method")


def seeded(*parts: object) -> Random:
    """Return the chances that belong to these parts of a seed."""
    return Random("/".join(map(str, parts)))


_declared: ContextVar[list[Entrant] | None] = ContextVar("declared", default=None)


@contextmanager
def declaring() -> Iterator[list[Entrant]]:
    """Collect the bots that a file gives to ``run`` while it is loaded, instead of playing."""
    found: list[Entrant] = []
    token = _declared.set(found)
    try:
        yield found
    finally:
        _declared.reset(token)


def declare(bot: Entrant) -> bool:
    """Add ``bot`` to what ``declaring`` collects. Return False outside of it."""
    if (declared := _declared.get()) is None:
        return False
    declared.append(bot)
    return True
