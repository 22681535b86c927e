"""Score rounds, find winners and ranks, for each value of the option ``scoring``."""

from collections.abc import Callable

import attrs

from parlour_games.uno.cards import points_in
from parlour_games.uno.state import State

Points = tuple[int, ...]


def hand_points(state: State) -> Points:
    """Return the points of each hand, by seat."""
    return tuple(points_in(hand) for hand in state.hands)


def stuck_winner(state: State) -> int | None:
    """Return the winner of a stuck round: the seat with the fewest points in hand, None after a tie."""
    points = hand_points(state)
    fewest = min(points[seat] for seat in state.still_in())
    seats = [seat for seat in state.still_in() if points[seat] == fewest]
    return seats[0] if len(seats) == 1 else None


def _winner_takes(state: State, winner: int | None, points: Points) -> None:
    if winner is not None:
        state.scores[winner] += sum(points) - points[winner]


def _all_keep(state: State, _: int | None, points: Points) -> None:
    state.scores = [score + own for score, own in zip(state.scores, points, strict=True)]


def _best(state: State, seats: list[int], sign: int) -> list[int]:
    best = min(sign * state.scores[seat] for seat in seats)
    return [seat for seat in seats if sign * state.scores[seat] == best]


def _reached(state: State) -> list[int]:
    return [seat for seat in state.still_in() if state.scores[seat] >= state.options.target]


def _race_winners(state: State, _: int | None) -> list[int]:
    return _best(state, state.still_in(), -1) if _reached(state) else []


def _lowest_winners(state: State, _: int | None) -> list[int]:
    return _best(state, state.still_in(), 1) if _reached(state) else []


def _single_winners(state: State, winner: int | None) -> list[int]:
    return [winner] if winner in state.still_in() and winner is not None else []


def _last_winners(state: State, _: int | None) -> list[int]:
    return state.still_in() if state.active == 1 else []


@attrs.frozen
class Scoring:
    """A way of scoring. ``count`` adds a round, ``winners`` returns the leaders if the match may end now."""

    count: Callable[[State, int | None, Points], None]
    winners: Callable[[State, int | None], list[int]]
    sign: int
    """-1 if the highest total is best, 1 if the lowest is."""
    eliminates: bool = False


SCORING = {
    "race": Scoring(_winner_takes, _race_winners, sign=-1),
    "lowest": Scoring(_all_keep, _lowest_winners, sign=1),
    "elimination": Scoring(_all_keep, _last_winners, sign=1, eliminates=True),
    "single": Scoring(_winner_takes, _single_winners, sign=-1),
}


def eliminated(state: State) -> list[int]:
    """Return the seats that this round eliminates: those that have reached the target.

    If that would be all seats, those with the lowest total stay in, to win or to play off a tie.
    """
    reached = _reached(state) if SCORING[state.options.scoring].eliminates else []
    if len(reached) < state.active:
        return reached
    saved = _best(state, reached, 1)
    return [seat for seat in reached if seat not in saved]


def ranks(state: State) -> tuple[int, ...]:
    """Return the rank of each seat. 1 is best, and ties share a rank.

    Seats that left rank behind all others, the last to leave first. Eliminated seats rank by the round in which they
    reached the target, the latest first. Otherwise the totals decide.
    """
    sign = SCORING[state.options.scoring].sign

    def standing(seat: int) -> tuple[int, bool, int, int]:
        left = len(state.leavers) - state.leavers.index(seat) if seat in state.leavers else 0
        fell = state.round + 1 - state.fell[seat] if state.fell[seat] else 0
        return left, seat not in state.winners, fell, sign * state.scores[seat]

    standings = [standing(seat) for seat in range(state.seats)]
    return tuple(1 + sum(other < own for other in standings) for own in standings)
