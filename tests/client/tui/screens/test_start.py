"""The start screen: what is chosen there, the profile and the board of the day, and what comes back."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Any

import msgspec
import pytest
from tests.client.messages import joined, welcome
from tests.client.tui.scripted_app import URL, ScriptedConnection, Seen, running
from tests.client.tui.snapshots import assert_plain, check, missing, shows
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from parlour_client.core import queries
from parlour_client.core.errors import CannotConnect, Fault, Refused
from parlour_client.core.queries import OwnGames
from parlour_client.core.session import Session
from parlour_client.play.entry import Entry
from parlour_client.play.room_events import Completed
from parlour_client.storage import kept_matches
from parlour_client.storage.credentials import held
from parlour_client.storage.history import HeldSeat, count_match, name, recent, remember, sit
from parlour_client.storage.kept_matches import KeptMatch
from parlour_client.tui.app import ParlourApp
from parlour_client.tui.screens.base import StartOptions
from parlour_client.tui.screens.create import CreateScreen
from parlour_client.tui.screens.room import RoomScreen
from parlour_client.tui.screens.sheets import DailyScreen, ProfileScreen
from parlour_client.tui.screens.start import StartScreen
from parlour_client.tui.widgets.list_view import Menu, MenuEntry
from parlour_games.statistics import Finish
from parlour_protocol.messages import Create, Daily, DailyRows, Join, Left, List, MissedRow, ProfileRow, ProfileRows


class Asked:
    """Stands in for ways to a server of one's own, and keeps what was asked of them."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def practice(
        self, game: str, options: Any, *, name: str, bots: int | None = None, level: str = "", kept: Any = None
    ) -> AbstractAsyncContextManager[Entry]:
        self.asked.append((game, options, name, kept or level or bots))
        return nullcontext(Entry(URL, Create(game, options), name))

    def hosting(self, enter: Create | Join, *, name: str, key: str | None) -> AbstractAsyncContextManager[Entry]:
        self.asked.append((enter, name))
        return nullcontext(Entry(URL, enter, name, ends=True))


@pytest.fixture
def own() -> Asked:
    return Asked()


def started(
    size: tuple[int, int] = (80, 24), look: str = "truecolour", notifications: bool = False, **ways: Any
) -> AbstractAsyncContextManager[tuple[ParlourApp, Pilot[int]]]:
    return running(StartOptions(URL, "maria", **ways), size, look, notifications)


async def test_play_at_once_with_bots_of_some_strength_and_come_back(own: Asked, far: ScriptedConnection) -> None:
    async with started(practice=own.practice) as (app, pilot):
        await pilot.press("down", "up", "right", "right")
        assert shows(app, "▸ Play UNO with three hard bots")
        await pilot.press("enter")
        await far.tell(pilot, welcome(), joined())
        assert own.asked == [("uno", {}, "maria", "hard")]
        await pilot.press("q")
        await far.tell(pilot, Left("K7QD", "left"))
        assert isinstance(app.screen, StartScreen)
        await pilot.press("q")
        assert app.return_value == 0


async def test_esc_leads_from_a_field_to_the_menu_and_only_ctrl_q_ends_it(
    far: ScriptedConnection,
) -> None:
    async with started() as (app, pilot):
        assert shows(app, "q Quit")
        await pilot.press("tab", *"k7")
        assert not shows(app, "q Quit"), "q is a letter in a field"
        assert shows(app, "esc Menu")
        for _ in range(2):
            await pilot.press("escape")
            assert isinstance(app.focused, Menu)
            assert app.return_value is None
            assert shows(app, "k7")
        await pilot.press("question_mark", "ctrl+q")
        assert app.return_value == 130


async def test_the_match_that_was_left_is_first_and_can_be_continued(own: Asked, far: ScriptedConnection) -> None:
    left = KeptMatch("uno", "anna", "secret", ["easy"], 0.8, "K7QD", "UNO, 0 : 352, round 5")
    kept_matches.empty_store("uno").touch()
    kept_matches.keep(left)
    async with started(practice=own.practice) as (app, pilot):
        assert shows(app, "▸ Continue: UNO, 0 : 352, round 5")
        await pilot.press("enter")
        assert own.asked == [("uno", {}, "anna", left)]
    kept_matches.drop("uno")
    async with started(practice=own.practice) as (app, _):
        assert not shows(app, "Continue")


