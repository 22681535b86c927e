"""Random matches from a seed, for checks that must hold at every step of any match."""

from collections.abc import Iterator
from random import Random
from typing import Any

import attrs
from hypothesis import strategies as st
from tests.games.uno.tables import UNO, Table, fair

from parlour_games.game import Decision, Fired
from parlour_games.uno.actions import Action, Draw, Play, Resign
from parlour_games.uno.cards import BIT, SYMBOL, cards_in
from parlour_games.uno.events import Event
from parlour_games.uno.options import _HOUSE, SCORINGS, Options
from parlour_games.uno.piles import fitting
from parlour_games.uno.state import AT_PLAY, State


@attrs.frozen
class Step:
    """What was done: an action under a decision, a timer, or a removal (all None but ``seat``)."""

    seat: int | None = None
    decision: Decision | None = None
    action: Action | None = None
    timer: str | None = None


@attrs.define
class Seeded:
    """A match whose every choice comes from ``seed``; ``leaving`` of 1,000 steps are departures.

    In three of four matches cards are drawn only now and then when one could be played, so that rounds end.
    """

    seed: int
    seats: int
    options: Options
    steps: int
    leaving: int = 2

    def start(self) -> tuple[State, list[Event]]:
        return UNO.start(self.options, self.seats, fair(self.seed))

    def choose(self, state: State, rng: Random) -> Step:
        decisions, timer = UNO.decisions(state), UNO.pending(state)
        if rng.randrange(1000) < self.leaving:
            return Step(seat=rng.randrange(self.seats))
        if timer and (not decisions or rng.random() < 0.4):
            return Step(timer=timer.name)
        decision = rng.choice(decisions)
        if rng.randrange(1000) < self.leaving:
            return Step(decision.seat, decision, Resign())
        together = several(state, rng) if decision.must and rng.random() < 0.5 else None
        if together:
            return Step(decision.seat, decision, together)
        legal = UNO.legal(state, decision.seat, decision.key)
        if len(legal) > 1 and legal[-1] == Draw() and self.seed % 4 and rng.random() < 0.9:
            legal = legal[:-1]
        return Step(decision.seat, decision, rng.choice(legal))

    def walk(self) -> Iterator[tuple[State, Step, list[Event]]]:
        """Yield the state after each step, the same object every time, with the step and its events."""
        state, _ = self.start()
        yield from ((state, step, events) for step, events in self._steps(state))

    def play(self) -> Table:
        state, _ = self.start()
        assert len(list(self._steps(state))) <= self.steps
        return Table(state)

    def _steps(self, state: State) -> Iterator[tuple[Step, list[Event]]]:
        rng = Random(self.seed)
        for _ in range(self.steps):
            if UNO.outcome(state):
                return
            step = self.choose(state, rng)
            yield step, perform(state, step)


def perform(state: State, step: Step) -> list[Event]:
    if step.timer:
        return UNO.settle(state, Fired(step.timer))
    if step.decision and step.action:
        return UNO.apply(state, step.decision.seat, step.decision.key, step.action)
    assert step.seat is not None
    return UNO.remove(state, step.seat)


def several(state: State, rng: Random) -> Play | None:
    """Return a legal play of several cards together, if the seat that is asked has one."""
    if not state.options.multi_play or state.phase != AT_PLAY or state.pending:
        return None
    hand = cards_in(state.hands[state.turn])
    firsts = [card for card in hand if SYMBOL[card] < 10 and fitting(state) & BIT[card]]
    if not firsts:
        return None
    first = rng.choice(firsts)
    others = [card for card in hand if SYMBOL[card] == SYMBOL[first] and card != first]
    if not others:
        return None
    cards = (first, *rng.sample(others, rng.randint(1, len(others))))
    moves = state.options.seven_zero and SYMBOL[first] in (0, 7)
    left = len(hand) - len(cards)
    seats = [seat for seat in state.still_in() if seat != state.turn]
    swap = rng.choice(seats) if moves and SYMBOL[first] == 7 and left else None
    return Play(cards=cards, uno=left == 1 and not moves and rng.random() < 0.5, swap=swap)


def option_sets() -> st.SearchStrategy[Options]:
    """Return a strategy for options, half of them without any rule that changes the turns."""
    return st.one_of(_options(), _options(**{name: st.booleans() for name in SWITCHES}, false_call_penalty=_CARDS))


SWITCHES = [field.name for field in attrs.fields(Options) if field.name in _HOUSE and field.type is bool]
_CARDS = st.sampled_from([0, 0, 1, 4])


def _options(**more: st.SearchStrategy[Any]) -> st.SearchStrategy[Options]:
    return st.builds(
        Options,
        **more,
        scoring=st.sampled_from(SCORINGS),
        target=st.sampled_from([50, 200, 500]),
        breath=st.sampled_from([0, 750]),
        pause=st.sampled_from([0, 5000]),
        call_penalty=st.integers(0, 4),
        no_bluff=st.booleans(),
        strict_wild4=st.booleans(),
        first_card_number_only=st.booleans(),
    )


def histories(**fixed: Any) -> st.SearchStrategy[Seeded]:
    drawn: dict[str, st.SearchStrategy[Any]] = {
        "seed": st.integers(0, 2**32),
        "seats": st.integers(2, 10),
        "options": option_sets(),
        "steps": st.integers(0, 400),
    }
    return st.builds(Seeded, **{**drawn, **{name: st.just(value) for name, value in fixed.items()}})
