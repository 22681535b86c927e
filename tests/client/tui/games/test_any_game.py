"""The widget for any game, at tables of the example games, and the one that Four in a row brings."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.client.tui.scripted_app import at_table
from tests.client.tui.seated import Seated, Seats
from tests.client.tui.snapshots import lines, missing, shows, targets
from tests.support.waiting import until
from textual.pilot import Pilot

from parlour_client.text.base import add_words
from parlour_client.tui.games.any_game import AnyWidget
from parlour_client.tui.games.base import widget_for
from parlour_client.tui.games.picture import ClickTarget, Picture
from parlour_client.tui.theme import look_for
from parlour_fourinarow.widget import FourInARowWidget
from parlour_protocol.messages import Act, Create, Kind, Plain, ServerMessage
from parlour_server.local import Local

pytestmark = pytest.mark.usefixtures("example_games")


PEOPLE: list[tuple[str, Kind]] = [
    ("anna", "human"),
    *((name, "bot") for name in ("otto", "cleo", "bert", "dora", "emil")),
]


class Table(Seated):
    FACE = AnyWidget
    game_widget: AnyWidget


class FourInARow(Seated):
    FACE = FourInARowWidget
    game_widget: FourInARowWidget


def asked(table: Seats) -> int:
    return next(seat for seat in range(len(table.peers)) if table.room(seat).question)


@asynccontextmanager
async def at(game: str, seats: int = 2) -> AsyncIterator[tuple[Table, Pilot[int]]]:
    table = Seats(Local(), Create(game, seats=seats), PEOPLE[:seats])
    async with Table(table, asked(table), look_for({"COLORTERM": "truecolor"})).shown((100, 34)) as (app, pilot):
        yield app, pilot


@pytest.mark.parametrize(
    ("keys", "column"),
    [("1", 0), ("right right enter", 2), ("left enter", 6), ("tab right enter", 1), ("slash e enter", 4)],
)
async def test_a_disc_is_dropped_with_the_keys(keys: str, column: int) -> None:
    async with at("fourinarow") as (app, pilot):
        await pilot.press(*keys.split())
        assert (app.acts, app.refusals) == ([{"do": "drop", "column": column}], [])


async def test_a_click_on_a_cell_or_a_card_chooses_the_action_that_names_it() -> None:
    async with at("fourinarow") as (app, pilot):
        await pilot.click(Picture, offset=targets(app.game_widget.picture)[ClickTarget(cell=(0, 3))])
        assert app.acts == [{"do": "drop", "column": 3}]
    async with at("goofspiel", 3) as (app, pilot):
        target, place = list(targets(app.game_widget.picture).items())[4]
        await pilot.click(Picture, offset=place)
        assert app.acts == [{"do": "bid", "card": target.card}]


async def test_the_table_has_the_seats_with_their_values_and_nothing_of_other_hands() -> None:
    async with at("goofspiel", 3) as (app, pilot):
        await pilot.press("5")
        assert missing(app, "anna", "otto", "cleo", "points", "hand") == []
        assert app.game_widget.choices.ways == []
    other: Any = app.table.room(1).view
    assert "bid" not in other or other["bid"] is None


MOVES: list[Plain] = [{"do": "move", "from": [0, column], "to": [1, to]} for column in (0, 1) for to in (0, 2)]


async def test_an_action_of_two_cells_is_chosen_cell_by_cell_and_escape_takes_one_back() -> None:
    async with at("fourinarow") as (app, pilot):
        room = app.table.room(app.seat)
        assert room.question
        room.question.legal = MOVES
        app.game_widget.show(room)
        before = app.said
        await pilot.press("right", "enter")
        assert app.said != before
        await pilot.press("escape")
        assert app.said == before
        await pilot.press("enter", "down", "right", "enter")
        assert app.acts == [MOVES[3]]


def round_two(seats: int) -> Iterator[ServerMessage]:
    """Play liar's dice to the second round, where it is the turn of seat 0; yield what that seat was told."""
    table = Seats(Local(), Create("liarsdice", seats=seats), PEOPLE[:seats])
    for number in range(seats + 3):
        yield from [*table.peers[0].inbox]
        seat = asked(table)
        question = table.room(seat).question
        assert question
        if number > 2 and seat == 0:
            return
        doubt = number == 2
        act = next(index for index, action in enumerate(question.legal) if (action["do"] == "doubt") == doubt)
        table.peers[seat].send(Act(table.code, question.rid, act))