async def test_a_name_that_was_typed_is_there_the_next_time(own: Asked, far: ScriptedConnection) -> None:
    typed = [*["tab"] * 3, *"otto", *["shift+tab"] * 3]
    for keys, kept in (([], ""), (typed, "otto")):  # none as long as it is as it was given
        async with started(practice=own.practice) as (_, pilot):
            await pilot.press(*keys, "enter")
            assert own.asked[-1] == ("uno", {}, kept or "maria", None)
            assert name() == kept


async def test_what_was_said_of_a_room_does_not_stand_over_the_start(own: Asked, far: ScriptedConnection) -> None:
    async with started(notifications=True, practice=own.practice) as (app, pilot):
        await pilot.press("enter")
        await far.tell(pilot, welcome(), joined())
        seen = Seen(app, pilot, far)
        seen.screen.present(Completed("Saved.", ok=True))
        await seen.settle()
        assert shows(app, "Saved.")
        await seen.press("q")
        await seen.hear(Left("K7QD", "left"))
        assert shows(app, "Play UNO with three bots")
        assert not shows(app, "Saved.")


async def test_a_room_that_was_closed_under_ones_feet_is_told_of(own: Asked, far: ScriptedConnection) -> None:
    async with started(notifications=True, practice=own.practice) as (app, pilot):
        await pilot.press("enter")
        await far.tell(pilot, welcome(), joined(), Left("K7QD", "expired"))
        await app.workers.wait_for_complete()
        while not isinstance(app.screen, StartScreen):
            await pilot.pause()
        await pilot.pause()
        assert missing(app, "Play UNO with three bots", "Room K7QD is closed: it was idle for too long.") == []


async def test_a_mouse_points_and_chooses(own: Asked, far: ScriptedConnection) -> None:
    async with started(practice=own.practice) as (app, pilot):
        await pilot.hover(Menu, offset=(4, 2))
        assert app.screen.query_one(Menu).pointed.label.startswith("Minesweeper, beginner")
        await pilot.click(Menu, offset=(4, 4))
        assert own.asked == [("minesweeper", {"mode": "race"}, "maria", "easy")]
        assert isinstance(app.screen, RoomScreen)


async def test_other_levels_and_modes_are_shown_in_place_of_an_entry(own: Asked, far: ScriptedConnection) -> None:
    async with started(practice=own.practice) as (app, pilot):
        await pilot.press("down", "right")
        assert shows(app, "▸ Play UNO with house rules"), "there is no other way"
        await pilot.press("down", "right")
        assert missing(app, "▸ Minesweeper, intermediate", "16×16 cells, 40 mines.", "right Level, mode") == []
        await pilot.press("down", "down", "down", "up", "left", "enter")
        assert own.asked == [("minesweeper", {"mode": "coop"}, "maria", "normal")]


async def test_it_tells_what_an_entry_is_and_what_was_done_there(own: Asked, far: ScriptedConnection) -> None:
    count_match("uno", Finish(at=0, rank=1, players=4, score=0))
    async with started(practice=own.practice) as (app, pilot):
        assert shows(app, "UNO: 1 match, 1 won (100 %)")
        await pilot.press("up")
        assert shows(app, "Name, theme, language")
        assert not shows(app, "1 won")
    async with started() as (app, _):
        assert not shows(app, "Play UNO"), "without bots nothing is played at once"
        assert shows(app, "▸ Join a room")


async def test_a_complaint_pushes_nothing_out_of_sight(own: Asked, far: ScriptedConnection) -> None:
    async with started((60, 20), notifications=True, practice=own.practice) as (app, pilot):
        assert isinstance(app.screen, StartScreen)
        app.screen._back(Fault("no server answers. " * 12))
        await pilot.pause()
        assert shows(app, "no server answers.")
        assert app.screen.max_scroll_y == 0
    async with started(practice=own.practice, hosting=own.hosting) as (app, pilot):
        app.screen.query_one(Menu).post_message(Menu.Chosen(MenuEntry("Join a room", "join")))
        await pilot.press(*"k7qd", "enter")
        await far.tell(pilot, CannotConnect("no server answers at ws://nowhere. " + "Start one somewhere. " * 6))
        assert shows(app, "no server answers at ws://nowhere")
        assert shows(app, "╰─"), "the bottom of the frame"


@pytest.mark.parametrize(("keys", "role"), [((), "player"), (("down",), "spectator")])
async def test_joining_or_watching_takes_a_code(far: ScriptedConnection, keys: tuple[str, ...], role: str) -> None:
    async with started() as (app, pilot):
        await pilot.press(*keys, "enter")
        assert shows(app, "Which room? Type its code, or paste a link to it.")
        await pilot.press(*"k7qd", "enter")
        await far.tell(pilot, welcome())
        shown = [(each.room, "player") for each in far.heard(List)]
        assert [*shown, *((join.room, join.as_) for join in far.heard(Join))] == [("K7QD", role)]
        assert recent() == [URL]


