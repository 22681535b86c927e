"""Minesweeper in the room's own screen, its acts carried to a real server and back by the test."""

from tests.client.tui.games.minesweeper.tables import Table
from tests.client.tui.scripted_app import Seen, at_table
from tests.client.tui.snapshots import shows

from parlour_client.tui.games.minesweeper.widget import MinesweeperWidget
from parlour_protocol.messages import Act, Join, Plain, ServerMessage


def inbox(table: Table) -> list[ServerMessage]:
    """Return what seat 0 has been told since the last time."""
    told = list(table.peers[0].inbox)
    table.peers[0].inbox.clear()
    return told


async def carry(seen: Seen, table: Table) -> list[Plain | int]:
    """Let the acts that were sent arrive, and what follows from them come back; return them."""
    acts = seen.far.heard(Act)
    seen.far.sent.clear()
    for act in acts:
        table.peers[0].send(act)
    await seen.hear(*inbox(table))
    return [act.act for act in acts]


async def test_a_person_plays_in_a_room_until_a_mine() -> None:
    table = Table(level="expert")
    async with at_table(*inbox(table), enter=Join(table.code)) as seen:
        face = seen.screen.game_widget
        assert isinstance(face, MinesweeperWidget)
        assert seen.app.focused is face.board
        assert shows(seen.app, "OPEN A FIRST CELL")
        assert shows(seen.app, "Open")
        await seen.press("space", "f")
        await carry(seen, table)
        assert shows(seen.app, "10% cleared")
        assert face.board.board
        for mine in table.mines[:3]:
            face.board.point(mine)
            await seen.press("f")
        assert len(await carry(seen, table)) == 1, "one act is under way, the rest waits"
        assert await carry(seen, table) == [{"do": "flag", "cells": [list(at) for at in table.mines[:3]]}]
        assert shows(seen.app, "96 mines left")
        face.board.point(table.mines[3])
        await seen.press("space")
        await carry(seen, table)
        assert seen.screen._results.border_title == "lost"


async def test_a_refused_act_takes_its_flags_back_in_a_room() -> None:
    table = Table()
    async with at_table(*inbox(table), enter=Join(table.code)) as seen:
        face = seen.screen.game_widget
        assert isinstance(face, MinesweeperWidget)
        await seen.press("f")
        assert face.board.marks.pending == {(4, 4)}
        (act,) = seen.far.heard(Act)
        seen.far.sent.clear()
        table.peers[0].send(Act(act.room, act.rid, {"do": "flag", "cells": [[99, 99]]}))
        await seen.hear(*inbox(table))
        assert face.board.marks.pending == frozenset()
        assert "off the board" in face.turn.words
        await seen.press("f")
        assert [act.act for act in seen.far.heard(Act)] == [{"do": "flag", "cells": [[4, 4]]}]


async def test_the_time_of_a_race_begins_with_it() -> None:
    table = Table(seats=2, mode="race")
    first, *rest = inbox(table)
    async with at_table(first, enter=Join(table.code)) as seen:
        await seen.hear(*rest)
        assert shows(seen.app, "◷ 00:0")
        assert not shows(seen.app, "+  ")
        assert shows(seen.app, "otto")
