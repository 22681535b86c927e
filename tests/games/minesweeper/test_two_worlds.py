"""Nothing sent to a viewer depends on what it has not seen.

Two matches are played on layouts that agree on all that has come open for a viewer; whatever else differs between
them, the viewer must be told the same: views, events, what it is asked, and the reasons of refusals.
"""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.minesweeper.boards import completions
from tests.games.minesweeper.players import Seeded, Step, read
from tests.games.minesweeper.tables import KEY, MINES, custom, told, viewers
from tests.support.examples import examples

from parlour_games.game import IllegalAction, Plain
from parlour_games.minesweeper.actions import Action, Bomb, Chord, Flag, Open
from parlour_games.minesweeper.board import VisibleBoard, known
from parlour_games.minesweeper.events import Event
from parlour_games.minesweeper.options import Options, Shape
from parlour_games.minesweeper.state import State

SHAPES = [Shape(4, 4, 5), Shape(5, 3, 5), Shape(3, 6, 3)]
SEATS = {"solo": 1, "coop": 3, "duel": 2}
worlds = examples(50)


def done(state: State, step: Step) -> list[Event] | str:
    """Return the events of ``step``, or the reason why it was refused."""
    assert step.seat is not None
    MINES.note_time(state, step.ms)
    try:
        return MINES.apply(state, step.seat, KEY, read(step.act)) if step.act else MINES.remove(state, step.seat)
    except IllegalAction as refusal:
        return f"{refusal.reason} {refusal.phrase} {refusal.fields}"


def seen(state: State, came: list[Event] | str, viewer: int | None) -> tuple[Any, ...]:
    events: str | list[Plain] = came if isinstance(came, str) else told(came, viewer)
    asked = [decision for decision in MINES.decisions(state) if decision.seat == viewer]
    return events, MINES.view(state, viewer), asked, MINES.outcome(state)


def another(layout: list[int], field: VisibleBoard, shape: Shape, rng: Random) -> list[int]:
    """Return a layout that agrees with ``layout`` on the open cells of ``field``, a different one if possible."""
    fits = completions(shape.width, shape.height, shape.mines, known(field.rows()))
    assert frozenset(layout) in fits
    others = [sorted(world) for world in fits if world != frozenset(layout)]
    return rng.choice(others) if others else layout


def script(options: Options, layout: list[int], seed: int) -> tuple[list[Step], State]:
    """Play some random steps, but not to the end. Return them and the last state."""
    seats, rng = SEATS[options.mode], Random(seed)
    history = Seeded(seed, seats, options, luck=80, leaving=20)
    state, _ = MINES.start_on(options, seats, layout)
    steps: list[Step] = []
    for ms in range(rng.randint(1, 10)):
        drawn = history.choose(state, rng)
        step, trial = Step(ms, drawn.seat, drawn.act), MINES.copy(state)
        done(trial, step)
        if trial.phase not in ("review", "over"):
            done(state, step)
            steps.append(step)
    return steps, state


def two(mode: str, shape: Shape, seed: int) -> tuple[list[Step], State, State]:
    """Return a script and two starts for it, on layouts that agree on all cells that it opens."""
    rng = Random(seed)
    layout = rng.sample(range(shape.cells), shape.mines)
    options = custom(shape, mode=mode, **({"lives": 3} if mode == "coop" else {}))
    steps, last = script(options, layout, seed)
    one, _ = MINES.start_on(options, SEATS[mode], layout)
    other, _ = MINES.start_on(options, SEATS[mode], another(layout, last.visible_boards[0], shape, rng))
    return steps, one, other


@pytest.mark.parametrize("mode", SEATS)
@given(shape=st.sampled_from(SHAPES), seed=st.integers(0, 2**32))
@worlds
def test_layouts_with_equal_open_cells_look_the_same(mode: str, shape: Shape, seed: int) -> None:
    steps, one, other = two(mode, shape, seed)
    for step in steps:
        came, came_there = done(one, step), done(other, step)
        for viewer in viewers(one):
            assert seen(one, came, viewer) == seen(other, came_there, viewer)


@pytest.mark.parametrize("mode", SEATS)
@given(shape=st.sampled_from(SHAPES), seed=st.integers(0, 2**32))
@worlds
def test_refusals_reveal_nothing_about_closed_cells(mode: str, shape: Shape, seed: int) -> None:
    steps, one, other = two(mode, shape, seed)
    for step in steps:
        done(one, step)
        done(other, step)
    for at in map(one.at, range(shape.cells)):
        tries: list[Action] = [Open((at,)), Flag((at,)), Chord((at,)), Bomb(at)]
        for step in [Step(99, seat, MINES.wire(action)) for seat in range(SEATS[mode]) for action in tries]:
            came, came_there = done(MINES.copy(one), step), done(MINES.copy(other), step)
            assert isinstance(came, str) == isinstance(came_there, str)
            assert not isinstance(came, str) or came == came_there


def test_the_two_worlds_do_differ() -> None:
    """The tests above would prove nothing if the two layouts were always equal."""
    boards = [two("coop", SHAPES[0], seed)[1:] for seed in range(40)]
    assert sum(one.source != other.source for one, other in boards) > 20
