"""Why an action was refused: what was wrong and what is allowed, told from what its player sees anyway."""

from parlour_games.uno.actions import Accept, Action, Catch, Challenge, Colour, Draw, Pass, Play
from parlour_games.uno.cards import BIT, CARDS, COLOUR, COLOURS, MATCH, NAMES, SYMBOL, WILD
from parlour_games.uno.state import AT_DRAWN, AT_PLAY, PHASES, State

CLOSED = "that question is not open: answer one that is asked of you now"
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
"""The phases in which a kind of answer can be right."""


def why_not(state: State, action: Action) -> str:
    """Return why ``action`` is no legal answer to the open obligation."""
    phase = PHASES[state.phase]
    if phase not in _FITTING.get(type(action), ()):
        return f"{action.do} is no answer here: {_ALLOWED[phase]}"
    if isinstance(action, Play):
        return _why_not_play(state, action)
    return f"there is no such colour: name {_A_COLOUR}"


def why_not_offer(action: Action, offered: Action) -> str:
    """Return why ``action`` is no answer to an offer of ``offered``."""
    chance = f"catch seat {offered.seat}" if isinstance(offered, Catch) else "call UNO"
    return f"{action.do} is no answer here: this is the chance to {chance}, or to let it be"


def _why_not_play(state: State, play: Play) -> str:
    card = play.card
    if not 0 <= card < CARDS or not state.hands[state.turn] & BIT[card]:
        return NOT_HELD
    if state.phase == AT_DRAWN and not state.drawn & BIT[card]:
        return f"after drawing you may play only the card you drew: {_instead(state)}"
    if not MATCH[state.colour][SYMBOL[state.pile[-1]]] & BIT[card]:
        return f"{NAMES[card]} does not match, that takes {_matching(state)}: {_instead(state)}"
    if COLOUR[card] is not None and play.colour is not None:
        return "only a wild takes a colour: leave it out"
    if COLOUR[card] is None and play.colour not in COLOURS:
        return f"a wild needs a colour: {_A_COLOUR}"
    left = state.counts[state.turn] - 1
    if play.uno and left != 1:
        return f"UNO is called with the play that leaves one card, this one leaves {left}: play it without uno"
    return f"a wild draw four may be played only by who holds {_condition(state)}: {_instead(state)}"


def _condition(state: State) -> str:
    return "no other card that fits" if state.options.strict_wild4 else f"no {COLOURS[state.colour]} card"


def _instead(state: State) -> str:
    if state.phase == AT_PLAY:
        return "play another card, or draw"
    return f"play {NAMES[state.drawn.bit_length() - 1]} if it fits, or pass" if state.drawn else "pass"


def _matching(state: State) -> str:
    top = state.pile[-1]
    alike = "" if SYMBOL[top] >= WILD else f"another {NAMES[top].split(' ', 1)[1]}, "
    return f"a {COLOURS[state.colour]} card, {alike}or a wild"
