"""Infer hidden cards from the events of a round, and deal worlds that agree with the inference.

Each card in another hand is a *slot*: a mask of the cards that it cannot be. A seat that draws had no card that fits,
one that passes drew none, one that plays a wild probably had nothing else. Cards on the pile are in no hand, nor, after
a reshuffle, are those that were on it. The slot that a played card came from is unknown, and inferences can be wrong.
Several guesses are therefore kept, each with its own random choices.
"""

from collections.abc import Sequence
from random import Random  # noqa: TID251  a type; the caller passes turn.rng

import attrs

from parlour_bots.uno.playout import ATTACKS, NOBODY, PlayoutPosition
from parlour_games.uno.cards import BIT, CARDS, COLOUR, COLOURS, FOURS, MATCH, SYMBOL, WILD, WILD_FOUR, WILDS, mask_of
from parlour_protocol.messages import Plain

GUESSES = 12
FREE = 0.02
"""The share of worlds dealt without any inference."""
ALL = (1 << CARDS) - 1
DREW, LAID_WILD, LAID_FOUR, LAID_NUMBER = 0.98, 0.9, 0.85, 0.6
"""The probability that a guess draws the inference from an act."""
DISTRUST = 0.8
"""The factor on the trust in a seat after a play that contradicts the inferences."""

Slots = list[int]


@attrs.define
class Belief:
    """The inferences of the seat ``me`` in this round. It must follow every event in order."""

    me: int
    rng: Random
    pile: list[int] = attrs.field(factory=list)
    colour: int = 0
    before: int = 0
    """The current colour before the last play."""
    layer: int = NOBODY
    """The seat that played the top card."""
    answers: dict[int, list[int]] = attrs.field(factory=dict)
    """By seat, how often it accepted and how often it challenged a Wild Draw Four."""
    guesses: dict[int, list[Slots]] = attrs.field(factory=dict)
    """By seat, the slots in each guess, in the order in which they were drawn."""
    trust: dict[int, float] = attrs.field(factory=dict)
    """By seat, the trust in inferences from its acts."""
    _drawing: int = NOBODY
    """The seat that has drawn by choice and not yet played or passed."""
    _hand: int = 0
    """The hand of ``me``, as a mask."""

    def follow(self, events: Sequence[Plain], hand: Sequence[int]) -> None:
        """Process events; ``hand`` is the current hand of ``me``."""
        self._hand = mask_of(hand)
        for event in events:
            step = getattr(self, f"_on_{event['e']}", None)
            if step is not None:
                step(event)

    def slots(self, guess: int, seat: int, count: int) -> Slots:
        """Return ``count`` slots of ``seat`` in a guess, the least constrained last."""
        known = self.guesses[seat][guess] if seat in self.guesses else []
        slots = known[max(0, len(known) - count) :]
        return slots + [0] * (count - len(slots))

    def unseen(self) -> int:
        """Return the cards that ``me`` cannot see."""
        return ALL & ~(self._hand | mask_of(self.pile))

    def _on_deal(self, event: Plain) -> None:
        self.pile = [event["top"]]
        self.colour = self.before = COLOURS.index(event["colour"]) if event["colour"] else 0
        self.guesses = {}
        self._drawing = self.layer = NOBODY

    def _on_colour(self, event: Plain) -> None:
        self.colour = COLOURS.index(event["colour"])

    def _on_draw(self, event: Plain) -> None:
        seat, own_choice = event["seat"], event["why"] == "turn"
        if own_choice:
            self._conclude(seat, self._match(), DREW)
        self._drawing = seat if own_choice else NOBODY
        for slots in self._of(seat):
            slots += [0] * event["n"]

    def _on_pass(self, event: Plain) -> None:
        if self._drawing == event["seat"]:
            for slots in self._of(event["seat"]):
                if slots:
                    slots[-1] |= self._match()
        self._drawing = NOBODY

    def _on_play(self, event: Plain) -> None:
        for card in event.get("cards") or [event["card"]]:
            self._lay(event["seat"], card)
        self.before = self.colour
        own = COLOUR[event["card"]]
        self.colour = COLOURS.index(event["colour"]) if own is None else own
        self.layer = event["seat"]
        self._drawing = NOBODY

    def _on_reshuffle(self, _: Plain) -> None:
        gone = mask_of(self.pile[:-1])
        del self.pile[:-1]
        for guess in self.guesses.values():
            for slots in guess:
                slots[:] = [no | gone for no in slots]

    def _on_accept(self, event: Plain) -> None:
        self.answers.setdefault(event["seat"], [0, 0])[0] += 1

    def _on_challenge(self, event: Plain) -> None:
        self.answers.setdefault(event["seat"], [0, 0])[1] += 1
        if event.get("hand") is not None and event["of"] != self.me:
            self.guesses[event["of"]] = [[ALL & ~BIT[card] for card in event["hand"]] for _ in range(GUESSES)]

    def _on_swap(self, _: Plain) -> None:
        self.guesses = {}

    _on_rotate = _on_swap

    def _match(self) -> int:
        return MATCH[self.colour][SYMBOL[self.pile[-1]]] if self.pile else 0

    def _of(self, seat: int) -> list[Slots]:
        if seat == self.me:
            return []
        return self.guesses.setdefault(seat, [[0] * 7 for _ in range(GUESSES)])

    def _conclude(self, seat: int, excluded: int, certainty: float) -> None:
        """Exclude cards from the hand of ``seat``, in each guess with the probability ``certainty``."""
        certainty *= self.trust.get(seat, 1.0)
        for slots in self._of(seat):
            if certainty >= 1 or self.rng.random() < certainty:
                slots[:] = [no | excluded for no in slots]

    def _lay(self, seat: int, card: int) -> None:
        if seat != self.me and self.pile:
            self._leave(seat, card)
            if self._drawing != seat:
                self._conclude_from(seat, SYMBOL[card])
        self.pile.append(card)

    def _conclude_from(self, seat: int, symbol: int) -> None:
        if symbol == WILD:
            self._conclude(seat, self._match() & ~WILDS, LAID_WILD)
        elif symbol == WILD_FOUR:
            self._conclude(seat, self._match() & ~FOURS, LAID_FOUR)
        elif symbol < 10:
            self._conclude(seat, self._match() & ATTACKS, LAID_NUMBER)

    def _leave(self, seat: int, card: int) -> None:
        """Remove a slot for a played ``card`` in each guess: a random one that can have been this card."""
        bit, unseen, wrong = BIT[card], self.unseen() | BIT[card], 0
        for slots in self._of(seat):
            if not slots:
                continue
            if self._drawing == seat:
                slots.pop()
                continue
            able = [at for at, no in enumerate(slots) if not no & bit]
            wrong += not able
            weights = [1 / (unseen & ~slots[at]).bit_count() for at in able]
            del slots[self.rng.choices(able, weights)[0] if able else self.rng.randrange(len(slots))]
        if wrong > GUESSES / 2:
            self.trust[seat] = self.trust.get(seat, 1.0) * DISTRUST


