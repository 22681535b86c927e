"""Which cards may be played on the top card."""

from parlour_games.uno.cards import COLOUR_MASK, DRAW_TWO, DRAW_TWOS, FOURS, MATCH, SYMBOL
from parlour_games.uno.options import Options
from parlour_games.uno.state import AT_DRAWN, State


def fitting(state: State) -> int:
    """Return the cards that fit the top card by colour or symbol, and can be stacked if any are pending, as a mask."""
    symbol = SYMBOL[state.pile[-1]]
    fits = MATCH[state.colour][symbol]
    return fits & stacking(state.options, symbol) if state.pending else fits


def stacking(options: Options, symbol: int) -> int:
    """Return the cards that may be stacked on ``symbol``, a Draw Two or a Wild Draw Four, as a mask."""
    two = options.stack2 if symbol == DRAW_TWO else options.stack_cross
    four = options.stack_cross if symbol == DRAW_TWO else options.stack4
    return (DRAW_TWOS if two else 0) | (FOURS if four else 0)


def is_bluff(state: State, hand: int) -> bool:
    """Whether playing a Wild Draw Four now breaks its condition. ``hand`` may include the card or not."""
    if state.options.strict_wild4:
        return bool(hand & fitting(state) & ~FOURS)
    return bool(hand & COLOUR_MASK[state.colour])


def playable(state: State) -> int:
    """Return the cards that the seat on turn may play, as a mask."""
    hand = state.hands[state.turn]
    mask = hand & fitting(state)
    if state.phase == AT_DRAWN:
        mask &= state.drawn
    if mask & FOURS and state.options.no_bluff and is_bluff(state, hand):
        mask &= ~FOURS
    return mask
