"""The line that tells what has just happened."""

from typing import Any

from tests.client.messages import ROOM, VIEW, joined, table, update, welcome
from tests.client.tui.games.uno.tables import Sitting, Table
from tests.client.tui.scripted_app import at_table
from tests.client.tui.snapshots import lines
from textual.app import App
from textual.widget import Widget

from parlour_client.core.phrases import say
from parlour_client.tui.games.uno.words import Ticker


def line(app: App[int], widget: Widget) -> str:
    return lines(app)[widget.region.y].strip()


async def test_what_the_others_did_is_told_newest_last_as_far_as_it_fits() -> None:
    table = Table(hands={0: ["r5", "g3"], 1: ["r1", "b1", "b2"], 2: ["r2", "b3", "b4"], 3: ["g9", "b5"]}, turn=1)
    async with Sitting(table).shown() as (app, pilot):
        table.act(1, do="play", card="r1")
        table.act(2, do="play", card="r2")
        table.act(3, do="draw")
        app.hear()
        await pilot.pause()
        assert line(app, app.game_widget.ticker) == "otto plays red 1.  pain-first plays red 2.  pia draws a card."
        await pilot.resize_terminal(60, 24)
        assert line(app, app.game_widget.ticker) == "pain-first plays red 2.  pia draws a card."


async def test_a_round_that_is_over_is_no_news() -> None:
    table = Table(hands={0: ["r5"], 1: ["r1", "b1"]}, seats=2)
    async with Sitting(table).shown() as (app, pilot):
        await pilot.press("1")
        assert line(app, app.game_widget.ticker) == ""


async def test_there_is_none_beside_the_log() -> None:
    async with Sitting(Table(hands={0: ["r5", "g3"]})).shown((110, 30)) as (app, pilot):
        await pilot.pause()
        assert not app.game_widget.ticker.display


async def test_after_missed_events_nothing_of_before_is_told_as_the_latest() -> None:
    playing: dict[str, Any] = {"table": table("playing"), "view": VIEW}
    async with at_table(welcome(), joined(**playing)) as seen:
        await seen.hear(update(1, {"e": "pass", "seat": 1}))
        ticker = seen.app.screen.query_one(Ticker)
        assert line(seen.app, ticker) == "otto passes."
        events = [{"e": "pass", "seat": 2}]
        await seen.hear(welcome(ROOM), joined(9, epoch=2, why="resume", gap=True, events=events, **playing))
        gap = say("tui.room.gap")
        assert line(seen.app, ticker) == gap
        assert [told.plain for told in seen.screen._event_log._lines][-2:] == [say("line.room.again"), gap]
        await seen.hear(update(10, {"e": "pass", "seat": 1}))
        assert line(seen.app, ticker) == f"{gap}  otto passes."
