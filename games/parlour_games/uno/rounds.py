"""Start and end rounds and matches."""

from collections.abc import Callable

from parlour_games.uno.cards import COLOUR, COLOURS, DRAW_TWO, REVERSE, SKIP, SYMBOL, WILD
from parlour_games.uno.events import Event, MatchEnded, Out, Reversed, RoundDealt, RoundEnded, Skipped
from parlour_games.uno.piles import deal, take
from parlour_games.uno.scoring import SCORING, eliminated, hand_points
from parlour_games.uno.state import AT_COLOUR, AT_END, AT_PAUSE, AT_PLAY, NO_COLOUR, NOBODY, State, rings


def begin_round(state: State, log: list[Event]) -> None:
    """Deal the next round. The first dealer is random (label ``start`` of the first deal), then seats take turns."""
    state.round += 1
    state.stream = state.fair.deal(state.round)
    up, _ = rings(state.seats, state.out)
    state.dealer = up[state.dealer] if state.round > 1 else state.stream.label("start").below(state.seats)
    state.reshuffles = state.passes = state.called = 0
    state.direction = 1
    state.follow()
    top = deal(state)
    own = COLOUR[top]
    state.colour = NO_COLOUR if own is None else own
    log.append(RoundDealt(state.round, state.dealer, top, None if own is None else COLOURS[own], tuple(state.hands)))
    _FIRST_CARD.get(SYMBOL[top], _plain_start)(state, up[state.dealer], log)


def turn_round(state: State, log: list[Event]) -> None:
    """Reverse the direction of play."""
    state.direction = -state.direction
    state.follow()
    log.append(Reversed(state.direction))


def _plain_start(state: State, first: int, _: list[Event]) -> None:
    state.ask(first, AT_PLAY)


def _skip_start(state: State, first: int, log: list[Event]) -> None:
    log.append(Skipped(first))
    state.ask(state.ring[first], AT_PLAY)


def _reverse_start(state: State, first: int, log: list[Event]) -> None:
    if state.active == 2:
        _skip_start(state, first, log)
    else:
        turn_round(state, log)
        state.ask(state.dealer, AT_PLAY)


def _draw_two_start(state: State, first: int, log: list[Event]) -> None:
    take(state, first, 2, "first", log)
    state.ask(state.ring[first], AT_PLAY)


def _wild_start(state: State, first: int, _: list[Event]) -> None:
    state.ask(first, AT_COLOUR)


_FIRST_CARD: dict[int, Callable[[State, int, list[Event]], None]] = {
    SKIP: _skip_start,
    REVERSE: _reverse_start,
    DRAW_TWO: _draw_two_start,
    WILD: _wild_start,
}
"""The effect of a first card, by symbol."""


def end_round(state: State, winner: int | None, log: list[Event]) -> None:
    """Score a round won by ``winner``, then end the match, start a pause, or deal the next round."""
    scoring = SCORING[state.options.scoring]
    points = hand_points(state)
    scoring.count(state, winner, points)
    state.turn = state.exposed = NOBODY
    state.drawn = state.pending = 0
    log.append(RoundEnded(winner, points, tuple(state.scores)))
    for seat in eliminated(state):
        state.fell[seat] = state.round
        close_seat(state, seat, "points", log)
    winners = scoring.winners(state, winner)
    if len(winners) == 1:
        end_match(state, tuple(winners), "round" if state.options.scoring == "single" else "target", log)
    elif state.options.pause:
        state.phase = AT_PAUSE
    else:
        begin_round(state, log)


def close_seat(state: State, seat: int, why: str, log: list[Event]) -> None:
    """Mark ``seat`` as out and remove it from the order of play."""
    state.out |= 1 << seat
    state.follow()
    log.append(Out(seat, why))


def end_match(state: State, winners: tuple[int, ...], why: str, log: list[Event]) -> None:
    """End the match. Ties have been played off, so ``winners`` is one seat."""
    state.phase = AT_END
    state.turn = state.exposed = state.laid_by = NOBODY
    state.pending = 0
    state.winners = winners
    state.why = why
    log.append(MatchEnded(winners))
