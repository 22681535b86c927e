"""Standing at one card: the breath, calling UNO late, catching who has not called.

``state.exposed`` is the one seat that can call and be caught: until it is caught, it calls, or the next player acts.
By the house rule of false calls all that stand at one card can be caught, most of them wrongly.
"""

from parlour_games.uno.cards import BIT
from parlour_games.uno.events import Asked, Called, Caught, Event, Held, Mistaken
from parlour_games.uno.piles import available, take
from parlour_games.uno.state import AT_BREATH, NOBODY, State


def expose(state: State, seat: int) -> None:
    """``seat`` stands at one card without a call: a breath begins, in which nobody has a turn."""
    state.exposed = seat
    _open_breath(state)


def offer_jumps(state: State, seat: int) -> None:
    """``seat`` has laid a card that others may jump in on: a breath begins, whatever anybody holds."""
    state.laid_by = seat
    _open_breath(state)


def _open_breath(state: State) -> None:
    state.occasion += 1
    if state.options.breath and state.phase != AT_BREATH:
        state.resume, state.phase = state.phase, AT_BREATH


def stand(state: State, seat: int) -> None:
    """``seat`` has come to stand at one card: whoever catches it wrongly may do so once."""
    if state.options.false_call_penalty:
        state.occasion += 1
        state.stood = _with(state.stood, seat, state.occasion)
        state.claims = _with(state.claims, seat, 0)


def _with(items: tuple[int, ...], index: int, item: int) -> tuple[int, ...]:
    return (*items[:index], item, *items[index + 1 :])


def call(state: State, log: list[Event]) -> None:
    """The exposed seat calls UNO: that counts at once and voids the catches held."""
    log.append(Called(state.exposed))
    state.called |= BIT[state.exposed]
    _safe(state)


def catch(state: State, by: int, of: int, log: list[Event]) -> None:
    """Seat ``by`` catches seat ``of``: held until the end of a breath, else it counts at once."""
    if state.options.false_call_penalty:
        state.claims = _with(state.claims, of, state.claims[of] | BIT[by])
    if of != state.exposed:
        _mistake(state, by, of, log)
    elif state.phase == AT_BREATH:
        state.held.append(by)
        log.append(Held(by, of))
    else:
        _punish(state, by, log)


def end_breath(state: State, log: list[Event]) -> None:
    """The breath is over: the first catch held counts, then the next question is asked."""
    cut_breath(state, log)
    log.append(Asked(state.turn))


def cut_breath(state: State, log: list[Event]) -> None:
    """End a breath, if there is one: the first catch held counts."""
    if state.phase != AT_BREATH:
        return
    state.phase = state.resume
    if state.held:
        _punish(state, state.held[0], log)
        state.held.clear()


def _safe(state: State) -> None:
    """The exposed seat cannot be caught any more."""
    state.exposed = NOBODY
    state.held.clear()


def _punish(state: State, by: int, log: list[Event]) -> None:
    seat = state.exposed
    state.exposed = NOBODY
    n = min(state.options.call_penalty, available(state))
    log.append(Caught(seat, by, n))
    _draw(state, seat, n, "caught", log)


def _mistake(state: State, by: int, of: int, log: list[Event]) -> None:
    n = min(state.options.false_call_penalty, available(state))
    log.append(Mistaken(by, of, n))
    _draw(state, by, n, "mistake", log)
    if n and by == state.exposed:
        _safe(state)


def _draw(state: State, seat: int, n: int, why: str, log: list[Event]) -> None:
    if n:
        take(state, seat, n, why, log)
        state.question += seat == state.turn
