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
"""Phases. In the first four ``turn`` has a required decision; in the reaction window and the pause a timer runs."""
PHASES = ("play", "drawn", "challenge", "colour", "breath", "pause", "over")
"""The names of the phases in the view."""

Ring = tuple[int, ...]


@cache
def rings(seats: int, out: int) -> tuple[Ring, Ring]:
    """Return the next seat still in after each seat, ascending and descending. ``out`` is a mask of seats."""

    def after(seat: int, step: int) -> int:
        following = ((seat + step * k) % seats for k in range(1, seats + 1))
        return next((other for other in following if not out >> other & 1), seat)

    up, down = (tuple(after(seat, step) for seat in range(seats)) for step in (1, -1))
    return up, down


@attrs.define(weakref_slot=False)
class State:
    """A match. Seats, cards and colours are small integers; sets of cards or seats are bit masks.

    ``rules`` changes it, ``view`` shows it. ``ring``, ``active``, ``house``, ``before``, ``public`` and ``asked`` are
    derived.
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
    """Number of cards in each hand."""
    deck: list[int] = attrs.field(factory=list)
    """The draw pile; the last is drawn first."""
    pile: list[int] = attrs.field(factory=list)
    """The discards in order of play; the last is the top."""
    colour: int = NO_COLOUR
    direction: int = 1
    reshuffles: int = 0
    """Number of reshuffles in this round."""
    passes: int = 0
    """Number of consecutive passes with no card to draw."""

    phase: int = AT_PAUSE
    turn: int = NOBODY
    """The seat with the required decision; in the reaction window, the seat that has it afterwards."""
    question: int = 0
    """Increases whenever the required decision changes."""
    drawn: int = 0
    """The card that ``turn`` has just drawn and may play, as a mask."""
    resume: int = AT_PLAY
    """The phase after the reaction window."""

    called: int = 0
    """The seats that have one card and have called, as a mask."""
    exposed: int = NOBODY
    """The seat that has one card and has not called, while it can be caught."""
    occasion: int = 0
    """Increases whenever reactions open."""
    held: list[int] = attrs.field(factory=list)
    """The seats with recorded catches in this reaction window, in order."""

    pending: int = 0
    """The sum of stacked Draw Twos and Wild Draw Fours; ``turn`` draws it unless it stacks."""
    laid_by: int = NOBODY
    """The seat that played the top card, while others may jump in."""
    stood: tuple[int, ...] = ()
    """Under ``false_call_penalty``, by seat, the occasion on which it came down to one card."""
    claims: tuple[int, ...] = ()
    """Under ``false_call_penalty``, by seat, a mask of the seats that have tried to catch it since."""

    offender: int = NOBODY
    """The seat that played the last Wild Draw Four."""
    evidence: int = 0
    """The hand of ``offender`` after that play."""
    guilty: bool = False
    """Whether that play was a bluff."""
    before: int = NO_COLOUR
    """The colour before that play."""

    out: int = 0
    """The seats that are out of the match, as a mask."""
    leavers: list[int] = attrs.field(factory=list)
    """The seats that resigned or left, in order."""
    fell: list[int] = attrs.field(factory=list)
    """By seat, the round in which it was eliminated, else 0."""
    winners: tuple[int, ...] = ()
    why: str | None = None
    """Why the match is over, as in ``Outcome``."""

    active: int = attrs.field(init=False)
    """Number of seats still in."""
    ring: Ring = attrs.field(init=False)
    """By seat, the next seat in the direction of play."""
    house: bool = attrs.field(init=False)
    """Whether house rules change which actions are possible."""
    public: Plain | None = attrs.field(default=None, eq=False)
    """A cache of the public view, until the next change."""
    asked: tuple[str, list[int]] | None = attrs.field(default=None, eq=False)
    """A cache of the required decision, its key and the codes that answer it, until the next change."""

    def __attrs_post_init__(self) -> None:
        self.scores = self.scores or [0] * self.seats
        self.fell = self.fell or [0] * self.seats
        self.hands = self.hands or [0] * self.seats
        self.counts = self.counts or [0] * self.seats
        self.stood = self.claims = (0,) * self.seats
        self.house = self.options.house
        self.follow()

    def follow(self) -> None:
        """Update ``active`` and ``ring`` after a change of ``out`` or ``direction``."""
        self.active = self.seats - self.out.bit_count()
        self.ring = rings(self.seats, self.out)[self.direction < 0]

    def ask(self, seat: int, phase: int) -> None:
        """Open the required decision of ``phase`` for ``seat``."""
        self.turn = seat
        self.phase = phase
        self.question += 1

    def still_in(self) -> list[int]:
        """Return the seats still in, ascending."""
        return [seat for seat in range(self.seats) if not self.out >> seat & 1]

    def copy(self) -> "State":
        """Return an independent copy. It shares the randomness, which is immutable."""
        twin = State.__new__(State)
        for name in _NAMES:
            setattr(twin, name, getattr(self, name))
        for name in _LISTS:
            setattr(twin, name, getattr(self, name).copy())
        return twin

    def resampled(self, viewer: int | None, stream: Stream) -> "State":
        """Return a copy in which the hands of others and the draw pile are dealt again, and what follows differs.

        The hand behind a Wild Draw Four stays, since a challenge may show it, and so does a card that was just drawn.
        """
        twin = self.copy()
        offender = self.offender if self.evidence else NOBODY
        fixed = [self.hands[seat] if seat in (viewer, offender) else 0 for seat in range(self.seats)]
        if self.phase == AT_DRAWN:
            fixed[self.turn] |= self.drawn
        hidden = [*self.deck, *cards_in(sum(hand & ~kept for hand, kept in zip(self.hands, fixed, strict=True)))]
        stream.label("resample").shuffle(hidden)
        for seat, kept in enumerate(fixed):
            missing = self.counts[seat] - kept.bit_count()
            twin.hands[seat] = kept | sum(1 << hidden.pop() for _ in range(missing))
        twin.deck, twin.asked = hidden, None
        twin.fair = Fair(stream.key, "resample", [])
        twin.stream = twin.fair.deal(self.round)
        return twin

    def canonical(self) -> Plain:
        """Return the state as plain data, without randomness and derived fields."""
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
        """Return the fields that only house rules change, if they are set, so that older matches keep their hashes."""
        used: Plain = {"pending": self.pending} if self.pending else {}
        if self.laid_by != NOBODY:
            used["laid_by"] = self.laid_by
        if any(self.stood):
            used |= {"stood": [*self.stood], "claims": [*self.claims]}
        return used


_NAMES = tuple(field.name for field in attrs.fields(State))
_LISTS = ("scores", "hands", "counts", "deck", "pile", "held", "leavers", "fell")
_DERIVED = ("fair", "stream", "public", "asked", "ring", "active", "house", "before")
_HOUSE = ("pending", "laid_by", "stood", "claims")
_PLAIN = tuple(name for name in _NAMES if name not in {*_LISTS, *_DERIVED, *_HOUSE, "options"})
