"""Players with different styles, which share their code and differ in a set of weights.

Each scores every play by the card, the rest of the hand, and the next seat's number of cards, and takes the highest
score. They accept every Wild Draw Four and never bluff. The weights of ``shaper`` and ``counter`` were optimised
against ``painfirst``; the others are variations that match their names.
"""

from collections.abc import Callable, Sequence

import attrs

from parlour_bots.sdk import Action, Turn
from parlour_games.uno.cards import (
    BIT,
    CARDS,
    COLOUR,
    COLOUR_MASK,
    COLOURS,
    DRAW_TWO,
    DRAW_TWOS,
    MATCH,
    POINTS,
    REVERSE,
    SKIP,
    SYMBOL,
    SYMBOL_MASK,
    WILD,
    WILD_FOUR,
    WILDS,
    mask_of,
)
from parlour_protocol.messages import Plain

NOBODY = -1
LOW = 2
"""The next seat is a threat with this many cards or fewer."""
ATTACKS = DRAW_TWOS | SYMBOL_MASK[SKIP] | SYMBOL_MASK[REVERSE]
ALL = (1 << CARDS) - 1


@attrs.frozen(kw_only=True)
class PlayWeights:
    """The weights of a play's features; the score is their sum."""

    draw_two: float = 2.30
    skip: float = 2.25
    reverse: float = 2.28
    number: float = 3.49
    wild: float = -3.75
    wild_four: float = -3.24
    points: float = -0.055
    """Per point of the card."""
    points_low: float = 0.071
    """Per point of the card, in addition, while the next seat is a threat."""
    same: float = 0.96
    """Per remaining card of the new current colour."""
    change: float = 0.16
    """If the current colour changes."""
    symbol: float = -1.27
    """Per remaining card of the same number or symbol."""
    attack_low: float = 4.19
    """An attack or Wild Draw Four while the next seat is a threat."""
    wild_low: float = 0.55
    """A wild while the next seat is a threat."""
    wild_early: float = 0.0
    """A wild, per remaining card up to six."""
    attack_early: float = 0.0
    """An attack, per card of the next seat up to eight."""
    run: float = 4.33
    """An attack that can be followed by another card that is not wild."""
    run_attack: float = -2.92
    """In addition, between two players, if that card is also an attack."""
    lacking: float = 0.0
    """A colour that the next seat lacked when it last drew."""
    unseen: float = 0.0
    """Per unseen card of the colour."""
    draw: float = -19.5
    """Drawing or passing although a card could be played."""
    fewer: float = 2.0
    """Per card that a swap of hands saves."""


_KINDS = (*["number"] * 10, "skip", "reverse", "draw_two", "wild", "wild_four")
"""The weight of each symbol."""


@attrs.frozen
class Scene:
    """The state of a turn that plays are scored by."""

    hand: int
    colour: int
    """The current colour."""
    counts: Sequence[int]
    """The number of cards of each seat."""
    next_cards: int
    seats: int
    stacking: bool
    lacks: int = NOBODY
    """The colour that the next seat is known to lack."""
    unseen: int = ALL
    """The cards not seen yet."""


def scene(turn: Turn, lacks: Callable[[int], int] = lambda _: NOBODY, seen: int = 0) -> Scene:
    """Return the scene of a turn. ``lacks`` returns the colour that a seat lacks."""
    view = turn.view
    follower = next_seat(turn)
    seats = len(view["counts"]) - len(view["out"])
    hand = mask_of(view["hand"])
    stacking = bool(view.get("pending"))
    counts = view["counts"]
    unseen = ALL & ~(hand | seen)
    return Scene(hand, _index(view["colour"]), counts, counts[follower], seats, stacking, lacks(follower), unseen)


def next_seat(turn: Turn) -> int:
    """Return the next seat in the direction of play."""
    view = turn.view
    seats: int = len(view["counts"])
    ring: list[int] = [(turn.seat + view["direction"] * step) % seats for step in range(1, seats + 1)]
    return next(seat for seat in ring if seat not in view["out"])


def decide(turn: Turn, weights: PlayWeights, at: Scene) -> Action:
    """Return the action with the highest score; break ties at random."""
    plays = [action for action in turn.legal if action["do"] == "play" and not _bluff(action, at)]
    colours = [action for action in turn.legal if action["do"] == "colour"]
    if not plays:
        others = [action for action in turn.legal if action["do"] in ("accept", "draw", "pass")]
        held = [(at.hand & COLOUR_MASK[number]).bit_count() for number in range(len(COLOURS))]
        return _best(turn, colours, lambda action: held[COLOURS.index(action["colour"])]) if colours else others[0]
    keeping = [action for action in turn.legal if action["do"] in ("draw", "pass")]
    return _best(turn, plays + keeping, lambda action: score(action, weights, at))


def _best(turn: Turn, actions: Sequence[Action], merit: Callable[[Action], float]) -> Action:
    merits = [merit(action) for action in actions]
    most = max(merits)
    best = [action for action, value in zip(actions, merits, strict=True) if value == most]
    return turn.rng.choice([action for action in best if action.get("uno")] or best)


def _bluff(action: Action, at: Scene) -> bool:
    return SYMBOL[action["card"]] == WILD_FOUR and bool(at.hand & COLOUR_MASK[at.colour]) and not at.stacking


