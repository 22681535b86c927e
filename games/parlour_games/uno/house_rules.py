"""What the house rules change.

How they go together, where that is not plain from each of them alone:

============================  =========================================================================================
stacking + last card          The round is over: the next seat draws all that is pending, and it is scored.
stacking + challenge          The seat that is to draw chooses once: stack, accept, or challenge. The loser of a
                              challenge draws all that is pending, six and what was pending before if that is the
                              challenger. The Wild Draw Four below the top cannot be challenged any more.
stacking + no_bluff           The condition of a Wild Draw Four holds while stacking too; there is no challenge.
stacking + strict_wild4       Only cards that could be stacked count as cards that could be played.
stack_cross + colour          A Draw Two goes onto a Wild Draw Four only in the colour that was named.
stacking + first card         A Draw Two turned up is no play: it is drawn for at once.
stacking + jump_in            A Draw Two may be jumped in onto another; it adds to what is pending, whatever stacks.
stacking + force_play         Nobody is forced to stack.
stacking + draw_until         Who accepts draws what is pending, and no more.
stacking + leaving            What is pending for a seat that leaves, nobody draws.
seven_zero + last card        A 7 or 0 laid as last card moves no hands.
seven_zero + calling UNO      A call belongs to a play that leaves its player with one card. Who lays a 7 or 0 hands its
                              cards on and calls nothing; who comes to one card by it counts as having called.
seven_zero + jump_in          A jump with a 7 names the seat to swap with. (Of each 0 there is one only.)
seven_zero + multi_play       Sevens laid together swap once, zeros pass the hands on once.
jump_in + wilds               A like card has the same colour and symbol. A wild has no colour: nobody jumps with one.
jump_in + calling UNO         A jump ends a breath: the catches held count, then the card is laid, then its own breath
                              begins. It also ends the time in which the seat before can be caught.
jump_in + effects             What the card below did stays done; the effect of the jump counts from its seat.
jump_in + turn                Play goes on from the seat that jumped. A jump is open to all but who laid the card, from
                              the play to the next act of the seat that is asked, the breath included.
jump_in + last card           No breath follows a last card: a round that is won cannot be jumped into.
jump_in + force_play          Nobody is forced to jump.
multi_play + jump_in          A jump is one card. After several, the last one laid can be jumped on.
multi_play + drawing          Several are laid from the hand only, not beside the card just drawn.
draw_until + force_play       Who can play must; else it draws until it can, and must play that card.
draw_until + empty piles      Drawing ends with the last card there is.
draw_until + no_bluff         A Wild Draw Four that may not be laid does not end the drawing.
force_play + time-out         The lowest card that fits is laid, calling UNO, with the colour held most of.
false_call_penalty + breath   A catch of a seat that is safe counts at once. One that was right when it was made costs
                              nothing, even if a call voids it. Each seat may try once each time somebody comes to
                              stand at one card.
============================  =========================================================================================
"""

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
from parlour_games.uno.calls import stand
from parlour_games.uno.cards import ALIKE, BIT, COLOUR_MASK, SYMBOL, cards_in
from parlour_games.uno.events import Drawn, Event, Rotated, Swapped
from parlour_games.uno.matching import playable, stacking
from parlour_games.uno.piles import available, take
from parlour_games.uno.state import AT_CHALLENGE, AT_COLOUR, AT_DRAWN, NOBODY, State

HANDS_ROTATE, HANDS_SWAP = 0, 7
"""The symbols that move hands."""


def legal(state: State) -> list[int]:
    """Return the codes of all single answers to the open obligation: plays by ascending card, then what else."""
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
    """Return the codes of all plays of the cards in ``mask`` out of the hand of ``seat``, by ascending card."""
    return [code for card in cards_in(mask) for code in _plays_of(state, seat, card)]


def _plays_of(state: State, seat: int, card: int) -> Sequence[int]:
    if moves_hands(state, card) and state.counts[seat] > 1:
        [code] = SILENT_PLAYS[card]
        others = state.still_in() if SYMBOL[card] == HANDS_SWAP else ()
        return [swapping(code, other) for other in others if other != seat] or [code]
    return (CALLING_PLAYS if state.counts[seat] == 2 else SILENT_PLAYS)[card][::-1]


def moves_hands(state: State, card: int) -> bool:
    """Tell whether ``card`` moves hands, unless it is the last."""
    return state.options.seven_zero and SYMBOL[card] in (HANDS_ROTATE, HANDS_SWAP)


def jumps(state: State, seat: int) -> list[int]:
    """Return the codes of all jumps that are open to ``seat``."""
    if state.laid_by in (NOBODY, seat):
        return []
    return [code | JUMP for code in plays(state, seat, state.hands[seat] & ALIKE[state.pile[-1]])]


def several(play: Play, left: int) -> int:
    """Return the code of the last of ``play.cards``, which may be laid together and leave ``left`` cards."""
    assert play.cards is not None
    card = play.cards[-1]
    code = (CALLING_PLAYS if left == 1 and play.uno else SILENT_PLAYS)[card][-1]
    return code if play.swap is None else swapping(code, play.swap)


def default_play(state: State, seat: int, codes: list[int]) -> int:
    """Return of plays the lowest card with the colour held most of, a swap with the fewest cards, and the call."""

    def standing(code: int) -> tuple[int, int, int, int]:
        held = state.hands[seat] & COLOUR_MASK[code >> 1 & 3]
        other = swap_of(code)
        return card_of(code), -held.bit_count(), 0 if other is None else state.counts[other], code

    return min(codes, key=standing)


def owe(state: State, n: int) -> None:
    """The card just laid demands ``n`` cards; they become pending if somebody could stack on it."""
    if stacking(state.options, SYMBOL[state.pile[-1]]):
        state.pending += n


def draw_until(state: State, log: list[Event]) -> int:
    """Let the seat that is asked draw until a card comes that it can lay; return the last card, as a mask."""
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
    """Swap hands by a 7, or pass them on by a 0, unless it was the last card."""
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
    """Give ``seat``, which ``stood`` at one card before, another hand; with one card it counts as having called."""
    state.hands[seat] = hand
    state.counts[seat] = hand.bit_count()
    state.called &= ~BIT[seat]
    if state.counts[seat] == 1:
        state.called |= BIT[seat]
        if not stood:
            stand(state, seat)
