"""Nothing sent to a viewer depends on what it has not seen.

Two matches are played on layouts that agree on all that has come open for a viewer; whatever else differs between
them, the viewer must be told the same: views, events, what it is asked, and the reasons of refusals.
"""

from itertools import chain
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.games.minesweeper.boards import completions
from tests.games.minesweeper.players import Seeded, Step, read
from tests.games.minesweeper.tables import KEY, MINES, custom, told, viewers
from tests.support.examples import examples

from parlour_games.game import IllegalAction, Plain
from parlour_games.minesweeper.actions import Action, Bomb, Chord, Flag, Open, Pass, Resign
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


# --- one board for all ---


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


# --- a race ---


def begun(options: Options, layout: list[int], start: int) -> tuple[State, list[Event]]:
    return MINES.start_on(options, 3, layout, start)


def by_yield(state: State, seat: int) -> dict[int | None, list[int]]:
    """Return the closed cells of ``seat`` by the number of cells that open with them, None for mines."""
    found: dict[int | None, list[int]] = {}
    field, board = state.visible_boards[seat], state.board
    assert board
    for cell in range(state.shape.cells):
        if field.shown[cell] == ord("."):
            found.setdefault(field.copy().open_cell(board, cell), []).append(cell)
    return found


def alike(one: State, other: State, seat: int, rng: Random) -> tuple[Action, Action] | None:
    """Return two actions of ``seat``, one per world, in different places but with equal counts; None if impossible."""
    here, there = by_yield(one, seat), by_yield(other, seat)
    kind = rng.random()
    if kind < 0.1:
        return (Pass(), Pass()) if kind < 0.05 else (Resign(), Resign())
    if kind < 0.3:
        closed, closed_there = (sorted(chain(*cells.values())) for cells in (here, there))
        if closed and closed_there:
            return Flag((one.at(rng.choice(closed)),)), Flag((other.at(rng.choice(closed_there)),))
    both = sorted(here.keys() & there.keys(), key=str)
    lucky = [count for count in both if count is not None]
    if not both:
        return None
    count = rng.choice(lucky if lucky and rng.random() < 0.9 else both)
    return Open((one.at(rng.choice(here[count])),)), Open((other.at(rng.choice(there[count])),))


def do_alike(one: State, other: State, seat: int, ms: int, rng: Random, viewer: int | None) -> None:
    """Let ``seat`` act alike in both worlds, and check what ``viewer`` gets."""
    pair = alike(one, other, seat, rng) if one.players[seat].status == "in" else None
    if pair:
        came, came_there = (
            done(world, Step(ms, seat, MINES.wire(action))) for world, action in zip((one, other), pair, strict=True)
        )
        if one.phase == "playing":
            assert seen(one, came, viewer) == seen(other, came_there, viewer)


def own_steps(state: State, own: int, seed: int) -> list[Step]:
    """Let seat ``own`` play while it is in. Return its actions."""
    history, rng, steps = Seeded(seed, 1, state.options, luck=90, leaving=0), Random(seed), []
    for ms in range(rng.randint(1, 12)):
        step, trial = Step(ms, own, MINES.wire(history.action(state, own, rng))), MINES.copy(state)
        done(trial, step)
        if trial.players[own].status == "in":
            done(state, step)
            steps.append(step)
    return steps


@given(st.integers(0, 2), st.sampled_from(SHAPES), st.integers(0, 2**32), st.sampled_from([0, 500]))
@worlds
def test_in_a_race_rivals_are_numbers_only(own: int, shape: Shape, seed: int, penalty: int) -> None:
    """Seat ``own`` does the same in two worlds with equal boards of its own; its rivals act in different places."""
    rng = Random(seed)
    options = custom(shape, mode="race", penalty=penalty)
    start, *layout = rng.sample(range(shape.cells), shape.mines + 1)
    trial, _ = begun(options, layout, start)
    assume(trial.phase == "playing")
    steps = own_steps(trial, own, seed)
    one, told_one = begun(options, layout, start)
    other, told_other = begun(options, another(layout, trial.visible_boards[own], shape, rng), start)
    assert seen(one, told_one, own) == seen(other, told_other, own)
    for step in steps:
        for seat in {0, 1, 2} - {own}:
            do_alike(one, other, seat, step.ms, rng, viewer=own)
        assert seen(one, done(one, step), own) == seen(other, done(other, step), own)


def anywhere(options: Options, rng: Random) -> tuple[State, list[Event], int]:
    """Return a race on any board from any start, and how many cells that opened."""
    start, *layout = rng.sample(range(options.shape.cells), options.shape.mines + 1)
    state, events = begun(options, layout, start)
    return state, events, state.visible_boards[0].open


@given(shape=st.sampled_from(SHAPES), seed=st.integers(0, 2**32), penalty=st.sampled_from([0, 500]))
@worlds
def test_spectators_of_a_race_see_numbers_only(shape: Shape, seed: int, penalty: int) -> None:
    """The two worlds agree only on the number of cells that open."""
    rng = Random(seed)
    options = custom(shape, mode="race", penalty=penalty)
    one, told_one, count = anywhere(options, rng)
    assume(one.phase == "playing")
    other, told_other, other_count = anywhere(options, rng)
    while other_count != count:
        other, told_other, other_count = anywhere(options, rng)
    assert seen(one, told_one, None) == seen(other, told_other, None)
    for ms in range(20):
        if one.still_in():
            do_alike(one, other, rng.choice(one.still_in()), ms, rng, viewer=None)
