"""Fast playouts: a second implementation of the official rules, for one fixed policy.

A ``PlayoutPosition`` is a round of UNO with all cards visible. ``carry_out`` applies one answer. ``run`` plays all
seats by one policy: attack, else a number, else a Wild, else a Wild Draw Four; prefer the most frequent colour; the
highest card among equals; play a drawn card if it fits; accept every Wild Draw Four; always call UNO. A test checks
that ``run`` agrees exactly with ``parlour_games.uno.rules``.

Seats are numbered without those that are out of the round. ``answers`` finds the
candidates of a turn, and their effect on a world.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import attrs

from parlour_bots.sdk import Action
from parlour_games.uno.actions import ACCEPT, CHALLENGE, COLOUR_CODES, DRAW, PASS
from parlour_games.uno.cards import (
    BIT,
    COLOUR,
    COLOUR_MASK,
    COLOURS,
    DRAW_TWO,
    DRAW_TWOS,
    MATCH,
    REVERSE,
    SKIP,
    SYMBOL,
    SYMBOL_MASK,
    WILD_FOUR,
    mask_of,
    points_in,
)
from parlour_protocol.messages import Plain

NOBODY = -1
RED, YELLOW, GREEN, BLUE = COLOUR_MASK
SKIPS, REVERSES = SYMBOL_MASK[SKIP], SYMBOL_MASK[REVERSE]
ATTACKS = DRAW_TWOS | SKIPS | REVERSES
NUMBERS = sum(SYMBOL_MASK[:10])
PLAIN_WILDS = SYMBOL_MASK[13]
_NUMBERS_OF = tuple(NUMBERS & mask for mask in COLOUR_MASK)
_SAME_NUMBER = tuple(SYMBOL_MASK[symbol] if symbol < 10 else 0 for symbol in range(15))

Shuffle: TypeAlias = Callable[[list[int]], None]
"""Shuffles a list of cards in place."""


@attrs.define
class PlayoutPosition:
    """A round in play. The last card of ``deck`` is on top. ``step`` is 1 or -1.

    ``drawn``: the card that ``turn`` has just drawn and may play, as a mask. ``offender`` played a Wild Draw Four that
    ``turn`` has to answer, when the current colour was ``before``. ``pending``: cards stacked by a house rule.
    """

    hands: list[int]
    deck: list[int]
    pile: list[int]
    colour: int
    turn: int
    step: int = 1
    drawn: int = 0
    offender: int = NOBODY
    before: int = 0
    passes: int = 0
    pending: int = 0
    over: bool = False
    winner: int = NOBODY
    """The winner once the round is over; NOBODY if a stuck round was tied."""

    def copy(self) -> "PlayoutPosition":
        """Return an independent copy."""
        twin = PlayoutPosition(self.hands.copy(), self.deck.copy(), self.pile.copy(), self.colour, self.turn, self.step)
        twin.drawn, twin.offender, twin.before = self.drawn, self.offender, self.before
        twin.passes, twin.pending = self.passes, self.pending
        return twin

    def after(self, seat: int, steps: int = 1) -> int:
        """Return the seat ``steps`` after ``seat`` in the direction of play."""
        return (seat + steps * self.step) % len(self.hands)

    def end(self, winner: int) -> None:
        """End the round."""
        self.over, self.winner = True, winner


def take(position: PlayoutPosition, seat: int, n: int, shuffle: Shuffle) -> int:
    """Let ``seat`` draw up to ``n`` cards; return them as a mask."""
    cards = 0
    for _ in range(n):
        if not position.deck:
            refill(position.deck, position.pile, shuffle)
            if not position.deck:
                break
        cards |= BIT[position.deck.pop()]
    position.hands[seat] |= cards
    return cards


def refill(deck: list[int], pile: list[int], shuffle: Shuffle) -> None:
    """Shuffle the discards under the top card into the draw pile."""
    if len(pile) > 1:
        deck[:] = pile[:-1]
        del pile[:-1]
        shuffle(deck)


def carry_out(position: PlayoutPosition, code: int, shuffle: Shuffle) -> None:
    """Apply an answer of the seat to play, as a code of the rules."""
    seat = position.turn
    if code < DRAW:
        _lay(position, code >> 3 & 127, code >> 1 & 3, shuffle)
    elif code == DRAW:
        position.drawn = take(position, seat, 1, shuffle)
        if not position.drawn:  # the pile is empty, so the seat can only pass
            position.passes += 1
            _hand_on(position)
    elif code == PASS:
        _hand_on(position)
    elif code == ACCEPT:
        _lose(position, position.pending or 4, shuffle)
    elif code == CHALLENGE:
        _challenge(position, shuffle)
    else:
        position.colour = COLOUR_CODES.index(code)


def _lay(position: PlayoutPosition, card: int, colour: int, shuffle: Shuffle) -> None:
    seat, symbol = position.turn, SYMBOL[card]
    position.before, position.colour = position.colour, colour
    position.hands[seat] ^= BIT[card]
    position.pile.append(card)
    position.drawn = position.passes = 0
    if symbol == REVERSE and len(position.hands) > 2:
        position.step = -position.step
    follower = position.after(seat)
    if symbol == DRAW_TWO:
        take(position, follower, 2 + position.pending, shuffle)
        position.pending = 0
    if symbol == WILD_FOUR:
        position.offender = seat
        position.turn = follower
    elif symbol in (DRAW_TWO, SKIP) or (symbol == REVERSE and len(position.hands) == 2):
        position.turn = position.after(follower)
    else:
        position.turn = follower
    if not position.hands[seat] and symbol != WILD_FOUR:
        position.end(seat)


def _hand_on(position: PlayoutPosition) -> None:
    position.drawn = 0
    if position.passes == len(position.hands):
        position.end(lightest(position.hands))
    else:
        position.turn = position.after(position.turn)


def _lose(position: PlayoutPosition, n: int, shuffle: Shuffle) -> None:
    """Let the seat to play draw ``n`` cards and lose its turn."""
    take(position, position.turn, n, shuffle)
    offender, position.offender, position.pending = position.offender, NOBODY, 0
    if offender != NOBODY and not position.hands[offender]:
        position.end(offender)
    else:
        position.turn = position.after(position.turn)


def _challenge(position: PlayoutPosition, shuffle: Shuffle) -> None:
    offender, n = position.offender, position.pending or 4
    if position.hands[offender] & COLOUR_MASK[position.before]:
        take(position, offender, n, shuffle)
        position.offender, position.pending = NOBODY, 0
    else:
        _lose(position, n + 2, shuffle)


def lightest(hands: list[int]) -> int:
    """Return the winner of a stuck round: the seat with the fewest points, NOBODY for a tie."""
    points = [points_in(hand) for hand in hands]
    return points.index(min(points)) if points.count(min(points)) == 1 else NOBODY


def fullest(hand: int) -> int:
    """Return the most frequent colour of ``hand``, the first of equals."""
    counts = [(hand & mask).bit_count() for mask in COLOUR_MASK]
    return counts.index(max(counts))


def choose(hand: int, fits: int, colour: int, symbol: int) -> int:
    """Return the card that the policy plays; ``fits`` are the playable cards of ``hand``, not empty."""
    if found := fits & ATTACKS:
        found = found & DRAW_TWOS or found & SKIPS or found
    elif found := fits & NUMBERS:
        by_colour, by_number = fits & _NUMBERS_OF[colour], fits & _SAME_NUMBER[symbol]
        if by_colour and by_number:
            longer = by_colour.bit_count() - by_number.bit_count()
            if longer:
                found = by_colour if longer > 0 else by_number
    else:
        return (fits & PLAIN_WILDS or fits).bit_length() - 1
    if found & found - 1:
        found = _in_fullest(hand, found)
    return found.bit_length() - 1


def _in_fullest(hand: int, cards: int) -> int:
    """Return those of ``cards`` whose colour is the most frequent in ``hand``."""
    best, most = cards, -1
    for mask in COLOUR_MASK:
        found = cards & mask
        if found:
            if found == cards:
                return cards
            held = (hand & mask).bit_count()
            if held > most:
                best, most = found, held
    return best


def settle(position: PlayoutPosition, shuffle: Shuffle) -> None:
    """Answer a pending Wild Draw Four or drawn card by the policy, up to the next full turn."""
    if position.offender != NOBODY:
        carry_out(position, ACCEPT, shuffle)
    elif position.drawn:
        fits = position.drawn & MATCH[position.colour][SYMBOL[position.pile[-1]]]
        carry_out(position, _code(position, fits.bit_length() - 1) if fits else PASS, shuffle)
        if position.offender != NOBODY:
            carry_out(position, ACCEPT, shuffle)


def _code(position: PlayoutPosition, card: int) -> int:
    colour = card // 25 if card < 100 else fullest(position.hands[position.turn])
    return card << 3 | colour << 1


def run(position: PlayoutPosition, turns: int, shuffle: Shuffle) -> None:
    """Let every seat play by the policy for ``turns`` turns or until the round is over.

    One long function on purpose: function calls would dominate the cost of a turn.
    """
    settle(position, shuffle)
    if position.over:
        return
    hands, deck, pile = position.hands, position.deck, position.pile
    turn, step, colour, passes = position.turn, position.step, position.colour, position.passes
    seats, symbol = len(hands), SYMBOL[pile[-1]]
    for _ in range(turns):
        hand = hands[turn]
        match = MATCH[colour][symbol]
        fits = hand & match
        if not fits:
            if not deck:
                refill(deck, pile, shuffle)
            if deck:
                fits = BIT[deck.pop()]
                hand |= fits
                hands[turn] = hand
                fits &= match
            else:
                passes += 1
                if passes == seats:
                    position.end(lightest(hands))
                    return
            if not fits:
                turn = (turn + step) % seats
                continue
        passes = 0
        card = choose(hand, fits, colour, symbol) if fits & fits - 1 else fits.bit_length() - 1
        symbol = SYMBOL[card]
        hands[turn] = rest = hand ^ BIT[card]
        pile.append(card)
        colour = card // 25 if card < 100 else fullest(hand)
        if symbol < 10 or symbol == 13:
            following = (turn + step) % seats
        elif symbol == REVERSE and seats > 2:
            step = -step
            following = (turn + step) % seats
        else:
            victim = (turn + step) % seats
            following = (victim + step) % seats
            if symbol == DRAW_TWO:
                take(position, victim, 2, shuffle)
            elif symbol == WILD_FOUR:
                take(position, victim, 4, shuffle)
        if not rest:
            position.end(turn)
            return
        turn = following
    position.turn, position.step, position.colour, position.passes = turn, step, colour, passes


_COLOURED = RED | YELLOW | GREEN | BLUE
_CODES = {"draw": DRAW, "pass": PASS, "accept": ACCEPT, "challenge": CHALLENGE}


@attrs.frozen
class Candidate:
    """A legal action, its code in the rules, and its effect on hands (seats are indices of those in play)."""

    action: Action
    code: int
    swap: int = NOBODY
    rotates: bool = False

    def carry_out(self, position: PlayoutPosition, shuffle: Shuffle) -> None:
        """Apply the answer to a world."""
        seat = position.turn
        carry_out(position, self.code, shuffle)
        if position.over:
            return
        hands = position.hands
        if self.swap != NOBODY:
            hands[seat], hands[self.swap] = hands[self.swap], hands[seat]
        elif self.rotates:
            before = hands.copy()
            for giver, hand in enumerate(before):
                hands[position.after(giver)] = hand


def candidates(view: Plain, legal: Sequence[Action], seats: Sequence[int], rotates: bool = False) -> list[Candidate]:
    """Return the answers to compare, at least one.

    Of equal cards only one is kept, with a call of UNO if possible. Wilds choose only colours in the hand. Drawing is
    left out if a coloured card can be played.
    """
    hand = mask_of(view["hand"])
    plays = [action for action in legal if action["do"] == "play"]
    fits = any(COLOUR[action["card"]] is not None for action in plays)
    others = [action for action in legal if action["do"] != "play" and not (fits and action["do"] == "draw")]
    found = [action for action in (*_distinct(plays), *others) if _sensible_colour(action, hand)]
    return [answer(action, seats, rotates) for action in found]


def answer(action: Action, seats: Sequence[int], rotates: bool = False) -> Candidate:
    """Return the answer that a legal action is. ``rotates``: a 0 passes all hands on."""
    return _play(action, seats, rotates) if action["do"] == "play" else _other(action)


def face(action: Action) -> tuple[object, ...]:
    """Return what makes an action different: equal cards, and a call of UNO, do not."""
    card = action.get("card")
    looks = None if card is None else (COLOUR[card], SYMBOL[card])
    return action["do"], looks, action.get("colour"), action.get("swap")


def _play(action: Action, seats: Sequence[int], rotates: bool) -> Candidate:
    card = action["card"]
    own = COLOUR[card]
    colour = COLOURS.index(action["colour"]) if own is None else own
    swap = seats.index(action["swap"]) if "swap" in action else NOBODY
    return Candidate(action, card << 3 | colour << 1, swap, rotates and SYMBOL[card] == 0)


def _other(action: Action) -> Candidate:
    code = COLOUR_CODES[COLOURS.index(action["colour"])] if action["do"] == "colour" else _CODES[action["do"]]
    return Candidate(action, code)


def _distinct(plays: list[Action]) -> list[Action]:
    """Return one play per face, chosen colour and swap, with a call of UNO if possible."""
    faces: dict[tuple[object, ...], Action] = {}
    for action in plays:
        kind = face(action)
        if kind not in faces or (action.get("uno") and not faces[kind].get("uno")):
            faces[kind] = action
    return list(faces.values())


def _sensible_colour(action: Action, hand: int) -> bool:
    """Return whether the action chooses no colour, or one in the hand if the hand has any."""
    if "colour" not in action or not hand & _COLOURED:
        return True
    return bool(hand & COLOUR_MASK[COLOURS.index(action["colour"])])