def score(action: Action, weights: PlayWeights, at: Scene) -> float:
    """Return the score of an action; only differences matter."""
    if action["do"] != "play":
        return weights.draw
    card: int = action["card"]
    rest = at.hand ^ BIT[card]
    if not rest:
        return float("inf")
    own, symbol = COLOUR[card], SYMBOL[card]
    colour = COLOURS.index(action["colour"]) if own is None else own
    value: float = getattr(weights, _KINDS[symbol]) + weights.same * (rest & COLOUR_MASK[colour]).bit_count()
    value += weights.points * POINTS[card] + weights.change * (colour != at.colour)
    if symbol < WILD:
        value += weights.symbol * (rest & SYMBOL_MASK[symbol]).bit_count()
    if at.next_cards <= LOW:
        value += _against_low(card, weights, at)
    if _attacks(symbol, at):
        value += weights.attack_early * min(at.next_cards, 8) + _going_on(rest & MATCH[colour][symbol], weights, at)
    if own is None:
        value += weights.wild_early * min(rest.bit_count(), 6)
    if at.lacks == colour:
        value += weights.lacking
    value += weights.unseen * (at.unseen & COLOUR_MASK[colour]).bit_count()
    if "swap" in action:
        value += weights.fewer * (rest.bit_count() - at.counts[action["swap"]])
    return value


def _attacks(symbol: int, at: Scene) -> bool:
    """Return whether the symbol makes the next seat lose its turn."""
    return symbol in (SKIP, DRAW_TWO, WILD_FOUR) or (symbol == REVERSE and at.seats == 2)


def _against_low(card: int, weights: PlayWeights, at: Scene) -> float:
    value: float = weights.points_low * POINTS[card]
    if _attacks(SYMBOL[card], at):
        value += weights.attack_low
    return value + weights.wild_low if SYMBOL[card] >= WILD else value


def _going_on(following: int, weights: PlayWeights, at: Scene) -> float:
    """Return the score for having ``following`` cards to play after an attack."""
    value = weights.run if following & ~WILDS else 0.0
    return value + weights.run_attack if at.seats == 2 and following & ATTACKS else value


_ATTACKER = PlayWeights(draw_two=12.0, skip=10.0, reverse=9.0, wild_four=4.0, wild=-2.0)
_GUARD = PlayWeights(draw_two=-2.5, skip=-2.0, reverse=-1.5, attack_low=14.0, wild_low=8.0, points_low=0.2)
_HOARDER = PlayWeights(wild=-30.0, wild_four=-28.0, wild_low=20.0)
_SHAPER = PlayWeights()
_COUNTER = PlayWeights(
    draw_two=2.27,
    skip=2.36,
    reverse=2.41,
    number=4.13,
    wild=-2.88,
    wild_four=-3.33,
    points=-0.043,
    points_low=0.089,
    same=1.07,
    change=0.14,
    symbol=-1.42,
    attack_low=4.37,
    wild_low=1.15,
    wild_early=-1.22,
    attack_early=-0.15,
    run=5.48,
    run_attack=-2.77,
    lacking=3.04,
    unseen=-0.19,
    draw=-13.0,
)


def attacker(turn: Turn) -> Action:
    """Plays offensively: Draw Two, Skip, Reverse and Wild Draw Four as early as possible."""
    return decide(turn, _ATTACKER, scene(turn))


def guard(turn: Turn) -> Action:
    """Plays defensively: saves attacks and wilds until the next seat has only two cards left."""
    return decide(turn, _GUARD, scene(turn))


def hoarder(turn: Turn) -> Action:
    """Keeps its wilds, and rather draws, until it or the next seat is about to finish."""
    at = scene(turn)
    return decide(turn, _SHAPER if at.hand.bit_count() <= LOW + 1 else _HOARDER, at)


def shaper(turn: Turn) -> Action:
    """Shapes its hand: keeps its most frequent colour current and drops isolated cards."""
    return decide(turn, _SHAPER, scene(turn))


@attrs.define
class Counter:
    """Counts cards: prefers colours with few unseen cards and colours that the next seat lacks."""

    _colour: int = NOBODY
    _seen: int = 0
    _lacks: dict[int, int] = attrs.field(factory=dict)

    def play(self, turn: Turn) -> Action:
        """Follow the events, then return the action with the highest score."""
        for event in turn.events:
            self._follow(event)
        return decide(turn, _COUNTER, scene(turn, lambda seat: self._lacks.get(seat, NOBODY), self._seen))

    def _follow(self, event: Plain) -> None:
        kind = event["e"]
        if kind == "deal":
            self._seen, self._lacks = BIT[event["top"]], {}
            self._colour = _index(event["colour"])
        elif kind == "colour":
            self._colour = _index(event["colour"])
        elif kind == "play":
            card = event["card"]
            self._seen |= mask_of(event.get("cards") or [card])
            own = COLOUR[card]
            self._colour = _index(event["colour"]) if own is None else own
        elif kind == "reshuffle":
            self._seen = 0
        elif kind == "draw":
            self._lacks[event["seat"]] = self._colour if event["why"] == "turn" else NOBODY


def _index(colour: str | None) -> int:
    return COLOURS.index(colour) if colour else NOBODY
