"""The rules of a round: what may be done and what it does.

An obligation is answered by ``act``, with one of the codes that ``legal`` lists. Nothing here checks legality twice:
callers ask ``legal`` first. Calling UNO after the play is in ``calls``.
"""

from collections.abc import Callable
from functools import cache

from parlour_games.uno.actions import (
    ACCEPT,
    CALLING_PLAYS,
    CHALLENGE,
    COLOUR_CODES,
    DRAW,
    PASS,
    SILENT,
    SILENT_PLAYS,
)
from parlour_games.uno.calls import expose
from parlour_games.uno.cards import (
    BIT,
    COLOUR_MASK,
    COLOURS,
    DRAW_TWO,
    FIRST_WILD,
    FOURS,
    MATCH,
    REVERSE,
    SKIP,
    SYMBOL,
    WILD_FOUR,
)
from parlour_games.uno.events import (
    Accepted,
    Challenged,
    Event,
    Named,
    Passed,
    Played,
    Skipped,
)
from parlour_games.uno.piles import take
from parlour_games.uno.rounds import end_round, turn_round
from parlour_games.uno.scoring import lightest
from parlour_games.uno.state import (
    AT_CHALLENGE,
    AT_COLOUR,
    AT_DRAWN,
    AT_PLAY,
    NOBODY,
    State,
)

Log = list[Event]


def legal(state: State) -> list[int]:
    """Return the codes of all answers to the open obligation: plays by ascending card, then draw or pass."""
    if state.phase > AT_DRAWN:
        return [*_FIXED.get(state.phase, ())]
    seat = state.turn
    hand = state.hands[seat]
    mask = hand & MATCH[state.colour][SYMBOL[state.pile[-1]]]
    if state.phase == AT_DRAWN:
        mask &= state.drawn
    if mask & FOURS and state.options.no_bluff and is_bluff(state, hand):
        mask &= ~FOURS
    plays = CALLING_PLAYS if state.counts[seat] == 2 else SILENT_PLAYS
    codes = [DRAW if state.phase == AT_PLAY else PASS]
    while mask:
        card = mask.bit_length() - 1
        codes += plays[card]
        mask ^= BIT[card]
    codes.reverse()
    return codes


_FIXED = {AT_CHALLENGE: (ACCEPT, CHALLENGE), AT_COLOUR: COLOUR_CODES}
"""The answers that do not depend on a hand, by phase."""


def is_bluff(state: State, hand: int) -> bool:
    """Tell whether a Wild Draw Four laid now breaks its condition, ``hand`` being held with or besides it."""
    if state.options.strict_wild4:
        return bool(hand & MATCH[state.colour][SYMBOL[state.pile[-1]]] & ~FOURS)
    return bool(hand & COLOUR_MASK[state.colour])


def act(state: State, code: int, log: Log) -> None:
    """Carry out a legal answer to the open obligation; it closes the occasion to call or catch."""
    state.exposed = NOBODY
    if code >= DRAW:
        _ANSWERS[code](state, log)
        return
    seat = state.turn
    card = code >> 3
    symbol = SYMBOL[card]
    rest = state.hands[seat] ^ BIT[card]
    if symbol == WILD_FOUR:
        state.offender, state.evidence, state.guilty = seat, rest, is_bluff(state, rest)
    state.hands[seat] = rest
    state.counts[seat] -= 1
    state.pile.append(card)
    state.colour = code >> 1 & 3
    state.drawn = 0
    state.passes = 0
    log.append(_played(seat, code))
    if symbol in _EFFECTS:
        _EFFECTS[symbol](state, seat, log)
    else:
        state.ask(state.ring[seat], AT_PLAY)
    if state.counts[seat] < 2:
        _run_low(state, seat, code, log)


@cache
def _played(seat: int, code: int) -> Played:
    card = code >> 3
    return Played(seat, card, COLOURS[code >> 1 & 3] if card >= FIRST_WILD else None, not code & SILENT)


def _run_low(state: State, seat: int, code: int, log: Log) -> None:
    if not state.hands[seat]:
        state.called &= ~BIT[seat]
        if state.phase != AT_CHALLENGE:
            end_round(state, seat, log)
    elif not code & SILENT:
        state.called |= BIT[seat]
    else:
        expose(state, seat)


def _skip(state: State, seat: int, log: Log) -> None:
    victim = state.ring[seat]
    log.append(Skipped(victim))
    state.ask(state.ring[victim], AT_PLAY)


def _reverse(state: State, seat: int, log: Log) -> None:
    if state.active == 2:
        _skip(state, seat, log)
    else:
        turn_round(state, log)
        state.ask(state.ring[seat], AT_PLAY)


def _draw_two(state: State, seat: int, log: Log) -> None:
    victim = state.ring[seat]
    take(state, victim, 2, "two", log)
    state.ask(state.ring[victim], AT_PLAY)


def _wild_four(state: State, seat: int, log: Log) -> None:
    victim = state.ring[seat]
    if state.options.no_bluff:
        take(state, victim, 4, "four", log)
        state.ask(state.ring[victim], AT_PLAY)
    else:
        state.ask(victim, AT_CHALLENGE)


_EFFECTS: dict[int, Callable[[State, int, Log], None]] = {
    SKIP: _skip,
    REVERSE: _reverse,
    DRAW_TWO: _draw_two,
    WILD_FOUR: _wild_four,
}
"""What a card does besides passing the turn on, by symbol."""


def _draw(state: State, log: Log) -> None:
    seat = state.turn
    hand = state.hands[seat]
    take(state, seat, 1, "turn", log)
    state.drawn = hand ^ state.hands[seat]
    state.ask(seat, AT_DRAWN)


def _pass(state: State, log: Log) -> None:
    seat = state.turn
    log.append(Passed(seat))
    state.passes = 0 if state.drawn else state.passes + 1
    state.drawn = 0
    if state.passes == state.active:
        end_round(state, lightest(state), log)
    else:
        state.ask(state.ring[seat], AT_PLAY)


def _accept(state: State, log: Log) -> None:
    log.append(Accepted(state.turn))
    take(state, state.turn, 4, "four", log)
    _lose_turn(state, log)


def _challenge(state: State, log: Log) -> None:
    seat, offender = state.turn, state.offender
    log.append(Challenged(seat, offender, state.guilty, state.evidence))
    if not state.guilty:
        take(state, seat, 6, "challenge", log)
        _lose_turn(state, log)
        return
    if not state.out >> offender & 1:
        take(state, offender, 4, "challenge", log)
    state.ask(seat, AT_PLAY)


def _lose_turn(state: State, log: Log) -> None:
    if state.evidence:
        state.ask(state.ring[state.turn], AT_PLAY)
    else:
        end_round(state, state.offender, log)


def _namer(colour: int) -> Callable[[State, Log], None]:
    def name(state: State, log: Log) -> None:
        state.colour = colour
        log.append(Named(state.turn, COLOURS[colour]))
        state.ask(state.turn, AT_PLAY)

    return name


_ANSWERS: dict[int, Callable[[State, Log], None]] = {
    DRAW: _draw,
    PASS: _pass,
    ACCEPT: _accept,
    CHALLENGE: _challenge,
    **{code: _namer(colour) for colour, code in enumerate(COLOUR_CODES)},
}
"""What the answers that are no plays do."""