@pytest.mark.parametrize("link", ["https://play.example.org/a/r/k7qd/", "wss://play.example.org/a/r/K7QD"])
async def test_a_link_that_is_pasted_tells_code_and_server(far: ScriptedConnection, link: str) -> None:
    async with started() as (app, pilot):
        await pilot.press("tab")
        app.screen.post_message(events.Paste(f"{link}\n"))
        await pilot.pause()
        await pilot.press("enter")
        await far.tell(pilot, welcome())
        assert [each.room for each in far.heard(List)] == ["K7QD"]
        assert recent() == ["wss://play.example.org/a/"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("http://localhost:7777/", "names a server, but no"),
        ("nobody@host/r/K7QD", "'nobody@host' is not the address of a server"),
    ],
)
async def test_a_link_that_leads_to_no_table_is_told(far: ScriptedConnection, said: str, why: str) -> None:
    async with started() as (app, pilot):
        await pilot.press("tab", *said, "enter")
        assert isinstance(app.screen, StartScreen)
        assert shows(app, why)
        await pilot.press("end", "x")
        assert [field.value for field in app.screen.query(Input)] == [f"{said}x", URL, "maria"]


async def test_nobody_plays_without_a_name(own: Asked, far: ScriptedConnection) -> None:
    async with started(practice=own.practice) as (app, pilot):
        await pilot.press("tab", "tab", "tab", *["backspace"] * 5, "tab", "tab", "enter")
        app.screen.query_one(Menu).action_choose()
        await pilot.pause()
        assert own.asked == []
        assert shows(app, "Type your name.")


async def test_setting_up_a_table(far: ScriptedConnection) -> None:
    async with started() as (app, pilot):
        await pilot.press("down", "down", "down", "enter")
        assert isinstance(app.screen, CreateScreen)
        await pilot.press("enter")
        await far.tell(pilot, welcome())
        assert [(create.game, create.options) for create in far.heard(Create)] == [("uno", {})]
        assert recent() == [URL]


async def test_what_goes_wrong_is_told_where_one_comes_back_to(far: ScriptedConnection) -> None:
    async with started() as (app, pilot):
        await pilot.press("enter", *"k7qd", "enter")
        await far.tell(pilot, CannotConnect("no server answers at ws://nowhere"))
        assert isinstance(app.screen, StartScreen)
        assert missing(app, "no server answers at ws://nowhere", "q Quit") == []
        await pilot.press("escape")
        assert not shows(app, "no server answers")
        assert app.return_value is None


async def test_servers_lately_visited_are_a_key_away(far: ScriptedConnection) -> None:
    remember("ws://first:1")
    remember("ws://second:2")
    async with started() as (app, pilot):
        await pilot.press("tab", "tab", "down")
        assert shows(app, "ws://second:2")
        await pilot.press("down")
        assert shows(app, "ws://first:1")


async def test_it_looks_right_and_is_plain_and_whole_in_a_small_terminal(own: Asked, far: ScriptedConnection) -> None:
    async with started(practice=own.practice) as (app, _):
        check(app, "start-truecolour")
    async with started((60, 20), "plain", practice=own.practice, hosting=own.hosting) as (app, _):
        assert_plain(app)
        assert missing(app, "> Play UNO with three bots", "Settings", "maria", "name", "q Quit") == []


async def test_hosting_needs_no_server_and_no_second_terminal(own: Asked, far: ScriptedConnection) -> None:
    async with started(hosting=own.hosting) as (app, pilot):
        assert shows(app, "▸ Host a room for your network")
        await pilot.press("enter")
        assert isinstance(app.screen, CreateScreen)
        assert shows(app, "a new room on this machine, for your network")
        await pilot.press("enter")
        await far.tell(pilot, welcome())
        assert [(enter.game, name) for enter, name in own.asked] == [("uno", "maria")]
        assert len(far.heard(Create)) == 1
        assert recent() == []  # a server of one's own is none to visit


async def test_a_host_who_leaves_is_offered_the_way_back_to_the_own_server(own: Asked, far: ScriptedConnection) -> None:
    async with started(hosting=own.hosting) as (app, pilot):
        await pilot.press("enter", "enter")
        await far.tell(pilot, welcome(), joined())  # with others
        await pilot.press("q", "y")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)
        assert shows(app, "▸ Back to your seat in room K7QD")
        await pilot.press("enter")
        assert own.asked[1:] == [(Join("K7QD"), "maria")]


