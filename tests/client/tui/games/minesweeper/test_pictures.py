"""The board as it is drawn, compared with golden files: three sizes, and the odds in all looks."""

import pytest
from tests.client.tui import scripted_app
from tests.client.tui.games.minesweeper.tables import TRUECOLOUR, Sitting, Table
from tests.client.tui.snapshots import assert_plain, check

PLAIN = scripted_app.LOOKS["plain"]
LOOKS = {
    "truecolour": TRUECOLOUR,
    **{name: scripted_app.LOOKS[name] for name in ("256", "light", "mono")},
    "ascii": PLAIN,
}


def race() -> Table:
    """Return a race of four: one far, one out, some flags of ours."""
    table = Table(seats=4, mode="race", level="expert", seed=3, clock={"bank": 600_000, "add": 5_000})
    table.open(1, *table.safe(1)[:40:3])
    table.open(2, *table.safe(2)[:20:5])
    table.open(3, table.mines[5])
    table.open(0, *table.safe(0)[::7])
    table.act(0, {"do": "flag", "cells": [list(at) for at in table.mines[:40:2]]})
    return table


def duel() -> Table:
    """Return a duel in which seat 1 is behind and has the turn."""
    table = Table(seats=2, mode="duel", seed=3)
    table.open(0, *table.mines[:12:3], table.safe()[0])
    table.open(1, table.mines[1])
    return table


def lost() -> Table:
    """Return a board for two that is lost: set off mines, a wrong flag, statistics."""
    table = Table(seats=2, mode="coop", level="intermediate", lives=2, seed=5)
    table.open(0, (8, 8))
    table.act(1, {"do": "flag", "cells": [list(table.mines[5]), list(table.safe()[3])]})
    table.open(1, table.mines[10])
    table.open(0, table.mines[12])
    return table


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)], ids=str)
async def test_a_race_in_all_sizes(size: tuple[int, int]) -> None:
    async with Sitting(race()).shown(size) as (app, _):
        check(app, "mines-race")


async def test_a_duel() -> None:
    async with Sitting(duel(), 1).shown() as (app, pilot):
        await pilot.press("b")
        check(app, "mines-duel")


@pytest.mark.parametrize("look", LOOKS)
async def test_the_odds_in_all_looks(look: str) -> None:
    async with Sitting(race(), look=LOOKS[look]).shown() as (app, _):
        await app.odds()
        check(app, f"mines-odds-{look}")


async def test_a_lost_board() -> None:
    async with Sitting(lost()).shown() as (app, _):
        check(app, "mines-lost")
    async with Sitting(lost(), look=PLAIN).shown() as (app, _):
        assert_plain(app)


async def test_a_part_of_the_largest_board_zoomed() -> None:
    table = Table(level="custom", width=100, height=100, mines=1_500, seed=5)
    table.open(0, (50, 50))
    async with Sitting(table).shown() as (app, pilot):
        await pilot.press("z")
        check(app, "mines-huge")
