"""The rules of a round: legal actions and their effects.

``act`` carries out an answer to a required decision, one of the codes that ``legal`` returns; ``play_several`` and
``jump`` are plays, too. They do not check legality: callers do that first. ``calls`` has calling UNO after a play,
``house_rules`` what house rules change.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeAlias

from parlour_games.uno import house_rules
from parlour_games.uno.actions import (
    ACCEPT,
    CALLING_PLAYS,
    CATCH_CODES,
    CHALLENGE,
    COLOUR_CODES,
    DRAW,
    JUMP,
    PASS,
    SILENT,
    SILENT_PLAYS,
    UNO,
    card_of,
    swap_of,
)
from parlour_games.uno.calls import allow_jumps, close_breath, expose, reach_one_card
from parlour_games.uno.cards import BIT, COLOURS, DRAW_TWO, FIRST_WILD, FOURS, MATCH, REVERSE, SKIP, SYMBOL, WILD_FOUR
from parlour_games.uno.events import Accepted, Challenged, Event, Named, Passed, Played, Skipped
from parlour_games.uno.house_rules import jumps
from parlour_games.uno.piles import bury, is_bluff, take
from parlour_games.uno.rounds import close_seat, end_match, end_round, turn_round
from parlour_games.uno.scoring import stuck_winner
from parlour_games.uno.state import AT_BREATH, AT_CHALLENGE, AT_COLOUR, AT_DRAWN, AT_END, AT_PLAY, NOBODY, State

Log = list[Event]


def legal(state: State) -> list[int]:
    """Return the codes of all legal answers to the required decision: plays by ascending card, then draw or pass."""
    if state.house:
        return house_rules.legal(state)
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


def act(state: State, code: int, log: Log, cards: tuple[int, ...] = ()) -> None:
    """Carry out a legal answer to the required decision. Calling, catching and jumping in end with it.

    ``cards`` are all cards of a play of several. ``code`` plays the last one; the others are already on the pile.
    """
    state.exposed = state.laid_by = NOBODY
    if DRAW <= code < JUMP:
        _ANSWERS[code](state, log)
        return
    seat = state.turn
    card = code >> 3 & 127
    symbol = SYMBOL[card]
    rest = state.hands[seat] ^ BIT[card]
    if symbol == WILD_FOUR:
        state.offender, state.evidence, state.guilty = seat, rest, is_bluff(state, rest)
        state.before = state.colour
    left = state.counts[seat] - 1
    state.hands[seat] = rest
    state.counts[seat] = left
    state.pile.append(card)
    state.colour = code >> 1 & 3
    state.drawn = 0
    state.passes = 0
    log.append(_played(seat, code, cards) if cards else _played_one(seat, code))
    if symbol in _EFFECTS:
        _EFFECTS[symbol](state, seat, log)
    else:
        if state.house:
            house_rules.move_hands(state, seat, code, log)
        state.ask(state.ring[seat], AT_PLAY)
    if left < 2:
        _run_low(state, seat, code, log)
    if state.house and left and state.options.jump_in:
        allow_jumps(state, seat)


def play_several(state: State, cards: tuple[int, ...], code: int, log: Log) -> None:
    """Play ``cards`` together, in this order, for the seat on turn. ``code`` plays the last one."""
    seat = state.turn
    for card in cards[:-1]:
        state.hands[seat] ^= BIT[card]
        state.counts[seat] -= 1
        state.pile.append(card)
    act(state, code, log, cards)


def jump(state: State, seat: int, code: int, log: Log) -> None:
    """Jump in with ``seat``: the reaction window ends, recorded catches count, and ``seat`` takes the turn."""
    close_breath(state, log)
    state.turn = seat
    act(state, code, log)


def _played(seat: int, code: int, cards: tuple[int, ...] = ()) -> Played:
    card = card_of(code)
    colour = COLOURS[code >> 1 & 3] if card >= FIRST_WILD else None
    return Played(seat, card, colour, not code & SILENT, bool(code & JUMP), swap_of(code), cards)


_played_one = cache(_played)


def _run_low(state: State, seat: int, code: int, log: Log) -> None:
    """End the round if ``seat`` has no card left after its play; with one card, note whether it has called."""
    if not state.hands[seat]:
        state.called &= ~BIT[seat]
        if state.phase != AT_CHALLENGE:
            end_round(state, seat, log)
    elif not house_rules.moves_hands(state, card_of(code)):
        reach_one_card(state, seat)
        if code & SILENT:
            expose(state, seat)
        else:
            state.called |= BIT[seat]


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
    _demand(state, seat, 2, log)


def _wild_four(state: State, seat: int, log: Log) -> None:
    if state.options.no_bluff:
        _demand(state, seat, 4, log)
    else:
        if state.house:
            house_rules.owe(state, 4)
        state.ask(state.ring[seat], AT_CHALLENGE)


def _demand(state: State, seat: int, n: int, log: Log) -> None:
    """Make the next seat draw ``n`` cards: immediately, or after a decision if the options allow stacking."""
    victim = state.ring[seat]
    if state.house:
        house_rules.owe(state, n)
    if state.pending and state.hands[seat]:
        state.ask(victim, AT_PLAY)
    else:
        _draw_penalty(state, victim, log)
        state.ask(state.ring[victim], AT_PLAY)


def _draw_penalty(state: State, seat: int, log: Log) -> None:
    """Draw the pending cards for ``seat``, or those of the top card if none are pending."""
    n, why = (2, "two") if SYMBOL[state.pile[-1]] == DRAW_TWO else (4, "four")
    take(state, seat, state.pending or n, "stack" if state.pending > n else why, log)
    state.pending = 0


_EFFECTS: dict[int, Callable[[State, int, Log], None]] = {
    SKIP: _skip,
    REVERSE: _reverse,
    DRAW_TWO: _draw_two,
    WILD_FOUR: _wild_four,
}
"""The effects of cards besides passing the turn, by symbol."""


def _draw(state: State, log: Log) -> None:
    seat = state.turn
    if state.options.draw_until:
        state.drawn = house_rules.draw_until(state, log)
    else:
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
        end_round(state, stuck_winner(state), log)
    else:
        state.ask(state.ring[seat], AT_PLAY)


def _accept(state: State, log: Log) -> None:
    log.append(Accepted(state.turn))
    _draw_penalty(state, state.turn, log)
    _lose_turn(state, log)


def _challenge(state: State, log: Log) -> None:
    seat, offender = state.turn, state.offender
    log.append(Challenged(seat, offender, state.guilty, state.evidence))
    n, state.pending = state.pending or 4, 0
    if not state.guilty:
        take(state, seat, n + 2, "challenge", log)
        _lose_turn(state, log)
        return
    if not state.out >> offender & 1:
        take(state, offender, n, "challenge", log)
    state.ask(seat, AT_PLAY)


def _lose_turn(state: State, log: Log) -> None:
    if state.phase == AT_CHALLENGE and not state.evidence:
        end_round(state, state.offender, log)
    else:
        state.ask(state.ring[state.turn], AT_PLAY)


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
"""The effects of answers that are not plays, by code."""


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


def leave(state: State, seat: int, why: str, log: list[Event]) -> None:
    """Remove ``seat`` (``why``: ``resigned`` or ``left``) and put its cards under the draw pile.

    An open question goes to the next seat. A Wild Draw Four that the seat had to answer and pending cards are dropped:
    no seat draws for them. Nothing happens if the seat is already out.
    """
    if state.phase == AT_END or state.out >> seat & 1:
        return
    following = state.ring[seat]
    asked = legal(state) if state.phase < AT_BREATH else []
    bury(state, seat)
    _forget(state, seat)
    state.leavers.append(seat)
    close_seat(state, seat, why, log)
    if state.active == 1:
        end_match(state, tuple(state.still_in()), "last", log)
    elif seat == state.turn:
        _pass_question(state, following, log)
    elif asked and legal(state) != asked:
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