@pytest.mark.parametrize(("size", "seats"), [((80, 24), 4), ((60, 20), 4), ((60, 20), 6)])
async def test_hand_and_bid_stay_in_sight_and_the_rest_scrolls(size: tuple[int, int], seats: int) -> None:
    """A hundred choices are a line, in which count and face are chosen."""
    async with at_table(*round_two(seats), size=size) as seen:
        assert isinstance(seen.screen.game_widget, AnyWidget)
        widget, room = seen.screen.game_widget, seen.screen.room
        assert room
        assert room.view
        assert room.question
        assert len(room.question.legal) > 100

        def kept() -> bool:
            bid = room.view["bid"]  # type: ignore[index]  # not None
            dice = "   ".join(map(str, room.view["dice"]))  # type: ignore[index]
            return shows(seen.app, f"dice {bid['count']}  face {bid['face']}") and shows(
                seen.app, f"your dice   {dice}"
            )

        await until(kept)
        assert widget.picture.scrolls
        assert not shows(seen.app, "lost by")
        for _ in range(30):
            await seen.press("pagedown")
            await until(kept)
            if shows(seen.app, "lost by"):
                break
        assert shows(seen.app, "lost by")
        first = room.question.legal[1]
        await seen.press("down", "right", "right", "right", "down", "right", "down", "left", "right", "up", "down")
        chosen = widget.choices.way
        assert chosen
        await seen.press("enter")
        assert [act.act for act in seen.far.heard(Act)] == [chosen.action]
        assert chosen.action == {"do": "bid", "count": 3, "face": first["face"] + 1}


async def test_one_of_many_choices_is_found_by_its_numbers() -> None:
    async with at_table(*round_two(4), size=(80, 24)) as seen:
        await seen.press("slash", *"3 4")
        await until(lambda: shows(seen.app, "Bid 3 × 4"))
        assert not shows(seen.app, "13 × 4")
        await seen.press("enter")
        assert [act.act for act in seen.far.heard(Act)] == [{"do": "bid", "count": 3, "face": 4}]


async def test_a_board_follows_its_cursor() -> None:
    async with at("fourinarow") as (app, pilot):
        room = app.table.room(app.seat)
        room.view = {"board": ["." * 9] * 60}
        assert room.question
        room.question.legal = [{"do": "put", "row": row, "column": 0} for row in range(60)]
        app.game_widget.show(room)
        await pilot.press(*["down"] * 50)
        assert any(line.strip().startswith("51") for line in lines(app))


@pytest.mark.parametrize(("keys", "column"), [("enter", 3), ("right right enter", 5), ("left space", 2), ("7", 6)])
async def test_the_widget_of_the_package_drops_a_disc_at_the_cursor_or_by_number(keys: str, column: int) -> None:
    assert widget_for("fourinarow") is FourInARowWidget
    add_words("fourinarow")
    table = Seats(Local(), Create("fourinarow", seats=2), PEOPLE[:2])
    async with FourInARow(table, asked(table), look_for({})).shown() as (app, pilot):
        await pilot.press(*keys.split())
        assert (app.acts, app.refusals) == ([{"do": "drop", "column": column}], [])
        assert app.game_widget.hints(table.room(app.seat)) == []
        screen = "\n".join(lines(app))
        assert "anna" in screen
        assert screen.count("X" if app.seat == 0 else "O") >= 2  # beside its player, and on the board
