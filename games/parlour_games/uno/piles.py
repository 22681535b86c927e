"""The draw pile and the discards: dealing, drawing, reshuffling, and which cards may be played on the top card.

Both piles are lists with the top card at the end. The round's stream has these labels. ``deck`` shuffles
``[0, 1, …, 107]``. From the end of the result each seat still in is dealt seven cards, in ascending order of seats,
then the first card is turned up. ``reshuffle/k`` is the k-th further shuffle of the round, counted from 1. If the first
card cannot start the round, it goes under the draw pile, and the whole pile, from bottom to top, is shuffled. If a card
has to be drawn from an empty pile, the discards except the top card, in order of play, are shuffled and become the draw
pile.
"""

from parlour_games.uno.cards import (
    BIT,
    CARDS,
    COLOUR_MASK,
    DRAW_TWO,
    DRAW_TWOS,
    FOURS,
    HAND,
    MATCH,
    SYMBOL,
    WILD_FOUR,
    cards_in,
)
from parlour_games.uno.events import Drawn, Event, Reshuffled
from parlour_games.uno.options import Options
from parlour_games.uno.state import AT_DRAWN, State


def fitting(state: State) -> int:
    """Return the cards that fit the top card by colour or symbol, and can be stacked if any are pending, as a mask."""
    return _fitting(state.options, state.colour, state.pile[-1], state.pending)


def _fitting(options: Options, colour: int, top: int, pending: int) -> int:
    symbol = SYMBOL[top]
    fits = MATCH[colour][symbol]
    return fits & stacking(options, symbol) if pending else fits


def stacking(options: Options, symbol: int) -> int:
    """Return the cards that may be stacked on ``symbol``, a Draw Two or a Wild Draw Four, as a mask."""
    two = options.stack2 if symbol == DRAW_TWO else options.stack_cross
    four = options.stack_cross if symbol == DRAW_TWO else options.stack4
    return (DRAW_TWOS if two else 0) | (FOURS if four else 0)


def is_bluff(state: State, hand: int) -> bool:
    """Whether playing a Wild Draw Four now breaks its condition. ``hand`` may include the card or not."""
    return would_bluff(state.options, state.colour, state.pile[-1], state.pending, hand)


def would_bluff(options: Options, colour: int, top: int, pending: int, hand: int) -> bool:
    """Whether a Wild Draw Four from ``hand`` breaks its condition on ``top``, with ``pending`` cards to draw."""
    if options.strict_wild4:
        return bool(hand & _fitting(options, colour, top, pending) & ~FOURS)
    return bool(hand & COLOUR_MASK[colour])


def playable(state: State) -> int:
    """Return the cards that the seat on turn may play, as a mask."""
    hand = state.hands[state.turn]
    mask = hand & fitting(state)
    if state.phase == AT_DRAWN:
        mask &= state.drawn
    if mask & FOURS and state.options.no_bluff and is_bluff(state, hand):
        mask &= ~FOURS
    return mask


def deal(state: State) -> int:
    """Shuffle all cards, deal hands to the seats still in, turn up the first card and return it."""
    deck = list(range(CARDS))
    state.stream.label("deck").shuffle(deck)
    state.deck = deck
    state.hands = [0] * state.seats
    state.counts = [0] * state.seats
    for seat in state.still_in():
        state.hands[seat] = sum([BIT[card] for card in deck[-HAND:]])
        state.counts[seat] = HAND
        del deck[-HAND:]
    first = deck.pop()
    while not _begins(state, SYMBOL[first]):
        deck.insert(0, first)
        _shuffle(state, deck)
        first = deck.pop()
    state.pile = [first]
    return first


def _begins(state: State, symbol: int) -> bool:
    return symbol < 10 if state.options.first_card_number_only else symbol != WILD_FOUR


def _shuffle(state: State, cards: list[int]) -> None:
    state.reshuffles += 1
    state.stream.label(f"reshuffle/{state.reshuffles}").shuffle(cards)


def available(state: State) -> int:
    """Return how many cards can be drawn until none is left."""
    return len(state.deck) + len(state.pile) - 1


def take(state: State, seat: int, n: int, why: str, log: list[Event]) -> None:
    """Draw ``n`` ≥ 1 cards for ``seat``, or as many as there are. Its earlier call no longer counts."""
    deck = state.deck
    if n <= len(deck):
        cards = deck[: -n - 1 : -1]
        del deck[-n:]
    else:
        cards = _take_across(state, n, log)
    if cards:
        hand = state.hands[seat]
        for card in cards:
            hand |= BIT[card]
        state.hands[seat] = hand
        state.counts[seat] += len(cards)
        state.called &= ~BIT[seat]
    log.append(Drawn(seat, cards, why))


def _take_across(state: State, n: int, log: list[Event]) -> list[int]:
    first = state.deck[::-1]
    state.deck = []
    if len(state.pile) > 1:
        _turn_over(state, log)
    rest = [state.deck.pop() for _ in range(min(n - len(first), len(state.deck)))]
    return first + rest


def _turn_over(state: State, log: list[Event]) -> None:
    state.deck, state.pile = state.pile[:-1], state.pile[-1:]
    _shuffle(state, state.deck)
    log.append(Reshuffled(len(state.deck)))


def bury(state: State, seat: int) -> None:
    """Put the hand of ``seat`` under the draw pile, the lowest card at the bottom."""
    state.deck[:0] = cards_in(state.hands[seat])
    state.hands[seat] = 0
    state.counts[seat] = 0
