"""The lobby: what a person sees of a server's rooms, and how they get in."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.client.messages import joined, welcome
from tests.client.tui.scripted_app import ScriptedConnection, running
from tests.client.tui.snapshots import assert_plain, check, lines, missing, shows
from textual import events
from textual.pilot import Pilot

from parlour_client.core import queries
from parlour_client.core.errors import CannotConnect, Interrupted, Refused
from parlour_client.tui.app import ParlourApp
from parlour_client.tui.screens import lobby
from parlour_client.tui.screens.create import CreateScreen
from parlour_client.tui.screens.lobby import LobbyScreen
from parlour_client.tui.screens.room import RoomScreen
from parlour_client.tui.screens.start import StartScreen
from parlour_client.tui.widgets.list_view import Listing
from parlour_protocol.messages import Describe, Described, Join, Left

MP = pytest.MonkeyPatch


def row(code: str, game: str = "uno", host: str | None = "otto", taken: int = 1, **more: Any) -> Any:
    plain = {"state": "waiting", "seats": 4, "kinds": "any", "watch": True}
    return {"room": code, "game": game, "host": host, "taken": taken, **plain, **more}


def player(name: str, kind: str = "human") -> Any:
    return {"name": name, "kind": kind}


RULES = ["Draw two on draw two", "15 s a turn"]
ROOMS = [
    row("B3TX", "minesweeper", "pia", seats=2, players=[player("pia")]),
    row("K7QD", taken=3, players=[player("ada", "bot"), player("otto"), player("evil\x1b[1m\u202e")], rules=RULES),
    row("M4HC", state="playing", seats=2, taken=2, kinds="bots", players=[player("eve", "bot"), player("zoe", "bot")]),
    row("X9ZZ", host="evil\x1b[2J[bold]", watch=False),
]
BOTS = [{"name": "ada", "games": ["uno"], "free": 1}, {"name": "busy", "games": ["uno"], "free": 0}]


class Server:
    """Stands in for a server: ``rooms`` are there, or ``fault`` is raised; ``asked`` counts the questions."""

    def __init__(self, monkeypatch: MP) -> None:
        self.rooms: list[Any] = ROOMS
        self.fault: Exception | None = None
        self.unreachable: Exception | None = None
        self.asked = 0
        self.can = ["uno", "minesweeper"]
        monkeypatch.setattr(lobby, "visiting", self.visiting)
        monkeypatch.setattr(lobby, "listed", self.listed)
        monkeypatch.setattr(lobby, "REFRESH", 3600.0)  # only when asked
        monkeypatch.setattr(lobby, "AGAIN", 3600.0)

    @asynccontextmanager
    async def visiting(self, url: str) -> AsyncIterator["Server"]:
        if self.unreachable:
            raise self.unreachable
        yield self

    async def listed(self, _: "Server") -> tuple[list[Any], list[Any]]:
        self.asked += 1
        if self.fault:
            raise self.fault
        return self.rooms, BOTS


@pytest.fixture
def server(monkeypatch: MP) -> Server:
    return Server(monkeypatch)


@asynccontextmanager
async def opened(
    size: tuple[int, int] = (80, 24), look: str = "truecolour"
) -> AsyncIterator[tuple[ParlourApp, Pilot[int]]]:
    async with running(size=size, look=look) as (app, pilot):
        await pilot.press("down", "down", "enter")
        assert isinstance(app.screen, LobbyScreen)
        yield app, pilot


async def test_who_sits_in_a_room_is_told_people_first(server: Server) -> None:
    async with opened((120, 30)) as (app, _):
        assert (
            missing(app, "yes    pia (host)", "otto (host), evil�[1m�, ada (bot)", "eve (bot), zoe (bot), host otto")
            == []
        )
        assert shows(app, "host evil�[2J[bold]"), "a name does nothing to the terminal"
    async with opened() as (app, _):
        assert shows(app, "otto (host), evi…")


async def test_rooms_with_people_come_first_and_the_pointed_one_says_how_it_is_played(server: Server) -> None:
    server.rooms = [ROOMS[0], {**ROOMS[1], "people": 2}]
    async with opened() as (app, pilot):
        assert shows(app, "K7QD  UNO · 2 people, 1 bot · Draw two on draw two · 15 s a turn")
        await pilot.press("down")
        assert shows(app, "B3TX  Minesweeper")


async def test_enter_joins_and_one_comes_back_to_the_lobby(server: Server, far: ScriptedConnection) -> None:
    async with opened() as (app, pilot):
        await pilot.press("down", "enter")
        await far.tell(pilot, welcome(), joined())
        assert isinstance(app.screen, RoomScreen)
        assert [(join.room, join.as_) for join in far.heard(Join)] == [("K7QD", "player")]
        await pilot.press("q")
        await far.tell(pilot, Left("K7QD", "left"))
        assert isinstance(app.screen, LobbyScreen)
        assert server.asked == 2  # it is told anew


async def test_w_watches_and_a_double_click_joins(server: Server, far: ScriptedConnection) -> None:
    async with opened() as (_, pilot):
        await pilot.press("j", "j", "w")
        await far.tell(pilot, welcome())
        assert [(join.room, join.as_) for join in far.heard(Join)] == [("M4HC", "spectator")]
    async with opened() as (app, pilot):
        await pilot.click(Listing, offset=(5, 1))
        assert isinstance(app.screen, LobbyScreen)
        assert shows(app, "▸ K7QD")
        await pilot.click(Listing, offset=(5, 1), times=2)
        assert isinstance(app.screen, RoomScreen)


async def test_a_refusal_is_a_line_not_an_exit(server: Server, far: ScriptedConnection) -> None:
    async with opened() as (app, pilot):
        await pilot.press("enter")
        await far.tell(pilot, Refused("room_full", "the room is full"))
        assert isinstance(app.screen, LobbyScreen)
        assert shows(app, "the room is full")


async def test_typing_filters_and_enter_joins_what_is_left(server: Server, far: ScriptedConnection) -> None:
    async with opened() as (app, pilot):
        await pilot.press("slash", *"mines")
        assert shows(app, "“mines” 1 of 4 rooms")
        assert not shows(app, "K7QD")
        await pilot.press(*"zzz")
        assert shows(app, "No room fits.")
        await pilot.press("escape")
        assert shows(app, "K7QD")
        await pilot.press("slash", *"ada waiting", "enter")
        await far.tell(pilot, welcome())
        assert [join.room for join in far.heard(Join)] == ["K7QD"]


async def test_tab_goes_through_the_games(server: Server) -> None:
    async with opened() as (app, pilot):
        for told in ("Minesweeper 1 of 4 rooms", "UNO 3 of 4 rooms", " 4 rooms"):
            await pilot.press("tab")
            assert shows(app, told)


async def test_a_game_that_is_not_installed_has_its_name(server: Server, monkeypatch: MP) -> None:
    asked: list[Any] = []

    async def ask(_: Any, message: Any) -> Any:
        asked.append(message)
        return Described(message.game, [2, 2, 2], [], {"royalur.name": "Royal Game of Ur"})

    monkeypatch.setattr(queries, "ask", ask)
    server.can = ["uno", "royalur", "describe"]
    server.rooms = [row("A2AA", "royalur"), row("B2BB", "unheard"), *ROOMS]
    async with opened() as (app, pilot):
        assert shows(app, "Royal Game of")
        await pilot.press("r")
    assert asked == [Describe("royalur", "en")]


async def test_r_asks_again_and_points_at_the_same_room_and_a_long_list_scrolls(server: Server) -> None:
    async with opened() as (app, pilot):
        await pilot.press("down")
        server.rooms = [row("A2AA"), *ROOMS]
        await pilot.press("r")
        assert missing(app, "  A2AA", "▸ K7QD") == []
        server.rooms = [row(f"R{n:03}") for n in range(60)]
        await pilot.press("r", "home", "pagedown", "pagedown")
        assert not shows(app, "R000")
        for key, pointed in (("end", "▸ R059"), ("down", "▸ R000")):
            await pilot.press(key)
            assert shows(app, pointed)
        assert len([line for line in lines(app) if " R0" in line]) == 18


async def test_a_server_that_is_away_is_told_and_found_again(server: Server) -> None:
    server.unreachable = CannotConnect("nothing answers at ws://localhost:7777")
    async with opened() as (app, pilot):
        assert shows(app, "nothing answers at")
        server.unreachable = None
        await pilot.press("r")
        assert shows(app, "K7QD")
        assert not shows(app, "nothing answers at")
        server.fault = Interrupted("the server ended the connection")
        await pilot.press("r")
        assert shows(app, "the server ended the connection")
        assert not shows(app, "K7QD")


async def test_it_asks_by_itself_only_while_somebody_looks(server: Server, monkeypatch: MP) -> None:
    limits: list[asyncio.Timeout] = []

    def timeout(seconds: float) -> asyncio.Timeout:
        """Return a limit that passes when the test says so."""
        assert seconds == 2.0
        limits.append(asyncio.timeout(None))
        return limits[-1]

    monkeypatch.setattr(lobby, "REFRESH", 2.0)
    monkeypatch.setattr(lobby, "timeout", timeout)
    async with opened() as (app, pilot):
        before = server.asked
        for event, times in ((None, 1), (events.AppBlur(), 1), (events.AppFocus(), 2)):
            if event:
                app.post_message(event)
                await pilot.pause()
            limits[-1].reschedule(0)
            await pilot.pause()
            assert server.asked == before + times


async def test_without_rooms_it_says_how_to_open_one(server: Server) -> None:
    server.rooms = []
    async with opened() as (app, pilot):
        assert shows(app, "No open rooms. c opens one.")
        await pilot.press("enter", "w")
        assert isinstance(app.screen, LobbyScreen)
        await pilot.press("c")
        assert isinstance(app.screen, CreateScreen)
        await pilot.press("escape", "question_mark")
        assert shows(app, "open a room of your own")
        await pilot.press("escape", "q")
        assert isinstance(app.screen, StartScreen)


async def test_it_looks_right(server: Server) -> None:
    for size in ((60, 20), (80, 24)):
        async with opened(size) as (app, _):
            check(app, "lobby-truecolour")
    async with opened(look="plain") as (app, _):
        assert_plain(app)
        assert shows(app, "> B3TX")