async def test_a_seat_that_was_not_given_up_is_the_first_to_be_offered(far: ScriptedConnection) -> None:
    sit(HeldSeat("ws://elsewhere:1", "K7QD", "otto"))
    async with started() as (app, pilot):
        assert shows(app, "▸ Back to your seat in room K7QD")
        await pilot.press("enter")
        assert isinstance(app.screen, RoomScreen)
        await far.tell(pilot, welcome())
        assert [join.room for join in far.heard(Join)] == ["K7QD"]
        await far.tell(pilot, Refused("no_room", "Room K7QD isn't there"))
        assert shows(app, "Room K7QD isn't there")
        assert not shows(app, "Back to your seat")


async def test_an_entry_chosen_twice_in_one_breath_is_opened_once(own: Asked, far: ScriptedConnection) -> None:
    async with started(practice=own.practice) as (app, pilot):
        for _ in range(2):
            app.post_message(events.Key("enter", "\r"))
        await pilot.pause()
        assert [type(screen) for screen in app.screen_stack].count(RoomScreen) == 1


MP = pytest.MonkeyPatch


@asynccontextmanager
async def opened(what: str, look: str = "truecolour") -> AsyncIterator[tuple[ParlourApp, Pilot[int]]]:
    async with running(look=look) as (app, pilot):
        app.screen.query_one(Menu).post_message(Menu.Chosen(MenuEntry(what, what)))
        await pilot.pause()
        yield app, pilot


DAILY = {
    "t": "daily", "day": "2026-11-22", "commit": "c0ffee", "context": "daily/2026-11-22", "left": 1,
    "rows": [{"name": "evil\x1b[2J", "kind": "human", "ms": 61_000, "digest": "d"}],
}  # fmt: skip


async def test_a_profile_shows_ones_own_table_and_the_server(monkeypatch: MP) -> None:
    async def profile(url: str, name: str) -> ProfileRows:
        assert (url, name) == (URL, "maria")
        row = {"game": "uno", "matches": 4, "wins": 3, "streak": 2, "longest": 2, "times": [], "last": []}
        return ProfileRows("maria", "human", [msgspec.convert(row, ProfileRow)])

    async def own_games(url: str, session: Session) -> OwnGames:
        assert session.token == "mine"
        row: MissedRow = {"digest": "d1", "room": "X9QR", "game": "uno", "ago": 5, "rank": 1, "players": []}
        return OwnGames([], [row])

    monkeypatch.setattr(queries, "own_games", own_games)
    with held(URL, "maria") as mine:
        mine.keep("mine")
    monkeypatch.setattr(queries, "profile", profile)
    count_match("minesweeper", Finish(at=0, rank=1, players=1, score=1))
    async with opened("profile", "plain") as (app, pilot):
        assert_plain(app)
        told = ["Minesweeper: 1 match, 1 won", "UNO: 4 matches, 3 won", f"Your matches on {URL}:", "X9QR"]
        assert missing(app, *told) == []
        await pilot.press("escape")
        assert not isinstance(app.screen, ProfileScreen)


async def test_the_board_of_the_day_is_shown_by_level_and_played(monkeypatch: MP, far: ScriptedConnection) -> None:
    async def daily(url: str, board: str, day: str | None) -> DailyRows:
        return msgspec.convert({**DAILY, "board": board}, DailyRows)

    monkeypatch.setattr(queries, "daily", daily)
    async with opened("daily") as (app, pilot):
        assert shows(app, "Match of the day, 22 Nov, beginner: 1 player has cleared it.")
        await pilot.press("left")
        assert shows(app, "Match of the day, 22 Nov, expert")
        await pilot.press("enter")
        await far.tell(pilot, welcome())
        assert [(daily.board, daily.play) for daily in far.heard(Daily)] == [("expert", True)]
        await far.tell(pilot, joined())
        await pilot.press("q")
        await far.tell(pilot, Left("K7QD", "left"))
        assert isinstance(app.screen, DailyScreen)


@pytest.mark.parametrize(("what", "still"), [("profile", "Your own table: no finished matches yet."), ("daily", "")])
async def test_what_the_server_does_not_tell_is_shown_beside_ones_own(monkeypatch: MP, what: str, still: str) -> None:
    async def refused(*_: object) -> None:
        raise Refused("unknown_type", f"{URL} refuses: nothing of this kind here")

    monkeypatch.setattr(queries, what, refused)
    async with opened(what) as (app, _):
        assert missing(app, still, "refuses: nothing of this kind here") == []
