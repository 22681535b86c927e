"""What seats may do out of turn: call UNO, catch who has not, jump in."""

from collections.abc import Iterator
from typing import TypeAlias

from parlour_games.uno.actions import CATCH_CODES, UNO
from parlour_games.uno.house_rules import jumps
from parlour_games.uno.state import AT_BREATH, NOBODY, State

Offer: TypeAlias = tuple[int, str, list[int]]
"""Seat, key, and the codes of what it may do."""


def offers(state: State) -> list[Offer]:
    """Return all that is on offer, ordered by seat. A seat without cards is offered nothing."""
    if state.phase > AT_BREATH:
        return []
    return [(seat, *offer) for seat in state.still_in() if state.counts[seat] for offer in _to(state, seat)]


def _to(state: State, seat: int) -> Iterator[tuple[str, list[int]]]:
    if seat == state.exposed:
        yield f"uno:{state.occasion}", [UNO]
    for of in _standing(state):
        if of != seat and not _has_caught(state, seat, of):
            yield f"catch:{of}:{state.stood[of] or state.occasion}", [CATCH_CODES[of]]
    found = jumps(state, seat)
    if found:
        # As long as the occasion lasts, cards drawn and seats left behind only shorten the list.
        yield f"jump:{state.occasion}:{len(found)}", found


def _standing(state: State) -> list[int]:
    """Return the seats that can be caught, rightly or wrongly."""
    if state.options.false_call_penalty:
        return [seat for seat in state.still_in() if state.counts[seat] == 1]
    return [] if state.exposed == NOBODY else [state.exposed]


def _has_caught(state: State, seat: int, of: int) -> bool:
    return (of == state.exposed and seat in state.held) or bool(state.claims[of] >> seat & 1)
