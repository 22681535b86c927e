"""The room's own parts as pictures: waiting, lost, the end, help, in four sizes and all looks."""

from typing import Any

import pytest
from tests.client.messages import PEOPLE, VIEW, joined, over, row, said, seats, table, turn, update, welcome
from tests.client.tui.scripted_app import LOOKS, SIZES, BlankWidget, Seen, at_table
from tests.client.tui.snapshots import check

from parlour_client.tui.screens import room
from parlour_protocol.messages import Create, Rooms

PLAYING: dict[str, Any] = {"table": table("playing"), "view": VIEW}
WAITING = table(seats=[PEOPLE[0], row(1, "otto", ready=True), row(2, "pia", kind="bot", ready=True)])
BOTS: list[Any] = [{"name": name, "games": ["uno"], "free": 1} for name in ("ada", "bruno", "cleo")]
LEGAL: list[dict[str, Any]] = [{"do": "play", "card": 9}, {"do": "draw"}]


@pytest.fixture(autouse=True)
def blank(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "widget_for", lambda game: BlankWidget)


async def waiting(seen: Seen, look: str) -> None:
    await seen.hear(joined(table=WAITING), Rooms([], BOTS), said(1, "otto", "hello"))
    check(seen.app, f"room-waiting-{look}")


async def lost(seen: Seen, look: str) -> None:
    await seen.hear(joined(**PLAYING))
    assert seen.screen.game_widget is not None
    seen.screen.game_widget.turn._now = seen.screen._bar._now = lambda: 100.0
    await seen.hear(turn(0, 7, LEGAL))
    seen.far.become("lost", "the connection broke off", 4.0)
    await seen.settle()
    check(seen.app, f"room-lost-{look}")


async def ended(seen: Seen, look: str) -> None:
    await seen.hear(joined(**PLAYING), update(1, {"e": "pass", "seat": 1}), over(2), seats(3, table("finished")))
    check(seen.app, f"room-over-{look}")


async def helped(seen: Seen, look: str) -> None:
    await seen.hear(joined(**PLAYING))
    await seen.press("question_mark")
    check(seen.app, f"room-help-{look}")


PICTURES = [waiting, lost, ended, helped]


@pytest.mark.parametrize("picture", PICTURES)
@pytest.mark.parametrize("size", SIZES)
async def test_in_all_sizes(monkeypatch: pytest.MonkeyPatch, picture: Any, size: tuple[int, int]) -> None:
    async with at_table(monkeypatch, welcome(), enter=Create("uno", seats=4), size=size) as seen:
        await picture(seen, "truecolour")


@pytest.mark.parametrize("picture", PICTURES)
@pytest.mark.parametrize("look", [name for name in LOOKS if name != "truecolour"])
async def test_in_all_looks(monkeypatch: pytest.MonkeyPatch, picture: Any, look: str) -> None:
    async with at_table(monkeypatch, welcome(), enter=Create("uno", seats=4), look=look) as seen:
        await picture(seen, look)
