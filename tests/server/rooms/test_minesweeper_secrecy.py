"""No message reveals a hidden mine, or which cells a rival has opened."""

import random
from typing import Any

import pytest
from msgspec.structs import replace
from tests.server.local_server import NAMES
from tests.server.rooms.minesweeper_noninterference import (
    SEATS,
    MinesweeperRun,
    elsewhere,
    layout,
    lone_numbers,
    script,
)
from tests.server.rooms.noninterference import WATCHER, Step
from tests.support.examples import seeds

from parlour_games.game import IllegalAction
from parlour_games.minesweeper.plugin import Minesweeper

WORLDS = 15
MODES = sorted(SEATS)


def run(seed: int, mode: str, mines: list[int], start: int, game: Minesweeper) -> MinesweeperRun:
    return MinesweeperRun(seed, SEATS[mode], mines, start, game, mode=mode)


def runs(seed: int, mode: str, game: Minesweeper) -> tuple[MinesweeperRun, MinesweeperRun]:
    """Play a match twice, the second time with the hidden mines elsewhere."""
    rng = random.Random(seed)
    mines, start = layout(rng)
    first = run(seed, mode, mines, start, Minesweeper())
    steps = script(first, rng)
    one = run(seed, mode, mines, start, game).replay(steps)
    two = run(seed, mode, elsewhere(mines, one.shown(), rng), start, game).replay(steps)
    return one, two


def told_apart(seed: int, mode: str, game: Minesweeper) -> bool:
    """Return whether a viewer was sent other bytes in the other run."""
    one, two = runs(seed, mode, game)
    return any(one.frames(name) != two.frames(name) for name in [*NAMES[: one.seats], WATCHER, "zoe"])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", seeds(WORLDS))
def test_hidden_mines_look_the_same_wherever_they_are(seed: int, mode: str) -> None:
    one, two = runs(seed, mode, Minesweeper())
    assert one.server.log == two.server.log, "the same was done in both runs, behind one commitment"
    assert one.cards != two.cards
    for name in [*NAMES[: one.seats], WATCHER, "zoe"]:
        assert one.frames(name) == two.frames(name)
    assert len(one.frames("anna")) > 5


# --- rivals -----------------------------------------------------------------------------------------------------------


def races(seed: int, game: Minesweeper) -> tuple[MinesweeperRun, MinesweeperRun]:
    """Play a race twice; the second time bert opens other cells, and flags others, with the same numbers to show."""
    rng = random.Random(seed)
    mines, start = layout(rng)
    found = []
    cells = rng.sample(lone_numbers(run(seed, "race", mines, start, game), 1), 8)
    flags = rng.sample(mines, 2)
    for opened, flag in ((cells[:4], flags[0]), (cells[4:], flags[1])):
        race = run(seed, "race", mines, start, game)
        acts: list[Any] = [*opened, {"do": "flag", "cells": [[flag % 14, flag // 14]]}, flags[1 - flags.index(flag)]]
        steps: list[Step] = [("act", 1, (rid, act)) for rid, act in enumerate(acts, 1)]
        found.append(race.replay([*steps, ("lose", 0, None), ("rewatch", 0, None), ("list", 0, None)]))
    return found[0], found[1]


@pytest.mark.parametrize("seed", seeds(WORLDS))
def test_rivals_and_spectators_cannot_see_which_cells_a_racer_has_opened(seed: int) -> None:
    one, two = races(seed, Minesweeper())
    for name in ("anna", "cleo", WATCHER, "zoe"):
        assert one.frames(name) == two.frames(name)
    assert one.frames("bert") != two.frames("bert")


# --- the detector detects ---------------------------------------------------------------------------------------------


class CountsMinesAround(Minesweeper):
    """Tells with each view how many mines lie in the top rows."""

    def view(self, state: Any, viewer: int | None) -> Any:
        shown = super().view(state, viewer)
        return {**shown, "mines": sum(mine < 60 for mine in state.board.mines) if state.board else 0}


class RefusesBySecret(Minesweeper):
    """Lets a refusal's words depend on a mine."""

    def apply(self, state: Any, seat: int, key: str, action: Any) -> Any:
        try:
            return super().apply(state, seat, key, action)
        except IllegalAction as error:
            odd = state.board is not None and sum(state.board.mines) % 2
            raise IllegalAction(f"{error.reason}{'!' * odd}") from None


@pytest.mark.parametrize("leaky", [CountsMinesAround, RefusesBySecret])
def test_the_detector_detects(leaky: type[Minesweeper]) -> None:
    assert any(told_apart(seed, MODES[seed % 4], leaky()) for seed in range(20))


class ShowsRivalsCells(Minesweeper):
    def redact(self, event: Any, viewer: int | None) -> Any:
        return super().redact(replace(event, private=False) if hasattr(event, "private") else event, viewer)


class ShowsRivalsRows(Minesweeper):
    def view(self, state: Any, viewer: int | None) -> Any:
        return super().view(state, 1)


class ShowsSpectators(Minesweeper):
    def view(self, state: Any, viewer: int | None) -> Any:
        return super().view(state, 1 if viewer is None else viewer)


@pytest.mark.parametrize("leaky", [ShowsRivalsCells, ShowsRivalsRows, ShowsSpectators])
def test_the_detector_detects_rivals_who_see_too_much(leaky: type[Minesweeper]) -> None:
    one, two = races(1, leaky())
    assert any(one.frames(name) != two.frames(name) for name in ("anna", WATCHER))