class Worlds:
    """Deals worlds: random hidden cards that agree with ``view`` and mostly with ``belief``."""

    def __init__(self, belief: Belief, view: Plain, rng: Random) -> None:
        self._belief, self._view, self._rng = belief, view, rng
        self.seats = [seat for seat in range(len(view["counts"])) if seat not in view["out"]]
        self._pile, self._unseen = _table(belief, view)
        self._slots = [self._ordered(guess) for guess in range(GUESSES)]
        self._none = [(seat, 0) for seat, _ in self._slots[0]]
        self._turns = 0

    def deal(self) -> PlayoutPosition:
        """Deal a world."""
        rng, view = self._rng, self._view
        hands = dict.fromkeys(self.seats, 0)
        hands[self._belief.me] = mask_of(view["hand"])
        pool = self._shuffled()
        free = rng.random() < FREE
        for seat, no in self._none if free else self._slots[int(rng.random() * GUESSES)]:
            hands[seat] |= BIT[_pick(pool, no)]
        del pool[: len(pool) - view["deck"]]
        return self._position([hands[seat] for seat in self.seats], pool)

    def _ordered(self, guess: int) -> list[tuple[int, int]]:
        """Return the slots of all other hands as (seat, excluded cards), the most constrained first."""
        me, counts = self._belief.me, self._view["counts"]
        unseen = mask_of(self._unseen)
        slots = [
            (seat, no) for seat in self.seats if seat != me for no in self._belief.slots(guess, seat, counts[seat])
        ]
        return sorted(slots, key=lambda slot: (unseen & ~slot[1]).bit_count())

    def _shuffled(self) -> list[int]:
        """Return the unseen cards in a new order: cut at random, and shuffled every eighth time, which is cheaper."""
        if self._turns % 8 == 0:
            self._rng.shuffle(self._unseen)
        self._turns += 1
        cut = int(self._rng.random() * len(self._unseen))
        return self._unseen[cut:] + self._unseen[:cut]

    def _position(self, hands: list[int], deck: list[int]) -> PlayoutPosition:
        view, belief = self._view, self._belief
        me = self.seats.index(belief.me)
        colour = belief.colour if view["colour"] is None else COLOURS.index(view["colour"])
        position = PlayoutPosition(hands, deck, self._pile.copy(), colour, me, view["direction"])
        if view["phase"] == "challenge":
            position.offender = self.seats.index(belief.layer) if belief.layer in self.seats else me - 1
            position.before = belief.before
        if view.get("drawn") is not None:
            position.drawn = BIT[view["drawn"]]
        position.pending = view.get("pending", 0)
        return position


def _table(belief: Belief, view: Plain) -> tuple[list[int], list[int]]:
    """Return the pile and the unseen cards. After missed events the pile is only its top card."""
    size = CARDS - view["deck"] - sum(view["counts"])
    pile = belief.pile if len(belief.pile) == size and belief.pile[-1] == view["top"] else [view["top"]]
    known = mask_of(pile) | mask_of(view["hand"])
    return list(pile), [card for card in range(CARDS) if not known & BIT[card]]


def _pick(pool: list[int], no: int) -> int:
    """Remove a card from ``pool`` that is not in ``no``; any card if there is none."""
    if not no:
        return pool.pop()
    for at in range(len(pool) - 1, -1, -1):
        if not no >> pool[at] & 1:
            return pool.pop(at)
    return pool.pop()
