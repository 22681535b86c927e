"""Explain why an action is illegal and what is allowed, using only what its player can see."""

from parlour_games.uno import rules
from parlour_games.uno.actions import DRAW, Accept, Action, Catch, Challenge, Colour, Draw, Jump, Pass, Play
from parlour_games.uno.cards import BIT, CARDS, COLOUR, COLOURS, MATCH, NAMES, SYMBOL, WILD
from parlour_games.uno.house_rules import HANDS_SWAP, moves_hands
from parlour_games.uno.matching import fitting
from parlour_games.uno.state import AT_CHALLENGE, AT_DRAWN, AT_PLAY, PHASES, State

CLOSED = "that decision is not open: answer the one you are asked now"
NOT_HELD = "you hold no such card: play one of the cards in your hand"
_A_COLOUR = "red, yellow, green or blue"

_ALLOWED = {
    "play": "play a card or draw one",
    "drawn": "play the card you have drawn, or pass",
    "challenge": "accept four cards, or challenge the Wild Draw Four",
    "colour": f"name the colour of the first card: {_A_COLOUR}",
}
_FITTING: dict[type, tuple[str, ...]] = {
    Play: ("play", "drawn"),
    Draw: ("play",),
    Pass: ("drawn",),
    Accept: ("challenge",),
    Challenge: ("challenge",),
    Colour: ("colour",),
}
"""The phases in which an action can be legal while no cards are pending."""


def why_not(state: State, action: Action) -> str:
    """Return why ``action`` is not legal as the answer to the open required decision."""
    if isinstance(action, Play) and _may_play(state):
        return _why_not_play(state, action)
    if state.pending:
        return f"{action.do} is not possible now: {_against_pending(state)}"
    phase = PHASES[state.phase]
    if phase not in _FITTING.get(type(action), ()):
        return f"{action.do} is not possible now: {_ALLOWED[phase]}"
    if isinstance(action, Draw | Pass):
        return f"under force_play you may {action.do} only if you cannot play: play a card"
    return f"there is no such colour: name {_A_COLOUR}"


def why_not_reaction(action: Action, allowed: Action) -> str:
    """Return why ``action`` does not answer an optional decision that allows ``allowed``."""
    possible = "call UNO"
    if isinstance(allowed, Catch):
        possible = f"catch seat {allowed.seat}"
    elif isinstance(allowed, Jump):
        other = "" if allowed.swap is None else ", swapping hands with another seat"
        possible = f"jump in with {NAMES[allowed.card]}{other}"
    return f"{action.do} is not possible here: {possible}, or do nothing"


def why_not_several(state: State, play: Play) -> str | None:
    """Return why the cards of ``play`` may not be played together now, None if they may."""
    cards = play.cards or ()
    if not state.options.multi_play:
        return "only the house rule multi_play allows several cards together: play one card"
    if state.phase != AT_PLAY or state.pending:
        return "several cards may be played together only on your own turn, before drawing"
    if len(set(cards)) < max(2, len(cards)) or play.card is not None:
        return "cards needs at least two different cards, and replaces card"
    if any(not _holds(state, card) for card in cards):
        return NOT_HELD
    if len({SYMBOL[card] for card in cards}) > 1 or SYMBOL[cards[0]] > 9:
        return "cards played together must all have the same number"
    if not fitting(state) & BIT[cards[0]]:
        return f"the first card must match: {NAMES[cards[0]]} does not (needs {_matching(state)})"
    if play.colour is not None:
        return "only a wild takes a colour: leave it out"
    return _why_not_call_or_swap(state, play, cards[-1], state.counts[state.turn] - len(cards))


def _may_play(state: State) -> bool:
    """Whether any play can answer the open decision."""
    if state.phase == AT_CHALLENGE:
        return state.pending > 0 and state.evidence != 0
    return state.phase in (AT_PLAY, AT_DRAWN)


def _holds(state: State, card: int) -> bool:
    return 0 <= card < CARDS and bool(state.hands[state.turn] & BIT[card])


def _why_not_play(state: State, play: Play) -> str:
    card = play.card
    if card is None:
        return "play needs a card"
    if not _holds(state, card):
        return NOT_HELD
    if state.phase == AT_DRAWN and not state.drawn & BIT[card]:
        return f"after drawing you may play only the card you drew: {_instead(state)}"
    if not MATCH[state.colour][SYMBOL[state.pile[-1]]] & BIT[card]:
        return f"{NAMES[card]} does not match (needs {_matching(state)}): {_instead(state)}"
    if not fitting(state) & BIT[card]:
        return f"{NAMES[card]} cannot be stacked here: {_against_pending(state)}"
    if COLOUR[card] is not None and play.colour is not None:
        return "only a wild takes a colour: leave it out"
    if COLOUR[card] is None and play.colour not in COLOURS:
        return f"a wild needs a colour: {_A_COLOUR}"
    reason = _why_not_call_or_swap(state, play, card, state.counts[state.turn] - 1)
    return reason or f"a wild draw four may be played only with {_condition(state)} in hand: {_instead(state)}"


def _why_not_call_or_swap(state: State, play: Play, card: int, left: int) -> str | None:
    """Return what is wrong with the call or the swap of a play of ``card`` that leaves ``left`` cards."""
    moves = moves_hands(state, card) and left > 0
    swaps = moves and SYMBOL[card] == HANDS_SWAP
    others = [seat for seat in state.still_in() if seat != state.turn]
    if swaps and play.swap not in others:
        return f"a 7 swaps hands: give the other seat as swap, one of {', '.join(map(str, others))}"
    if not swaps and play.swap is not None:
        return "only a 7 takes a swap, under seven_zero and not as last card: leave it out"
    if play.uno and moves:
        return f"{NAMES[card]} gives your hand away, so there is nothing to call: play it without uno"
    if play.uno and left != 1:
        return f"UNO is called with the play that leaves one card; this one leaves {left}: play it without uno"
    return None


def _condition(state: State) -> str:
    return "no other card that fits" if state.options.strict_wild4 else f"no {COLOURS[state.colour]} card"


def _against_pending(state: State) -> str:
    stacks = "stack a card" if any(code < DRAW for code in rules.legal(state)) else ""
    challenge = "challenge" if state.phase == AT_CHALLENGE else ""
    return ", or ".join(filter(None, (stacks, f"accept {state.pending} cards", challenge)))


def _instead(state: State) -> str:
    if state.pending:
        return _against_pending(state)
    if state.phase == AT_PLAY:
        return "play another card, or draw"
    return f"play {NAMES[state.drawn.bit_length() - 1]} if it fits, or pass" if state.drawn else "pass"


def _matching(state: State) -> str:
    top = state.pile[-1]
    alike = "" if SYMBOL[top] >= WILD else f"another {NAMES[top].split(' ', 1)[1]}, "
    return f"a {COLOURS[state.colour]} card, {alike}or a wild"
