"""A host changes the rules of a room between two matches: a form that begins with those in force."""

from typing import Any

import attrs
import pytest
from msgspec import structs
from tests.client.messages import ROOM, VIEW, joined, table, welcome
from tests.client.tui.scripted_app import Seen, at_table
from tests.client.tui.snapshots import shows

from parlour_client.tui.screens.create import ConfigureScreen
from parlour_client.tui.widgets.form import CHOSEN, Form
from parlour_games.registry import games
from parlour_protocol.messages import Configure, Error, Ok, PresetRow, PresetRows, Presets

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
