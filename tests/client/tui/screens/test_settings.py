"""The settings' screen: what is set takes effect at once, is kept, and a key has one meaning at a place."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.client.tui.scripted_app import LOOKS, ON_START_SCREEN
from tests.client.tui.snapshots import assert_plain, check, lines, missing, shows
from textual import events
from textual.app import App
from textual.binding import Binding
from textual.command import CommandList
from textual.pilot import Pilot

from parlour_client.storage import settings
from parlour_client.storage.settings import Settings, load
from parlour_client.tui.app import ParlourApp
from parlour_client.tui.colors import THEMES
from parlour_client.tui.screens.base import StartOptions
from parlour_client.tui.screens.lobby import LobbyScreen
from parlour_client.tui.screens.saved_matches import SavedMatchesScreen
from parlour_client.tui.screens.settings import _OWNERS, SettingsScreen, actions, taken
from parlour_client.tui.screens.start import StartScreen
from parlour_client.tui.widgets.form import Form
from parlour_client.tui.widgets.list_view import Menu

MP = pytest.MonkeyPatch
KEPT = Path("/home/maria/.config/parlour/client.toml")


@pytest.fixture(autouse=True)
def home(monkeypatch: MP, tmp_path: Path) -> Path:
    for variable in ("PARLOUR_LOOK", "NO_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    surroundings = {"COLORTERM": "truecolor", "TERM": "xterm", "LC_ALL": "C.UTF-8", "XDG_CONFIG_HOME": str(tmp_path)}
    for variable, value in surroundings.items():
        monkeypatch.setenv(variable, value)
    return tmp_path


class Setting:
    def __init__(self, app: ParlourApp, pilot: Pilot[int]) -> None:
        self.app, self.pilot = app, pilot

    async def at(self, name: str, *keys: str) -> None:
        self.app.screen.query_one(Form).go_to(name)
        await self.press(*keys)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()


@asynccontextmanager
async def setting(
    size: tuple[int, int] = (100, 30), look: str = "truecolour", mine: Settings | None = None
) -> AsyncIterator[Setting]:
    app = ParlourApp(LOOKS[look], ON_START_SCREEN, mine)
    async with app.run_test(size=size) as pilot:
        seen = Setting(app, pilot)
        await seen.press("up", "enter")
        assert isinstance(app.screen, SettingsScreen)
        yield seen


async def test_a_theme_takes_effect_with_a_preview_and_a_mistake_in_ones_own_is_told(home: Path) -> None:
    own = home / "parlour" / "themes" / "zinc.toml"
    own.parent.mkdir(parents=True)
    own.write_text('gold = "yellow"\n')
    async with setting() as seen:
        await seen.at("theme", "right")
        assert (load().theme, seen.app.look.palette) == ("night", THEMES["night"])
        assert shows(seen.app, "│▐  7  ▌│"), "cards of the preview"
        await seen.press("left", "left")
        assert shows(seen.app, "gold must be a colour like")
        assert (load().theme, seen.app.look.palette) == ("felt", THEMES["felt"]), "the one before stays"
        await seen.at("bell")
        assert not shows(seen.app, "│▐  7  ▌│")


async def test_a_name_is_typed_kept_and_used(home: Path) -> None:
    async with setting() as seen:
        await seen.at("name")
        for letter in "otto":  # in one breath
            seen.app.post_message(events.Key(letter, letter))
        await seen.press(*" q?")
        assert shows(seen.app, "A name has up to 20 letters of one script")
        await seen.at("name", "backspace")
        assert load().name == "otto"
        await seen.at("server", *"10.0.0.4")
        await seen.press("escape")
        assert isinstance(seen.app.screen, StartScreen)
        assert missing(seen.app, "otto", "10.0.0.4") == []


async def test_the_first_keys_change_no_name() -> None:
    async with setting() as seen:
        await seen.press("question_mark")
        assert shows(seen.app, "press the new one")
        await seen.press("escape", "q")
        assert isinstance(seen.app.screen, StartScreen)
        assert load() == Settings()


async def test_a_name_that_no_server_takes_can_be_erased() -> None:
    async with setting(mine=Settings(name="?x")) as seen:
        for key in ("backspace", "a"):
            await seen.at("name", key)
            assert load().name == "?"


async def test_another_look_is_there_at_once() -> None:
    async with setting() as seen:
        await seen.at("look", "right", "right", "right", "right", "right", "right")
        assert load().look == "ascii"
        assert shows(seen.app, "> look")
        assert not any("▸" in line for line in lines(seen.app))
        await seen.press("left", "left")
        assert load().look == "mono"
        assert seen.app.theme == "parlour-mono-felt-plain"
        await seen.press("escape")
        assert seen.app.screen.query_one(Menu)._look.name == "mono"


async def test_the_environment_outweighs_the_look(monkeypatch: MP) -> None:
    monkeypatch.setenv("PARLOUR_LOOK", "truecolour")
    async with setting() as seen:
        await seen.at("look", "right", "right")
        assert (load().look, seen.app.look.name) == ("256", "truecolour")


async def test_bell_and_motion(monkeypatch: MP) -> None:
    rung: list[bool] = []
    monkeypatch.setattr(App, "bell", lambda _: rung.append(True))
    async with setting() as seen:
        written: list[str] = []
        monkeypatch.setattr(seen.app._driver, "write", written.append)
        seen.app.title = "Your turn\x07: UNO"
        seen.app.bell()
        title = "Your turn\ufffd: UNO\x07"
        assert [each for each in written if "Your turn" in each] == [f"\x1b]2;{title}", f"\x1b]9;{title}"]
        await seen.at("bell", "space")
        seen.app.bell()
        assert rung == [True]
        await seen.at("reduced_motion", "space")
        assert seen.app.animation_level == "none"
        assert load() == Settings(bell=False, reduced_motion=True)


async def test_a_key_is_pressed_and_does_it_from_then_on_unless_it_does_something_else() -> None:
    async with setting() as seen:
        for key, action in (("u", "“Call UNO” (uno.call)"), ("t", "“Chat” (room.chat)")):
            await seen.at("uno.draw", "enter", key)
            assert shows(seen.app, f"{key} is taken here, by {action}")
        await seen.at("uno.draw", "enter", "escape")
        assert load().keys == {}
        await seen.at("start.help", "enter")
        assert shows(seen.app, "Press the new key for “Help”")
        await seen.press("f2")
        assert load().keys == {"start.help": "f2"}
        assert shows(seen.app, "called start.help in the file")
        assert any("f2" in line and "Help" in line for line in lines(seen.app))
        await seen.press("escape", "f2")
        assert shows(seen.app, "recent servers")
        await seen.press("escape", "question_mark")
        assert not shows(seen.app, "recent servers")


async def test_keys_kept_from_another_time_work_and_the_help_tells_of_them() -> None:
    async with setting(mine=Settings(keys={"settings.help": "f2", "settings.back": "f9"})) as seen:
        await seen.press("f2")
        assert any("f2" in line and "replaces the key below" in line for line in lines(seen.app))
        await seen.press("escape", "f9")
        assert isinstance(seen.app.screen, StartScreen)


async def test_keys_are_written_as_people_write_them() -> None:
    async with setting(size=(100, 60)) as seen:
        assert any("?" in line and "Help" in line[:30] for line in lines(seen.app))
        assert shows(seen.app, "Invite bot 1")
        assert not shows(seen.app, "question_mark")


async def test_delete_makes_it_usual_again() -> None:
    mine = Settings(name="otto", keys={"uno.draw": "e"})
    settings.save(mine)
    async with setting(mine=mine) as seen:
        await seen.at("uno.draw", "delete")
        await seen.at("name", "delete")
        assert load() == Settings()


async def test_a_file_that_cannot_be_written_is_told() -> None:
    async with setting((250, 30)) as seen:
        settings.file().parent.mkdir()
        settings.file().write_text("name = \n")
        await seen.at("bell", "space")
        assert shows(seen.app, "Invalid value (at line 1")
        assert settings.file().read_text() == "name = \n"
        assert seen.app.settings.bell is False  # for as long as the program runs


def test_every_action_has_an_id_of_its_own_by_which_its_key_can_be_changed() -> None:
    bindings = [each for owner in _OWNERS for each in owner.BINDINGS if isinstance(each, Binding)]
    ids = [each.id for each in bindings if each.id]
    assert len(ids) == len(actions()) > 60
    assert {each.key for each in bindings if not each.id} == {"escape", "pageup", "pagedown"}
    assert taken("mines.flag", "c", {}) is not None
    assert taken("mines.flag", "c", {"mines.chord": "e"}) is None
    assert taken("mines.flag", "x", {}) is None  # x challenges, in another game


async def test_the_palette_does_what_can_be_done_here_and_leads_wherever_the_menu_does() -> None:
    async with setting() as seen:
        for word in ("help", "rep"):
            await seen.press("escape", "ctrl+p", *word)
            await seen.app.workers.wait_for_complete()
            await seen.press("enter")
            assert word == "rep" or shows(seen.app, "recent servers")
        assert isinstance(seen.app.screen, SavedMatchesScreen)


async def test_a_palette_that_is_closed_while_it_searches_ends_nothing() -> None:
    async with setting() as seen:
        await seen.press("escape", "ctrl+p")
        await seen.app.screen.query_one(CommandList).remove()  # as closing does, before it ends the search
        await seen.press("x")
        await seen.app.workers.wait_for_complete()
        assert seen.app.is_running


async def test_the_palette_of_the_lobby_is_another() -> None:
    async with setting() as seen:
        await seen.press("escape")
        await seen.app.push_screen(LobbyScreen(seen.app.look, seen.app.enter_room, StartOptions("ws://[::1]:9", "m")))
        await seen.press("ctrl+p")
        shown = "\n".join(lines(seen.app))
        assert all(word in shown for word in ("Create", "Filter", "Watch"))
        assert "Theme" not in shown
        assert "Page up" not in shown


async def test_it_looks_right_and_is_plain_and_whole_in_a_small_terminal(monkeypatch: MP) -> None:
    monkeypatch.setattr("parlour_client.tui.screens.settings.file", lambda: KEPT)
    async with setting((80, 24)) as seen:
        await seen.at("look")
        check(seen.app, "settings-truecolour")
    async with setting((60, 20), "plain") as seen:
        await seen.at("look")
        assert_plain(seen.app)
        assert missing(seen.app, "> look", str(KEPT)) == []
