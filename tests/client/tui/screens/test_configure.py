"""A host changes the rules of a room between two matches: a form that begins with those in force."""

from typing import Any

import attrs
import pytest
from tests.client.messages import ROOM, VIEW, joined, seats, table, welcome
from tests.client.tui.scripted_app import Seen, at_table
from tests.client.tui.snapshots import shows

from parlour_client.tui.screens.configure import ConfigureScreen
from parlour_client.tui.widgets.form import Form
from parlour_games.registry import games
from parlour_protocol.messages import Configure, Error, Ok

OWN: Any = {"bank": 45_000, "add": 3_000}
FAMILY = attrs.asdict(games()["uno"].Options(preset="family", target=60))


def hosted(state: str = "waiting", **more: Any) -> Any:
    return table(state, options=FAMILY, **{"size": 4, "clock": OWN, **more})


async def pointed(seen: Seen, name: str, *keys: str) -> None:
    seen.app.screen.query_one(Form).go_to(name)
    await seen.press(*keys)


async def test_what_is_not_changed_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_table(monkeypatch, welcome(can=["configure"]), joined(table=hosted())) as seen:
        await seen.press("C")
        assert isinstance(seen.app.screen, ConfigureScreen)
        assert shows(seen.app, "clock 45 s + 3 s")
        await seen.press("enter")
        [sent] = seen.far.heard(Configure)
        assert attrs.evolve(sent, id=None) == Configure(ROOM, {"preset": "family", "target": 60}, 4, OWN)
        await seen.hear(Ok(re=sent.id, room=ROOM))
        assert any("The rules are changed" in each.message for each in seen.app._notifications)


async def test_options_seats_and_clock_are_changed_in_one_form(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_table(monkeypatch, welcome(can=["configure"]), joined(table=hosted())) as seen:
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


async def test_the_seats_of_players_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_table(monkeypatch, welcome(can=["configure"]), joined(table=hosted(size=3))) as seen:
        await seen.press("C")
        await pointed(seen, "seats")
        field = next(each for each in seen.app.screen.query_one(Form).fields if each.name == "seats")
        assert min(value for value, _ in field.choices if value is not None) == 3


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
async def test_it_is_not_offered(monkeypatch: pytest.MonkeyPatch, able: Any, now: Any) -> None:
    view = VIEW if now["state"] == "playing" else None
    async with at_table(monkeypatch, welcome(can=able), joined(table=now, view=view)) as seen:
        assert not seen.screen.possible("room.configure")
        await seen.press("C")
        assert seen.app.screen is seen.screen


async def test_the_log_tells_what_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_table(monkeypatch, welcome(), joined(table=hosted(host="otto")), size=(120, 30)) as seen:
        await seen.hear(seats(1, hosted(host="otto", size=6)))
        assert any("otto has changed the rules: 6 seats" in line.plain for line in seen.screen._event_log._lines)
