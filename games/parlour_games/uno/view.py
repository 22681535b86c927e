"""Everything that leaves a state: the views of seats and spectators, and events as each viewer may see them.

Both are allow-lists. Only its own seat sees a hand, also one received from another seat. Only the challenger sees the
hand behind a Wild Draw Four, only the catcher a recorded catch, and no viewer the order of the deck.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from parlour_games.game import Plain
from parlour_games.uno import events
from parlour_games.uno.cards import COLOURS, cards_in
from parlour_games.uno.events import Event
from parlour_games.uno.options import MAX_SEATS
from parlour_games.uno.state import AT_BREATH, AT_CHALLENGE, AT_DRAWN, NO_COLOUR, NOBODY, PHASES, State


def public(state: State) -> Plain:
    """Return the public view. ``counts`` and ``scores`` are indexed by seat.

    ``exposed`` is left out while no seat can be caught, ``pending`` when it is 0, ``of`` and ``before`` unless a Wild
    Draw Four is to be answered.
    """
    shown: Plain = {
        "phase": PHASES[state.phase],
        "round": state.round,
        "dealer": state.dealer,
        "turn": state.turn if state.phase < AT_BREATH else None,
        "direction": state.direction,
        "colour": None if state.colour == NO_COLOUR else COLOURS[state.colour],
        "top": state.pile[-1],
        "counts": [*state.counts],
        "called": _seats(state.called),
        "out": _seats(state.out),
        "deck": len(state.deck),
        "scores": [*state.scores],
    }
    if state.exposed != NOBODY:
        shown["exposed"] = state.exposed
    if state.pending:
        shown["pending"] = state.pending
    if state.phase == AT_CHALLENGE:
        shown |= {"of": state.offender, "before": COLOURS[state.before]}
    return shown


def view(state: State, viewer: int | None) -> Plain:
    """Return the public view with the viewer's own ``hand`` and, while it may be played, the card just ``drawn``."""
    if state.public is None:
        state.public = public(state)
    if viewer is None:
        return state.public
    shown = {**state.public, "hand": _hand(state.hands[viewer])}
    if state.phase == AT_DRAWN and viewer == state.turn:
        shown["drawn"] = state.drawn.bit_length() - 1 if state.drawn else None
    return shown


@cache
def _seats(mask: int) -> list[int]:
    """Return the seats in a mask. Cached and shared like hands."""
    return [seat for seat in range(MAX_SEATS) if mask >> seat & 1]


@lru_cache(maxsize=4096)
def _hand(mask: int) -> list[int]:
    """Return the cards of a hand. Cached, because most hands stay the same from move to move."""
    return cards_in(mask)


def announce(event: Event) -> Plain | None:
    """Return the event as all viewers but ``insiders`` see it; None: ``redact`` has to decide."""
    show = _ANNOUNCED.get(type(event))
    return show(event) if show is not None else None


def insiders(event: Event) -> tuple[int, ...]:
    """Return the seat that sees more of the event than ``announce`` shows."""
    return (event.seat,) if type(event) is events.Drawn or type(event) is events.Challenged else ()


def redact(event: Event, viewer: int | None) -> Plain | None:
    """Return the event as ``viewer`` may see it, None if it is secret from this viewer."""
    show = _BY_VIEWER.get(type(event))
    return announce(event) if show is None else show(event, viewer)


def _deal(event: events.RoundDealt, viewer: int | None) -> Plain:
    shown: Plain = {"e": "deal", "round": event.round, "dealer": event.dealer, "top": event.top, "colour": event.colour}
    if viewer is not None:
        shown["hand"] = cards_in(event.hands[viewer])
    return shown


def _played(event: events.Played) -> Plain:
    shown: Plain = {"e": "play", "seat": event.seat, "card": event.card}
    if event.colour is not None:
        shown["colour"] = event.colour
    if event.uno:
        shown["uno"] = True
    if event.jump:
        shown["jump"] = True
    if event.swap is not None:
        shown["swap"] = event.swap
    if event.cards:
        shown["cards"] = list(event.cards)
    return shown


def _swapped(event: events.Swapped, viewer: int | None) -> Plain:
    shown: Plain = {"e": "swap", "seat": event.seat, "of": event.of}
    if viewer in (event.seat, event.of):
        shown["hand"] = cards_in(event.hands[viewer == event.of])
    return shown


def _rotated(event: events.Rotated, viewer: int | None) -> Plain:
    shown: Plain = {"e": "rotate", "direction": event.direction}
    if viewer is not None:
        shown["hand"] = cards_in(event.hands[viewer])
    return shown


def _drawn(event: events.Drawn, viewer: int | None = None) -> Plain:
    shown: Plain = {"e": "draw", "seat": event.seat, "n": len(event.cards), "why": event.why}
    if viewer == event.seat:
        shown["cards"] = event.cards
    return shown


def _challenged(event: events.Challenged, viewer: int | None = None) -> Plain:
    shown: Plain = {"e": "challenge", "seat": event.seat, "of": event.of, "guilty": event.guilty}
    if viewer == event.seat:
        shown["hand"] = cards_in(event.hand)
    return shown


def _held(event: events.Held, viewer: int | None) -> Plain | None:
    return {"e": "held", "seat": event.seat, "of": event.of} if viewer == event.seat else None


def _round_ended(event: events.RoundEnded) -> Plain:
    return {"e": "round", "winner": event.winner, "points": list(event.points), "scores": list(event.scores)}


_BY_VIEWER: dict[type, Callable[[Any, int | None], Plain | None]] = {
    events.RoundDealt: _deal,
    events.Swapped: _swapped,
    events.Rotated: _rotated,
    events.Drawn: _drawn,
    events.Challenged: _challenged,
    events.Held: _held,
}
_ANNOUNCED: dict[type, Callable[[Any], Plain]] = {
    events.Played: _played,
    events.Drawn: _drawn,
    events.Challenged: _challenged,
    events.RoundEnded: _round_ended,
    events.Passed: lambda event: {"e": "pass", "seat": event.seat},
    events.Skipped: lambda event: {"e": "skip", "seat": event.seat},
    events.Reversed: lambda event: {"e": "reverse", "direction": event.direction},
    events.Named: lambda event: {"e": "colour", "seat": event.seat, "colour": event.colour},
    events.Called: lambda event: {"e": "uno", "seat": event.seat},
    events.Caught: lambda event: {"e": "caught", "seat": event.seat, "by": event.by, "n": event.n},
    events.Mistaken: lambda event: {"e": "mistake", "seat": event.seat, "of": event.of, "n": event.n},
    events.Accepted: lambda event: {"e": "accept", "seat": event.seat},
    events.Asked: lambda event: {"e": "turn", "seat": event.seat},
    events.Reshuffled: lambda event: {"e": "reshuffle", "deck": event.deck},
    events.Out: lambda event: {"e": "out", "seat": event.seat, "why": event.why},
    events.MatchEnded: lambda event: {"e": "match", "winners": list(event.winners)},
}
