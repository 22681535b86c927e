"""Calling UNO late, catching a seat that has not called, and the reaction window (the *breath*) after a play.

``state.exposed`` is the only seat that can call or be caught rightly: until it is caught, it calls, or the next player
acts. Under ``false_call_penalty`` every seat with one card can be caught, usually wrongly.
"""

from parlour_games.uno.cards import BIT
from parlour_games.uno.events import Asked, Called, Caught, Event, Held, Mistaken
from parlour_games.uno.piles import available, take
from parlour_games.uno.state import AT_BREATH, NOBODY, State


def expose(state: State, seat: int) -> None:
    """Note that ``seat`` has one card and has not called, and open a reaction window, in which no seat has a turn."""
    state.exposed = seat
    _open_breath(state)


def allow_jumps(state: State, seat: int) -> None:
    """Open a reaction window after a play of ``seat``, whatever the other hands hold, so that it reveals nothing."""
    state.laid_by = seat
    _open_breath(state)


def _open_breath(state: State) -> None:
    state.occasion += 1
    if state.options.breath and state.phase != AT_BREATH:
        state.resume, state.phase = state.phase, AT_BREATH


def reach_one_card(state: State, seat: int) -> None:
    """Note that ``seat`` has one card left: every other seat may try once to catch it."""
    if state.options.false_call_penalty:
        state.occasion += 1
        state.stood = _with(state.stood, seat, state.occasion)
        state.claims = _with(state.claims, seat, 0)


def _with(items: tuple[int, ...], index: int, item: int) -> tuple[int, ...]:
    return (*items[:index], item, *items[index + 1 :])


def call(state: State, log: list[Event]) -> None:
    """Call UNO for the exposed seat. This takes effect immediately and voids the recorded catches."""
    log.append(Called(state.exposed))
    state.called |= BIT[state.exposed]
    _make_safe(state)


def catch(state: State, by: int, of: int, log: list[Event]) -> None:
    """Catch seat ``of`` for seat ``by``. In a reaction window it is recorded until the end, else it counts now."""
    if state.options.false_call_penalty:
        state.claims = _with(state.claims, of, state.claims[of] | BIT[by])
    if of != state.exposed:
        _punish_false_catch(state, by, of, log)
    elif state.phase == AT_BREATH:
        state.held.append(by)
        log.append(Held(by, of))
    else:
        _punish(state, by, log)


def end_breath(state: State, log: list[Event]) -> None:
    """End the reaction window: the first recorded catch counts, then the next question is asked."""
    close_breath(state, log)
    log.append(Asked(state.turn))


def close_breath(state: State, log: list[Event]) -> None:
    """Close the reaction window, if one is open. The first recorded catch counts."""
    if state.phase != AT_BREATH:
        return
    state.phase = state.resume
    if state.held:
        _punish(state, state.held[0], log)
        state.held.clear()


def _make_safe(state: State) -> None:
    """Protect the exposed seat from being caught."""
    state.exposed = NOBODY
    state.held.clear()


def _punish(state: State, by: int, log: list[Event]) -> None:
    seat = state.exposed
    state.exposed = NOBODY
    n = min(state.options.call_penalty, available(state))
    log.append(Caught(seat, by, n))
    _draw(state, seat, n, "caught", log)


def _punish_false_catch(state: State, by: int, of: int, log: list[Event]) -> None:
    n = min(state.options.false_call_penalty, available(state))
    log.append(Mistaken(by, of, n))
    _draw(state, by, n, "mistake", log)
    if n and by == state.exposed:
        _make_safe(state)


def _draw(state: State, seat: int, n: int, why: str, log: list[Event]) -> None:
    if n:
        take(state, seat, n, why, log)
        state.question += seat == state.turn
