"""Random matches from a seed, well and badly played, for checks that must hold at every step of any match."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import attrs
from hypothesis import strategies as st
from tests.games.minesweeper.tables import KEY, MINES, custom, fair

from parlour_games.game import Done, IllegalAction, Plain
from parlour_games.minesweeper.actions import (
    ACTIONS,
    Action,
    At,
    Bomb,
    Cells,
    Chord,
    Flag,
    Move,
    Open,
    Pass,
    Resign,
    Seq,
    Unflag,
    Verb,
)
from parlour_games.minesweeper.events import Event
from parlour_games.minesweeper.options import FIRSTS, MODES, SEATS, Options, Shape
from parlour_games.minesweeper.state import State
from parlour_protocol.wire import strict, tagged

SHAPES = [Shape(4, 3, 2), Shape(5, 5, 3), Shape(7, 3, 5), Shape(6, 6, 8), Shape(9, 9, 10)]
VERBS: tuple[Verb, ...] = ("open", "flag", "unflag", "chord")
_READERS = {tag: strict(cls) for tag, cls in tagged(ACTIONS, "do").items()}


@attrs.frozen
class Step:
    """An action of a seat as on the wire, a removal if there is no action, or the result of a job."""

    ms: int
    seat: int | None = None
    act: Plain | None = None


def read(act: Plain) -> Action:
    """Return the action in ``act`` after a round trip through JSON."""
    fields = json.loads(json.dumps(act))
    action: Action = _READERS[fields.pop("do")](fields)
    return action


def perform(state: State, step: Step) -> list[Event] | None:
    """Return the events of ``step``, None if it was refused."""
    MINES.note_time(state, step.ms)
    if step.act is not None:
        assert step.seat is not None
        try:
            return MINES.apply(state, step.seat, KEY, read(step.act))
        except IllegalAction:
            return None
    if step.seat is not None:
        return MINES.remove(state, step.seat)
    job = MINES.pending(state)
    assert job
    result = MINES.compute(job.name, json.loads(json.dumps(job.args)))
    return MINES.settle(state, Done(job.name, json.loads(json.dumps(result))))


@attrs.frozen
class Seeded:
    """A match whose every choice comes from ``seed``; ``luck`` of 100 openings are no mines (in a duel: are mines)."""

    seed: int
    seats: int
    options: Options
    steps: int = 60
    luck: int = 95
    leaving: int = 5
    """This many of 1,000 steps are removals, and as many are resignations and time-outs."""

    def start(self) -> tuple[State, list[Event]]:
        return MINES.start(self.options, self.seats, fair(self.seed))

    def walk(self) -> Iterator[tuple[State, Step, list[Event] | None]]:
        """Yield the state after each step, the same object every time, with the step and its events."""
        state, _ = self.start()
        rng, ms = Random(self.seed), 0
        for _ in range(self.steps):
            if MINES.outcome(state):
                return
            ms += rng.choice([0, 1, 700])
            step = attrs.evolve(self.choose(state, rng), ms=ms)
            yield state, step, perform(state, step)

    def play(self) -> State:
        state, _ = self.start()
        for last, _, _ in self.walk():
            state = last
        return state

    def choose(self, state: State, rng: Random) -> Step:
        asked = [decision.seat for decision in MINES.decisions(state)]
        if MINES.pending(state) and (not asked or rng.random() < 0.5):
            return Step(0)
        if rng.randrange(1000) < self.leaving:
            return Step(0, rng.randrange(self.seats))
        seat = rng.choice(asked) if rng.random() < 0.98 else rng.randrange(self.seats)
        return Step(0, seat, MINES.wire(self.action(state, seat, rng)))

    def action(self, state: State, seat: int, rng: Random) -> Action:
        if rng.randrange(1000) < self.leaving:
            return Resign() if rng.random() < 0.5 else Pass()
        if rng.random() < 0.05:
            return rng.choice(malformed(state.shape, rng))
        if state.mode == "duel":
            cells = tuple(self._cell(state, seat, rng) for _ in range(rng.choice([1, 1, 1, 3])))
            return Open(cells) if rng.random() < 0.9 else Bomb(cells[0])
        moves = tuple(self._move(state, seat, rng) for _ in range(rng.choice([1, 1, 2, 5])))
        verb = moves[0][0]
        if rng.random() < 0.3:
            return Seq(moves)
        cells = tuple((x, y) for each, x, y in moves if each == verb)
        kinds: dict[str, type[Cells]] = {"open": Open, "flag": Flag, "unflag": Unflag, "chord": Chord}
        return kinds[verb](cells)

    def _move(self, state: State, seat: int, rng: Random) -> Move:
        verb = rng.choices(VERBS, [6, 2, 1, 1])[0]
        if verb == "open":
            return (verb, *self._cell(state, seat, rng))
        field, board = state.visible_board_of(seat), state.board
        cells = range(state.shape.cells)
        if verb == "flag" and board and rng.random() < 0.8:
            cells = board.mines  # type: ignore[assignment]
        elif verb == "chord":
            cells = [cell for cell in cells if field.is_number(cell)] or cells  # type: ignore[assignment]
        return (verb, *state.at(rng.choice(cells)))

    def _cell(self, state: State, seat: int, rng: Random) -> At:
        closed = [cell for cell in range(state.shape.cells) if state.visible_board_of(seat).is_closed(cell)]
        mines = set(state.board.mines) if state.board else set()
        lucky = [cell for cell in closed if (cell in mines) == (state.mode == "duel")]
        cells = lucky if lucky and rng.randrange(100) < self.luck else closed or range(state.shape.cells)
        return state.at(rng.choice(cells))


def malformed(shape: Shape, rng: Random) -> list[Action]:
    """Return actions that are refused in all modes."""
    off = rng.choice([(shape.width, 0), (0, shape.height), (-1, 0), (0, -1), (2**50, 0)])
    on = (rng.randrange(shape.width), rng.randrange(shape.height))
    return [
        Open(()),
        Seq(()),
        Open((on, off)),
        Flag((off,)),
        Chord((off, on)),
        Bomb(off),
        Seq((("open", *on), ("flag", *off))),
        Seq((("flag", *on),) * 65),
    ]


def _options(mode: str, shape: Shape, first: str, no_guess: bool, lives: int, penalty: int) -> Options:
    if mode == "duel":
        return custom(attrs.evolve(shape, mines=shape.mines | 1), mode=mode)
    own: dict[str, Any] = {"coop": {"lives": lives}, "race": {"penalty": penalty}}.get(mode, {})
    return custom(shape, mode=mode, first=first, no_guess=no_guess, **own)


def option_sets(modes: tuple[str, ...] = MODES) -> st.SearchStrategy[Options]:
    return st.builds(
        _options,
        st.sampled_from(modes),
        st.sampled_from(SHAPES),
        st.sampled_from(FIRSTS),
        st.sampled_from([False, False, True]),
        st.integers(1, 4),
        st.sampled_from([0, 1_000]),
    )


@st.composite
def histories(draw: st.DrawFn, /, modes: tuple[str, ...] = MODES, **fixed: Any) -> Seeded:
    options = draw(option_sets(modes))
    least, most = SEATS[options.mode]
    drawn = {"seed": st.integers(0, 2**32), "steps": st.integers(0, 80), "luck": st.sampled_from([50, 90, 99])}
    values = {name: draw(strategy) for name, strategy in drawn.items() if name not in fixed}
    return Seeded(seats=draw(st.integers(least, min(most, 4))), options=options, **values, **fixed)
