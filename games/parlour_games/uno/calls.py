"""Standing at one card without a call: the breath, calling UNO late, catching who has not called.

Every name of this module acts on ``state.exposed``, the one seat that can call and be caught: until it is caught,
it calls, or the next player acts.
"""

from parlour_games.uno.cards import BIT
from parlour_games.uno.events import Asked, Called, Caught, Event, Held
from parlour_games.uno.piles import available, take
from parlour_games.uno.state import AT_BREATH, NOBODY, State


def expose(state: State, seat: int) -> None:
    """``seat`` stands at one card without a call: a breath begins, in which nobody has a turn."""
    state.exposed = seat
    state.occasion += 1
    if state.options.breath:
        state.resume, state.phase = state.phase, AT_BREATH


def call(state: State, log: list[Event]) -> None:
    """The exposed seat calls UNO: that counts at once and voids the catches held."""
    log.append(Called(state.exposed))
    state.called |= BIT[state.exposed]
    state.exposed = NOBODY
    state.held.clear()


def catch(state: State, by: int, log: list[Event]) -> None:
    """Seat ``by`` catches the exposed seat: held until the end of a breath, else it counts at once."""
    if state.phase == AT_BREATH:
        state.held.append(by)
        log.append(Held(by, state.exposed))
    else:
        _punish(state, by, log)


def end_breath(state: State, log: list[Event]) -> None:
    """The breath is over: the first catch held counts, then the next question is asked."""
    state.phase = state.resume
    if state.held:
        _punish(state, state.held[0], log)
        state.held.clear()
    log.append(Asked(state.turn))


def _punish(state: State, by: int, log: list[Event]) -> None:
    seat = state.exposed
    state.exposed = NOBODY
    n = min(state.options.call_penalty, available(state))
    log.append(Caught(seat, by, n))
    if n:
        take(state, seat, n, "caught", log)
        state.question += seat == state.turn
