"""The whole state of a match, secrets included."""

from functools import cache
from typing import Any

import attrs

from parlour_games.fair import Fair, Stream
from parlour_games.game import Plain
from parlour_games.uno.cards import cards_in
from parlour_games.uno.options import Options

NOBODY = -1
"""No seat."""
NO_COLOUR = -1
"""No colour."""

AT_PLAY, AT_DRAWN, AT_CHALLENGE, AT_COLOUR, AT_BREATH, AT_PAUSE, AT_END = range(7)
"""Phases. In the first four ``turn`` is asked; in the breath and the pause a timer runs."""
PHASES = ("play", "drawn", "challenge", "colour", "breath", "pause", "over")
"""The phases as the view names them."""

Ring = tuple[int, ...]


@cache
def rings(seats: int, out: int) -> tuple[Ring, Ring]:
    """Return the next seat still in after each seat, going up and going down; ``out`` is a mask of seats."""

    def after(seat: int, step: int) -> int:
        following = ((seat + step * k) % seats for k in range(1, seats + 1))
        return next((other for other in following if not out >> other & 1), seat)

    up, down = (tuple(after(seat, step) for seat in range(seats)) for step in (1, -1))
    return up, down


@attrs.define(weakref_slot=False)
class State:
    """A match. Seats, cards and colours are small integers, sets of cards or seats are bit masks.

    ``rules`` changes it, ``view`` shows it. ``ring``, ``active``, ``house`` and ``public`` follow from the rest.
    """

    options: Options
    fair: Fair = attrs.field(eq=False)
    seats: int

    stream: Stream = attrs.field(eq=False, init=False)
    """The randomness of this round."""
    round: int = 0
    dealer: int = 0
    scores: list[int] = attrs.field(factory=list)
    hands: list[int] = attrs.field(factory=list)
    counts: list[int] = attrs.field(factory=list)
    """How many cards each hand has."""
    deck: list[int] = attrs.field(factory=list)
    """The draw pile; the last is drawn first."""
    pile: list[int] = attrs.field(factory=list)
    """The discards in the order they were laid; the last is the top."""
    colour: int = NO_COLOUR
    direction: int = 1
    reshuffles: int = 0
    """How often this round's cards were shuffled again."""
    passes: int = 0
    """How many seats in turn have passed without a card to draw."""

    phase: int = AT_PAUSE
    turn: int = NOBODY
    """The seat that is asked, in the breath: the one to be asked after it."""
    question: int = 0
    """Raised whenever what ``turn`` is asked becomes another question."""
    drawn: int = 0
    """The card that ``turn`` has just drawn and may play, as a mask."""
    resume: int = AT_PLAY
    """The phase after the breath."""

    called: int = 0
    """The seats that stand at one card and have called."""
    exposed: int = NOBODY
    """The seat that stands at one card, uncalled, while it can be caught."""
    occasion: int = 0
    """Raised with each exposure."""
    held: list[int] = attrs.field(factory=list)
    """The catchers of this breath, first come first."""

    pending: int = 0
    """The cards that stacked Draw Twos and Wild Draw Fours have come to; ``turn`` draws them unless it stacks."""
    laid_by: int = NOBODY
    """The seat that laid the top card, while others may jump in on it."""
    stood: tuple[int, ...] = ()
    """By seat the occasion on which it came to stand at one card, where false calls cost,"""
    claims: tuple[int, ...] = ()
    """and who has tried to catch it since, as masks."""

    offender: int = NOBODY
    """Who laid the last Wild Draw Four,"""
    evidence: int = 0
    """with this hand left,"""
    guilty: bool = False
    """and whether it was a bluff."""

    out: int = 0
    """The seats that play no more."""
    leavers: list[int] = attrs.field(factory=list)
    """Those of them that resigned or left, in that order."""
    fell: list[int] = attrs.field(factory=list)
    """By seat the round in which it reached the target of an elimination, else 0."""
    winners: tuple[int, ...] = ()
    why: str | None = None
    """Why the match is over."""

    active: int = attrs.field(init=False)
    """How many seats are still in."""
    ring: Ring = attrs.field(init=False)
    """The next seat in the direction of play, by seat."""
    house: bool = attrs.field(init=False)
    """Whether house rules change what may be done."""
    public: Plain | None = attrs.field(default=None, eq=False)
    """The view that everybody shares, until the next change."""

    def __attrs_post_init__(self) -> None:
        self.scores = self.scores or [0] * self.seats
        self.fell = self.fell or [0] * self.seats
        self.hands = self.hands or [0] * self.seats
        self.counts = self.counts or [0] * self.seats
        self.stood = self.claims = (0,) * self.seats
        self.house = self.options.house
        self.follow()

    def follow(self) -> None:
        """Bring ``active`` and ``ring`` up to date with ``out`` and ``direction``."""
        self.active = self.seats - self.out.bit_count()
        self.ring = rings(self.seats, self.out)[self.direction < 0]

    def ask(self, seat: int, phase: int) -> None:
        """Ask ``seat`` the question of ``phase``."""
        self.turn = seat
        self.phase = phase
        self.question += 1

    def still_in(self) -> list[int]:
        """Return the seats still in, ascending."""
        return [seat for seat in range(self.seats) if not self.out >> seat & 1]

    def copy(self) -> "State":
        """Return an independent copy. The randomness is shared: it holds no position."""
        twin = State.__new__(State)
        for name in _NAMES:
            setattr(twin, name, getattr(self, name))
        for name in _LISTS:
            setattr(twin, name, getattr(self, name).copy())
        return twin

    def canonical(self) -> Plain:
        """Return the state as plain data: all but the randomness and what follows from the rest."""
        plain: dict[str, Any] = {name: getattr(self, name) for name in _PLAIN}
        return plain | {
            **{name: getattr(self, name).copy() for name in _LISTS},
            **self._by_house_rules(),
            "options": self.options.plain(),
            "phase": PHASES[self.phase],
            "hands": [cards_in(hand) for hand in self.hands],
            "drawn": cards_in(self.drawn),
            "evidence": cards_in(self.evidence),
            "winners": list(self.winners),
        }

    def _by_house_rules(self) -> Plain:
        """Return what only house rules change, left out at rest: without them a match hashes as it did before."""
        told: Plain = {"pending": self.pending} if self.pending else {}
        if self.laid_by != NOBODY:
            told["laid_by"] = self.laid_by
        if any(self.stood):
            told |= {"stood": [*self.stood], "claims": [*self.claims]}
        return told


_NAMES = tuple(field.name for field in attrs.fields(State))
_LISTS = ("scores", "hands", "counts", "deck", "pile", "held", "leavers", "fell")
_DERIVED = ("fair", "stream", "public", "ring", "active", "house")
_HOUSE = ("pending", "laid_by", "stood", "claims")
_PLAIN = tuple(name for name in _NAMES if name not in {*_LISTS, *_DERIVED, *_HOUSE, "options"})
