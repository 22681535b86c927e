"""Explain why an action is illegal and what is allowed, using only what its player can see."""

from parlour_games.game import IllegalAction, Plain
from parlour_games.uno import rules
from parlour_games.uno.actions import DRAW, Accept, Action, Catch, Challenge, Colour, Draw, Jump, Pass, Play
from parlour_games.uno.cards import BIT, CARDS, COLOUR, COLOURS, MATCH, NAMES, SYMBOL, WILD
from parlour_games.uno.house_rules import HANDS_SWAP, moves_hands
from parlour_games.uno.piles import fitting
from parlour_games.uno.state import AT_CHALLENGE, AT_DRAWN, AT_PLAY, PHASES, State

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


def closed() -> IllegalAction:
    """Return the refusal of an answer to a decision that is not open."""
    return IllegalAction("that decision is not open: answer the open one", "closed")


def why_not(state: State, action: Action) -> IllegalAction:
    """Return why ``action`` is not legal as the answer to the open required decision."""
    if isinstance(action, Play) and _may_play(state):
        return _why_not_play(state, action)
    if state.pending:
        why = f"{action.do} is not possible now: {_against_pending(state)}"
        return IllegalAction(why, "pending", do=action.do, **_pending(state))
    phase = PHASES[state.phase]
    if phase not in _FITTING.get(type(action), ()):
        return IllegalAction(f"{action.do} is not possible now: {_ALLOWED[phase]}", "phase", do=action.do, phase=phase)
    if isinstance(action, Draw | Pass):
        forced = f"under force_play you may {action.do} only if you cannot play: play a card"
        return IllegalAction(forced, "forced", do=action.do)
    return IllegalAction(f"there is no such colour: name {_A_COLOUR}", "colour")


def why_not_reaction(action: Action, allowed: Action) -> IllegalAction:
    """Return why ``action`` does not answer an optional decision that allows ``allowed``."""
    possible = "call UNO"
    if isinstance(allowed, Catch):
        possible = f"catch seat {allowed.seat}"
    elif isinstance(allowed, Jump):
        other = "" if allowed.swap is None else ", swapping hands with another seat"
        possible = f"jump in with {NAMES[allowed.card]}{other}"
    why = f"{action.do} is not possible here: {possible}, or do nothing"
    return IllegalAction(why, "reaction", do=action.do, allowed=allowed.do)


def why_not_several(state: State, play: Play) -> IllegalAction | None:
    """Return why the cards of ``play`` may not be played together now, None if they may."""
    cards = play.cards or ()
    if not state.options.multi_play:
        return IllegalAction("several cards together need the house rule multi_play: play one card", "several")
    if state.phase != AT_PLAY or state.pending:
        late = "several cards may be played together only on your own turn, before drawing"
        return IllegalAction(late, "several_later")
    if len(set(cards)) < max(2, len(cards)) or play.card is not None:
        return IllegalAction("cards must be at least two different cards, without card", "several_cards")
    if any(not _holds(state, card) for card in cards):
        return _not_held()
    if len({SYMBOL[card] for card in cards}) > 1 or SYMBOL[cards[0]] > 9:
        return IllegalAction("cards played together must all have the same number", "several_numbers")
    if not fitting(state) & BIT[cards[0]]:
        why = f"the first card must match: {NAMES[cards[0]]} does not (needs {_matching(state)})"
        return IllegalAction(why, "first_card", **_top(state))
    if play.colour is not None:
        return _no_colour()
    return _why_not_call_or_swap(state, play, cards[-1], state.counts[state.turn] - len(cards))


def _not_held() -> IllegalAction:
    return IllegalAction("you do not hold that card: play a card from your hand", "not_held")


def _no_colour() -> IllegalAction:
    return IllegalAction("only a wild takes a colour: leave it out", "no_colour")


def _may_play(state: State) -> bool:
    """Whether any play can answer the open decision."""
    if state.phase == AT_CHALLENGE:
        return state.pending > 0 and state.evidence != 0
    return state.phase in (AT_PLAY, AT_DRAWN)


