"""Remove a seat from a match that the others continue."""

from parlour_games.uno import rules
from parlour_games.uno.cards import BIT
from parlour_games.uno.events import Event
from parlour_games.uno.piles import bury
from parlour_games.uno.rounds import close_seat, end_match, end_round
from parlour_games.uno.state import AT_BREATH, AT_CHALLENGE, AT_COLOUR, AT_END, AT_PLAY, NOBODY, State


def leave(state: State, seat: int, why: str, log: list[Event]) -> None:
    """Remove ``seat`` (``why``: ``resigned`` or ``left``) and put its cards under the draw pile.

    An open question goes to the next seat. A Wild Draw Four that the seat had to answer and pending cards are dropped:
    no seat draws for them. Nothing happens if the seat is already out.
    """
    if state.phase == AT_END or state.out >> seat & 1:
        return
    following = state.ring[seat]
    asked = rules.legal(state) if state.phase < AT_BREATH else []
    bury(state, seat)
    _forget(state, seat)
    state.leavers.append(seat)
    close_seat(state, seat, why, log)
    if state.active == 1:
        end_match(state, tuple(state.still_in()), "last", log)
    elif seat == state.turn:
        _pass_question(state, following, log)
    elif asked and rules.legal(state) != asked:
        state.question += 1  # there is one seat less to swap hands with


def _forget(state: State, seat: int) -> None:
    state.passes = 0
    state.called &= ~BIT[seat]
    if seat == state.exposed:
        state.exposed = NOBODY
        state.held.clear()
    elif seat in state.held:
        state.held.remove(seat)


def _pass_question(state: State, seat: int, log: list[Event]) -> None:
    asked = state.resume if state.phase == AT_BREATH else state.phase
    if asked == AT_CHALLENGE and not state.evidence:
        end_round(state, state.offender, log)
        return
    state.drawn = state.pending = 0
    following = AT_COLOUR if asked == AT_COLOUR else AT_PLAY
    if state.phase == AT_BREATH:
        state.resume, following = following, AT_BREATH
    state.ask(seat, following)
