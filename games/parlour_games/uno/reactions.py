"""Optional decisions out of turn: call UNO, catch a seat that has not called, jump in."""

from collections.abc import Iterator
from typing import TypeAlias

from parlour_games.uno.actions import CATCH_CODES, UNO
from parlour_games.uno.house_rules import jumps
from parlour_games.uno.state import AT_BREATH, NOBODY, State

Reaction: TypeAlias = tuple[int, str, list[int]]
"""Seat, key of the decision, and the codes of the actions it allows."""


def reactions(state: State) -> list[Reaction]:
    """Return all open reactions, ordered by seat. A seat without cards has none."""
    if state.phase > AT_BREATH:
        return []
    return [(seat, *reaction) for seat in state.still_in() if state.counts[seat] for reaction in _of(state, seat)]


def _of(state: State, seat: int) -> Iterator[tuple[str, list[int]]]:
    if seat == state.exposed:
        yield f"uno:{state.occasion}", [UNO]
    for of in _catchable(state):
        if of != seat and not _has_caught(state, seat, of):
            yield f"catch:{of}:{state.stood[of] or state.occasion}", [CATCH_CODES[of]]
    found = jumps(state, seat)
    if found:
        # A room compares the lists: penalty cards can turn the only jump, with the last card, into a swap of hands.
        yield f"jump:{state.occasion}:{len(found)}", found


def _catchable(state: State) -> list[int]:
    """Return the seats that can be caught, rightly or wrongly."""
    if state.options.false_call_penalty:
        return [seat for seat in state.still_in() if state.counts[seat] == 1]
    return [] if state.exposed == NOBODY else [state.exposed]


def _has_caught(state: State, seat: int, of: int) -> bool:
    return (of == state.exposed and seat in state.held) or bool(state.claims[of] >> seat & 1)