def _holds(state: State, card: int) -> bool:
    return 0 <= card < CARDS and bool(state.hands[state.turn] & BIT[card])


def _why_not_play(state: State, play: Play) -> IllegalAction:
    card = play.card
    if card is None:
        return IllegalAction("play needs a card", "card")
    if not _holds(state, card):
        return _not_held()
    if state.phase == AT_DRAWN and not state.drawn & BIT[card]:
        return IllegalAction(f"after drawing you may play only the card you drew: {_instead(state)}", "drawn")
    if not MATCH[state.colour][SYMBOL[state.pile[-1]]] & BIT[card]:
        why = f"{NAMES[card]} does not match (needs {_matching(state)}): {_instead(state)}"
        return IllegalAction(why, "unfit", **_top(state))
    if not fitting(state) & BIT[card]:
        why = f"{NAMES[card]} cannot be stacked here: {_against_pending(state)}"
        return IllegalAction(why, "stack", **_pending(state))
    if COLOUR[card] is not None and play.colour is not None:
        return _no_colour()
    if COLOUR[card] is None and play.colour not in COLOURS:
        return IllegalAction(f"a wild needs a colour: {_A_COLOUR}", "wild")
    reason = _why_not_call_or_swap(state, play, card, state.counts[state.turn] - 1)
    alone = "no other card that fits" if state.options.strict_wild4 else f"no {COLOURS[state.colour]} card"
    four = f"a wild draw four may be played only with {alone} in hand: {_instead(state)}"
    return reason or IllegalAction(four, "four", strict=state.options.strict_wild4)


def _why_not_call_or_swap(state: State, play: Play, card: int, left: int) -> IllegalAction | None:
    """Return what is wrong with the call or the swap of a play of ``card`` that leaves ``left`` cards."""
    moves = moves_hands(state, card) and left > 0
    swaps = moves and SYMBOL[card] == HANDS_SWAP
    others = [seat for seat in state.still_in() if seat != state.turn]
    if swaps and play.swap not in others:
        why = f"a 7 swaps hands: give the other seat as swap, one of {', '.join(map(str, others))}"
        return IllegalAction(why, "swap")
    if not swaps and play.swap is not None:
        return IllegalAction(
            "swap is only for a 7 under seven_zero that is not your last card: leave it out", "no_swap"
        )
    if play.uno and moves:
        why = f"{NAMES[card]} gives your hand away, so there is nothing to call: play it without uno"
        return IllegalAction(why, "hand_moves")
    if play.uno and left != 1:
        why = f"UNO is called with the play that leaves one card; this one leaves {left}: play it without uno"
        return IllegalAction(why, "early_call", left=left)
    return None


def _pending(state: State) -> Plain:
    """Return what may be done against the pending cards, as fields of a phrase."""
    stack = any(code < DRAW for code in rules.legal(state))
    return {"n": state.pending, "stack": stack, "challenge": state.phase == AT_CHALLENGE}


def _against_pending(state: State) -> str:
    may = _pending(state)
    stacks, challenge = "stack a card" if may["stack"] else "", "challenge" if may["challenge"] else ""
    return ", or ".join(filter(None, (stacks, f"accept {state.pending} cards", challenge)))


def _instead(state: State) -> str:
    if state.pending:
        return _against_pending(state)
    if state.phase == AT_PLAY:
        return "play another card, or draw"
    return f"play {NAMES[state.drawn.bit_length() - 1]} if it fits, or pass" if state.drawn else "pass"


def _top(state: State) -> Plain:
    """Return what a card has to match, as fields of a phrase."""
    sign = SYMBOL[state.pile[-1]]
    return {"colour": COLOURS[state.colour], "sign": None if sign >= WILD else sign}


def _matching(state: State) -> str:
    top = state.pile[-1]
    alike = "" if SYMBOL[top] >= WILD else f"another {NAMES[top].split(' ', 1)[1]}, "
    return f"a {COLOURS[state.colour]} card, {alike}or a wild"
