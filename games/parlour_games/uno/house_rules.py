"""Actions and effects under house rules. The protocol's specification says how house rules combine."""

from collections.abc import Sequence

from parlour_games.uno.actions import (
    ACCEPT,
    CALLING_PLAYS,
    CHALLENGE,
    COLOUR_CODES,
    DRAW,
    JUMP,
    PASS,
    SILENT_PLAYS,
    Play,
    card_of,
    swap_of,
    swapping,
)
from parlour_games.uno.calls import reach_one_card
from parlour_games.uno.cards import ALIKE, BIT, COLOUR_MASK, SYMBOL, cards_in
from parlour_games.uno.events import Drawn, Event, Rotated, Swapped
from parlour_games.uno.piles import available, playable, stacking, take
from parlour_games.uno.state import AT_CHALLENGE, AT_COLOUR, AT_DRAWN, NOBODY, State

HANDS_ROTATE, HANDS_SWAP = 0, 7
"""The symbols that move hands under ``seven_zero``."""


def legal(state: State) -> list[int]:
    """Return the codes of all legal single answers to the required decision: plays by ascending card, then others.

    Under ``force_play`` drawing, or keeping the drawn card, is legal only without a legal play.
    """
    if state.phase == AT_COLOUR:
        return [*COLOUR_CODES]
    if state.phase == AT_CHALLENGE:
        may_stack = state.pending and state.evidence
        return [*(plays(state, state.turn, playable(state)) if may_stack else ()), ACCEPT, CHALLENGE]
    found = plays(state, state.turn, playable(state))
    if state.pending:
        return [*found, ACCEPT]
    if found and state.options.force_play:
        return found
    return [*found, PASS if state.phase == AT_DRAWN else DRAW]


def plays(state: State, seat: int, mask: int) -> list[int]:
    """Return the codes of all plays by ``seat`` of the cards in ``mask``, by ascending card."""
    return [code for card in cards_in(mask) for code in _plays_of(state, seat, card)]


def _plays_of(state: State, seat: int, card: int) -> Sequence[int]:
    if moves_hands(state, card) and state.counts[seat] > 1:
        [code] = SILENT_PLAYS[card]
        others = state.still_in() if SYMBOL[card] == HANDS_SWAP else ()
        return [swapping(code, other) for other in others if other != seat] or [code]
    return (CALLING_PLAYS if state.counts[seat] == 2 else SILENT_PLAYS)[card][::-1]


def moves_hands(state: State, card: int) -> bool:
    """Whether ``card`` moves hands, unless it is the last card."""
    return state.options.seven_zero and SYMBOL[card] in (HANDS_ROTATE, HANDS_SWAP)


def jumps(state: State, seat: int) -> list[int]:
    """Return the codes of all jumps that ``seat`` may make."""
    if state.laid_by in (NOBODY, seat):
        return []
    return [code | JUMP for code in plays(state, seat, state.hands[seat] & ALIKE[state.pile[-1]])]


def several(play: Play, left: int) -> int:
    """Return the code of the last of ``play.cards``, when playing them together is legal and leaves ``left`` cards."""
    assert play.cards is not None
    card = play.cards[-1]
    code = (CALLING_PLAYS if left == 1 and play.uno else SILENT_PLAYS)[card][-1]
    return code if play.swap is None else swapping(code, play.swap)


def default_play(state: State, seat: int, codes: list[int]) -> int:
    """Return the play for a time-out: lowest card, most frequent colour, swap for the fewest cards, with a call."""

    def standing(code: int) -> tuple[int, int, int, int]:
        held = state.hands[seat] & COLOUR_MASK[code >> 1 & 3]
        other = swap_of(code)
        return card_of(code), -held.bit_count(), 0 if other is None else state.counts[other], code

    return min(codes, key=standing)


def owe(state: State, n: int) -> None:
    """Add ``n`` cards for the top card to the pending ones, if the options allow stacking on it."""
    if stacking(state.options, SYMBOL[state.pile[-1]]):
        state.pending += n


def draw_until(state: State, log: list[Event]) -> int:
    """Draw for the seat on turn until a playable card comes or no card is left. Return the last card, as a mask."""
    drawn: list[int] = []
    told: list[Event] = []
    state.phase, state.drawn = AT_DRAWN, 0
    while available(state) and not playable(state):
        take(state, state.turn, 1, "turn", told)
        drawn += told[-1].cards if isinstance(told[-1], Drawn) else ()
        state.drawn = BIT[drawn[-1]]
    log += [event for event in told if not isinstance(event, Drawn)]
    log.append(Drawn(state.turn, drawn, "turn"))
    return state.drawn


def move_hands(state: State, seat: int, code: int, log: list[Event]) -> None:
    """Swap hands after a 7, or pass all hands on after a 0, unless it was the last card."""
    if not (moves_hands(state, card_of(code)) and state.hands[seat]):
        return
    other = swap_of(code)
    before = state.hands.copy()
    if other is None:
        moved = {state.ring[giver]: before[giver] for giver in state.still_in()}
        log.append(Rotated(state.direction, tuple(moved.get(taker, 0) for taker in range(state.seats))))
    else:
        moved = {seat: before[other], other: before[seat]}
        log.append(Swapped(seat, other, (before[other], before[seat])))
    for taker, hand in moved.items():
        _hold(state, taker, hand, stood=state.counts[taker] == 1 and taker != seat)


def _hold(state: State, seat: int, hand: int, stood: bool) -> None:
    """Give ``seat`` a new hand. With one card it counts as having called. ``stood``: it had one card before."""
    state.hands[seat] = hand
    state.counts[seat] = hand.bit_count()
    state.called &= ~BIT[seat]
    if state.counts[seat] == 1:
        state.called |= BIT[seat]
        if not stood:
            reach_one_card(state, seat)
