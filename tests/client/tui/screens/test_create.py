"""Opening a room and changing its rules: every option where it stands, refusals beside what they are about."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest
from msgspec import structs
from rich.cells import cell_len
from tests.client.messages import ROOM, VIEW, joined, table, welcome
from tests.client.tui.scripted_app import LOOKS, URL, ScriptedConnection, Seen, at_table, running
from tests.client.tui.snapshots import assert_plain, check, lines, missing, shows
from tests.support.server import server_process
from tests.support.waiting import until
from textual import events
from textual.pilot import Pilot

from parlour_client.core import connection
from parlour_client.core.errors import CannotConnect, Refused
from parlour_client.core.phrases import phrases
from parlour_client.play.game_form import DescribedGame, GameForm
from parlour_client.tui.app import ParlourApp
from parlour_client.tui.screens.base import StartOptions
from parlour_client.tui.screens.create import ConfigureScreen, CreateScreen
from parlour_client.tui.widgets.form import CHOSEN, LONGEST_CHOICE, NAME, Form
from parlour_games.options import Option
from parlour_games.registry import games
from parlour_protocol import phrases as tables
from parlour_protocol.messages import DEFAULT_CLOCK, Configure, Create, Error, Ok, PresetRow, PresetRows, Presets
from parlour_protocol.phrases import LANGUAGES

MP = pytest.MonkeyPatch
OF_TABLE = re.compile(r"tui\.create\.(kinds|watch|hints|standin|pace|delay|start|as)\.(?!means)\w+")
"""The keys of the choices about a room."""


class Asked:
    """A form on the screen, and what comes of it."""

    def __init__(self, app: ParlourApp, pilot: Pilot[int], far: ScriptedConnection) -> None:
        self.app, self.pilot, self.far = app, pilot, far
        self.form = app.screen.query_one(Form)

    async def at(self, name: str, *keys: str) -> None:
        self.form.go_to(name)
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def created(self) -> Any:
        """Press enter, and return what the server is asked for."""
        await self.pilot.press("enter")
        await self.far.tell(self.pilot, welcome())
        return self.far.heard(Create)[-1]

    def line(self, name: str) -> str:
        label = next(field.label for field in self.form.fields if field.name == name)
        return next(line for line in lines(self.app) if label in line[:34])


@asynccontextmanager
async def asked(
    far: ScriptedConnection, game: str = "uno", size: tuple[int, int] = (120, 40), look: str = "truecolour"
) -> AsyncIterator[Asked]:
    async with running(size=size, look=look) as (app, pilot):
        await app.push_screen(CreateScreen(app.look, app.enter_room, StartOptions(URL, "maria"), game))
        await pilot.pause()
        yield Asked(app, pilot, far)


async def test_everything_about_the_table_can_be_chosen(far: ScriptedConnection) -> None:
    async with asked(far) as seen:
        for name, *keys in (["seats", "right", "right"], ["private", "space"], ["clock", "left"]):
            await seen.at(name, *keys)
        for name in ("kinds", "watch", "pace", "start", "as_"):
            await seen.at(name, "right")
        create = await seen.created()
        assert (create.seats, create.private, create.clock, create.kinds) == (3, True, None, "humans")
        assert (create.watch, create.start, create.as_, create.pace) == (False, "full", "spectator", 0)


@pytest.mark.parametrize(
    ("language", "game"), [pytest.param("en", "minesweeper", marks=pytest.mark.long), ("de", "uno")]
)
async def test_every_choice_is_shown_whole(far: ScriptedConnection, language: str, game: str, monkeypatch: MP) -> None:
    monkeypatch.setattr(phrases, "_language", language)
    monkeypatch.setenv("PARLOUR_LANG", language)
    async with asked(far, game, size=(80, 24)) as seen:
        for name in [field.name for field in seen.form.fields if field.kind == "choice"]:
            await seen.at(name)
            for _ in seen.form.field.choices if seen.form.field else ():
                await seen.pilot.press("right")
                assert seen.form.field
                assert f"‹ {seen.form.field.shown} ›" in seen.line(name)


def test_the_short_names_of_choices_have_room_beside_their_description() -> None:
    for language in LANGUAGES:
        said = tables.table("parlour_client.phrases", language)
        labels = [words for key, words in said.items() if OF_TABLE.fullmatch(key)]
        assert len(labels) > 10
        assert [words for words in labels if cell_len(words) > LONGEST_CHOICE] == []


async def test_a_preset_shows_what_it_means_and_only_what_was_set_is_sent(far: ScriptedConnection) -> None:
    async with asked(far) as seen:
        assert "no" in seen.line("stack2")[34:44]
        await seen.at("preset", "right")
        assert "yes" in seen.line("stack2")[34:44]
        await seen.at("stack2", "right")
        await seen.at("jump_in", "right", "right")  # there and back again
        create = await seen.created()
        assert create.options == {"preset": "family", "stack2": False}


async def test_numbers_are_typed_within_their_limits_in_one_breath_too(far: ScriptedConnection) -> None:
    async with asked(far) as seen:
        await seen.at("target")
        for digit in "120":
            seen.app.post_message(events.Key(digit, digit))
        await seen.pilot.pause()
        assert "120" in seen.line("target")
        await seen.at("target", "backspace", *"9", "right")
        await seen.at("call_penalty", *"9")
        create = await seen.created()
        assert create.options == {"target": 179, "call_penalty": 4}


async def test_a_board_that_makes_no_sense_is_told_beside_its_field(far: ScriptedConnection) -> None:
    async with asked(far, "minesweeper") as seen:
        await seen.at("level", "left")
        assert "width and height must be" in seen.line("width")
        await seen.at("level", "enter")
        assert far.heard(Create) == []
        assert seen.form.field is not None
        assert seen.form.field.name == "width"
        for name, number in (("width", "12"), ("height", "8"), ("mines", "10")):
            await seen.at(name, *number)
        create = await seen.created()
        assert create.options == {"level": "custom", "width": 12, "height": 8, "mines": 10}


async def test_the_seats_follow_the_mode_and_another_game_has_other_options(far: ScriptedConnection) -> None:
    async with asked(far) as seen:
        await seen.at("target", *"9")
        await seen.at("game", "right")
        assert shows(seen.app, "No guessing needed")
        assert "always 1" in seen.line("seats")
        await seen.at("mode", "right")
        assert "2 to 10" in seen.line("seats")
        create = await seen.created()
        assert (create.game, create.options) == ("minesweeper", {"mode": "race"})


async def test_rules_of_a_house_come_from_a_file(far: ScriptedConnection, tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text('preset = "chaos"\nstack2 = false\n')
    async with asked(far) as seen:
        seen.form.go_to("file")
        seen.form.post_message(events.Paste(f"{path}\n"))
        await seen.pilot.pause()
        assert "Chaos" in seen.line("preset")
        await seen.at("target", *"100")
        create = await seen.created()
        assert create.options == {"preset": "chaos", "stack2": False, "target": 100}


async def test_a_visitor_of_another_machine_names_no_file(far: ScriptedConnection, monkeypatch: MP) -> None:
    monkeypatch.setattr(connection, "_route", {})
    async with asked(far) as seen:
        assert "file" in [field.name for field in seen.form.fields]
    connection.route_through("/run/parlour.sock", "203.0.113.7")
    async with asked(far) as seen:
        assert "file" not in [field.name for field in seen.form.fields]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cannot be read"),
        ("preset = ", "is not TOML"),
        ("nonsense = 1\n", "nonsense"),
        ("target = 0\n", "target"),
    ],
)
async def test_a_file_that_will_not_do_opens_nothing(
    far: ScriptedConnection, tmp_path: Path, monkeypatch: MP, text: str | None, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / "ours.toml").write_text(text)
    async with asked(far) as seen:
        seen.form.go_to("file")
        # a longer path breaks what is said of it into two lines
        seen.form.post_message(events.Paste("ours.toml"))
        await seen.pilot.pause()
        await seen.at("file", "enter")
        assert far.heard(Create) == []
        assert shows(seen.app, said)


async def test_what_the_server_refuses_stands_beside_the_field_or_below(far: ScriptedConnection) -> None:
    async with asked(far) as seen:
        await seen.pilot.press("enter")
        await far.tell(seen.pilot, Refused("bad_options", f"{URL} refuses: target must be a prime here"))
        assert isinstance(seen.app.screen, CreateScreen)
        assert "target must be a prime here" in seen.line("target")
        assert seen.form.field is not None
        assert seen.form.field.name == "target"
    async with asked(far) as seen:
        await seen.pilot.press("enter")
        await far.tell(seen.pilot, CannotConnect("nothing answers there"))
        assert shows(seen.app, "nothing answers there")


async def test_delete_takes_back_what_was_set_and_enter_opens_what_is_usual(far: ScriptedConnection) -> None:
    async with asked(far) as seen:
        await seen.at("target", *"9")
        await seen.at("target", "delete")
        await seen.at("hints", "right", "delete")
        await seen.at("seats", "right", "x")
        await seen.at("game", "up")  # from the first to the last
        create = await seen.created()
        assert (create.game, create.options, create.hints) == ("uno", {}, True)
        assert (create.seats, create.clock) == (None, DEFAULT_CLOCK)


async def test_a_game_that_only_the_server_has_can_be_opened(far: ScriptedConnection, monkeypatch: MP) -> None:
    async def there(_: str) -> dict[str, GameForm]:
        phrases.learn("nim", {"nim.name": "Nim", "nim.option.last": "The last one", "nim.option.last.loses": "is bad"})
        last = Option("last", "Who takes the last.", "wins", ("wins", "loses"))
        return {"nim": DescribedGame([last], (2, 4), {"last": {"loses": {"seats": [2, 2, 2]}}})}

    monkeypatch.setattr("parlour_client.tui.screens.create.forms", there)
    async with asked(far, "nim") as seen:
        assert "Nim" in seen.line("game")
        assert "2 to 4" in seen.line("seats")
        await seen.at("last", "right")
        assert "is bad" in seen.line("last")
        assert "always 2" in seen.line("seats")
        create = await seen.created()
        assert (create.game, create.options) == ("nim", {"last": "loses"})


async def test_a_mouse_points_and_changes(far: ScriptedConnection) -> None:
    async with asked(far) as seen:
        row = next(n for n, field in enumerate(seen.form.fields) if field.name == "private")
        await seen.pilot.click(Form, offset=(40, row))
        await seen.pilot.click(Form, offset=(40, row))
        assert "yes" in seen.line("private")
        await seen.pilot.press("question_mark")
        assert shows(seen.app, "open the room and go in")


async def test_it_looks_right(far: ScriptedConnection) -> None:
    async with asked(far, size=(80, 24)) as seen:
        await seen.at("preset", "right")
        check(seen.app, "create-truecolour")


async def test_it_is_whole_in_a_small_terminal_and_plain_in_the_plain_look(far: ScriptedConnection) -> None:
    async with asked(far, "minesweeper", (60, 20), "plain") as seen:
        await seen.at("mode", "right")
        assert_plain(seen.app)
        assert missing(seen.app, "> Mode", "Race: ", "q Back") == []


async def test_times_are_shown_and_typed_in_seconds(far: ScriptedConnection) -> None:
    async with asked(far) as seen:
        assert "0.75 s" in seen.line("breath")
        assert "5 s" in seen.line("pause")
        await seen.at("breath", *"1.5.25")
        assert "1.525 s" in seen.line("breath")
        await seen.at("breath", "backspace", "right")
        await seen.at("pause", *"7,")
        assert "7 s" in seen.line("pause")
        assert "0 to 60" in "".join(lines(seen.app))
        await seen.at("pause", *"99", "backspace")
        create = await seen.created()
        assert create.options == {"breath": 1_570, "pause": 6_000}


async def test_enter_twice_in_one_breath_opens_one_room(far: ScriptedConnection) -> None:
    async with asked(far) as seen:
        below = len(seen.app.screen_stack)
        for _ in range(2):
            seen.app.post_message(events.Key("enter", "\r"))
        await seen.pilot.pause()
        assert len(seen.app.screen_stack) == below + 1


async def test_presets_of_the_server_are_saved_chosen_and_removed(far: ScriptedConnection, tmp_path: Path) -> None:
    with server_process(tmp_path) as running:
        app = ParlourApp(LOOKS["truecolour"], StartOptions(running.url, "maria"))
        async with app.run_test(size=(120, 40), notifications=True) as pilot:

            async def offers(seen: Asked, *names: str) -> None:
                def chosen() -> list[list[str]]:
                    choices = [field.choices for field in seen.form.fields if field.name == CHOSEN]
                    return [[shown for value, shown in each if value is not None] for each in choices]

                await until(lambda: chosen() == [[*names]])

            async def opened(key: str | None, *names: str) -> Asked:
                options = StartOptions(running.url, "maria", key)
                await app.push_screen(CreateScreen(app.look, app.enter_room, options))
                seen = Asked(app, pilot, far)
                await offers(seen, *names)
                return seen

            seen = await opened(None)
            await seen.at(NAME, *"short", "ctrl+s")
            await until(lambda: any(field.trouble for field in seen.form.fields if field.name == NAME))  # it has no key
            await pilot.press("escape")
            seen = await opened("ab" * 32)
            await seen.at("target", *"150")
            await seen.at("seats", "right", "right")
            await seen.at("clock", "left")
            await seen.at(NAME, *"short", "ctrl+s")
            await offers(seen, "short")
            await pilot.press("escape")
            seen = await opened("ab" * 32, "short")
            await seen.at("jump_in", "right")
            await seen.at(CHOSEN, "right")
            await seen.at("target", "right")
            await seen.at(CHOSEN, "ctrl+d", "enter")
            await offers(seen)
            create = await seen.created()
            assert (create.options, create.seats, create.clock) == ({"target": 200}, 3, None)


OWN: Any = {"bank": 45_000, "add": 3_000}
FAMILY = attrs.asdict(games()["uno"].Options(preset="family", target=60))


ABLE = welcome(can=["configure", "presets"])


def hosted(state: str = "waiting", **more: Any) -> Any:
    return table(state, options=FAMILY, **{"size": 4, "clock": OWN, **more})


async def pointed(seen: Seen, name: str, *keys: str) -> None:
    seen.app.screen.query_one(Form).go_to(name)
    await seen.press(*keys)


async def test_what_is_not_changed_stays_as_it_is() -> None:
    async with at_table(welcome(can=["configure"]), joined(table=hosted(size=3))) as seen:
        await seen.press("C")
        assert isinstance(seen.app.screen, ConfigureScreen)
        assert shows(seen.app, "clock 45 s + 3 s")
        field = next(each for each in seen.app.screen.query_one(Form).fields if each.name == "seats")
        assert min(value for value, _ in field.choices if value is not None) == 3, "players keep their seats"
        await seen.press("enter")
        [sent] = seen.far.heard(Configure)
        assert structs.replace(sent, id=None) == Configure(ROOM, {"preset": "family", "target": 60}, 3, OWN)
        await seen.hear(Ok(re=sent.id, room=ROOM))
        assert any("The rules are changed" in each.message for each in seen.app._notifications)


async def test_options_seats_and_clock_are_changed_in_one_form() -> None:
    async with at_table(welcome(can=["configure"]), joined(table=hosted())) as seen:
        await seen.press("C")
        await pointed(seen, "seats", "right", "right")
        await pointed(seen, "clock", "right")  # after the clock of the room: the first one
        await pointed(seen, "preset", "right")
        await pointed(seen, "jump_in", "right")
        await seen.press("enter")
        [sent] = seen.far.heard(Configure)
        assert (sent.seats, sent.clock, sent.options["target"]) == (6, {"bank": 60_000, "add": 15_000}, 60)
        assert (sent.options["preset"], sent.options["jump_in"]) != ("family", False)
        await seen.hear(Error("bad_options", "seats: otto would lose theirs", re=sent.id))
        assert any("otto would lose theirs" in each.message for each in seen.app._notifications)


FRIDAY: PresetRow = {
    "game": "uno", "name": "our friday", "by": "otto", "mine": False,
    "options": {**FAMILY, "preset": "chaos", "target": 90}, "seats": 5, "clock": {"bank": 1_000, "add": 1_000},
}  # fmt: skip


async def test_a_preset_of_the_server_fills_the_form() -> None:
    async with at_table(ABLE, joined(table=hosted())) as seen:
        await seen.press("C")
        [asked] = seen.far.heard(Presets)
        assert (asked.do, asked.game) == ("list", "uno")
        await seen.hear(PresetRows([FRIDAY], re=asked.id))
        await pointed(seen, CHOSEN, "right")
        assert shows(seen.app, "our friday")
        await seen.press("enter")
        [sent] = seen.far.heard(Configure)
        chosen = attrs.asdict(games()["uno"].Options(**sent.options))
        assert (chosen, sent.seats, sent.clock) == (FRIDAY["options"], 5, FRIDAY["clock"])


async def test_the_rules_are_saved_as_a_preset_and_it_is_removed() -> None:
    async with at_table(ABLE, joined(table=hosted())) as seen:
        await seen.press("C")
        await seen.hear(PresetRows([], re=seen.far.heard(Presets)[-1].id))
        await seen.press("ctrl+s")
        assert len(seen.far.heard(Presets)) == 1, "it has no name yet"
        await seen.press(*"short", "ctrl+s")
        sent = seen.far.heard(Presets)[-1]
        assert structs.replace(sent, id=None) == Presets(
            "save", "uno", "short", {"preset": "family", "target": 60}, 4, OWN
        )
        mine: PresetRow = {**FRIDAY, "name": "short", "mine": True}
        await seen.hear(PresetRows([FRIDAY, mine], re=sent.id))
        assert any("saved as short" in each.message for each in seen.app._notifications)
        await seen.press("ctrl+d", "enter")
        removed = seen.far.heard(Presets)[-1]
        assert structs.replace(removed, id=None) == Presets("remove", "uno", "short")
        await seen.hear(Error("preset_taken", "otto has saved it", re=removed.id))
        assert isinstance(seen.app.screen, ConfigureScreen)


async def test_older_servers_keep_no_presets() -> None:
    async with at_table(welcome(can=["configure"]), joined(table=hosted())) as seen:
        await seen.press("C", "ctrl+s", "ctrl+d")
        assert seen.far.heard(Presets) == []
        assert CHOSEN not in [field.name for field in seen.app.screen.query_one(Form).fields]


@pytest.mark.parametrize(
    ("able", "now"),
    [
        ((), hosted()),
        (("configure",), hosted(host="otto")),
        (("configure",), hosted("playing")),
        (("configure",), hosted(fair={"commit": "c1", "context": "c", "nonces": {}, "deal": "daily"})),
    ],
    ids=["older server", "guest", "match", "chosen deal"],
)
async def test_it_is_not_offered(able: Any, now: Any) -> None:
    view = VIEW if now["state"] == "playing" else None
    async with at_table(welcome(can=able), joined(table=now, view=view)) as seen:
        assert not seen.screen.possible("room.configure")
        await seen.press("C")
        assert seen.app.screen is seen.screen
