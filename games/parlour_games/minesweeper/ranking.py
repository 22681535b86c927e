"""Ranks and scores. Rank 1 is a win: after a lost board all seats have rank 2."""

from collections.abc import Callable
from operator import attrgetter

from parlour_games.minesweeper.state import DONE, OUT, Player, State


def ranks(state: State, tie_break: Callable[[Player], int] = attrgetter("clicks")) -> tuple[int, ...]:
    """Return the rank of each seat. Ties share a rank.

    In a race, seats that cleared the board come first, by time with penalties, then by fewer clicks (``tie_break``);
    then the others by open cells, then by fewer clicks.
    """
    seats = range(len(state.players))
    if state.mode == "race":
        keys = [_race_key(state, seat, tie_break) for seat in seats]
        return tuple(1 + sum(other < key for other in keys) for key in keys)
    if state.mode == "duel":
        return tuple(1 if state.players[seat].status == DONE else 2 for seat in seats)
    return tuple(1 if state.why == "won" and state.players[seat].status != OUT else 2 for seat in seats)


def scores(state: State) -> tuple[int, ...]:
    """Return each seat's score: mines found in a duel, open cells in a race, cells opened by that seat otherwise."""
    if state.mode == "duel":
        return tuple(player.found for player in state.players)
    if state.mode == "race":
        return tuple(visible.open for visible in state.visible_boards)
    return tuple(player.opened for player in state.players)


def _race_key(state: State, seat: int, tie_break: Callable[[Player], int]) -> tuple[int, int, int]:
    player = state.players[seat]
    if player.status == DONE:
        return (0, state.time_of(seat), tie_break(player))
    return (1, -state.visible_boards[seat].open, player.clicks)
