"""The room's own parts as pictures: waiting, lost, the end, help."""

from typing import Any

import pytest
from tests.client.messages import PEOPLE, PLAYING, joined, over, row, said, seats, table, turn, update, welcome
from tests.client.tui.scripted_app import BlankWidget, Seen, at_table
from tests.client.tui.snapshots import assert_plain, check, missing

from parlour_client.tui.screens import room
from parlour_protocol.messages import Create, Rooms

WAITING = table(seats=[PEOPLE[0], row(1, "otto", ready=True), row(2, "pia", kind="bot", ready=True)])
BOTS: list[Any] = [{"name": name, "games": ["uno"], "free": 1} for name in ("ada", "bruno", "cleo")]
LEGAL: list[dict[str, Any]] = [{"do": "play", "card": 9}, {"do": "draw"}]


@pytest.fixture(autouse=True)
def blank(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "widget_for", lambda game: BlankWidget)


async def waiting(seen: Seen) -> None:
    await seen.hear(joined(table=WAITING), Rooms([], BOTS), said(1, "otto", "hello"))


async def lost(seen: Seen) -> None:
    await seen.hear(joined(**PLAYING))
    assert seen.screen.game_widget is not None
    seen.screen.game_widget.turn._now = seen.screen._bar._now = lambda: 100.0
    await seen.hear(turn(0, 7, LEGAL))
    await seen.become("lost", "the connection broke off", 4.0)


async def ended(seen: Seen) -> None:
    await seen.hear(joined(**PLAYING), update(1, {"e": "pass", "seat": 1}), over(2), seats(3, table("finished")))


async def helped(seen: Seen) -> None:
    await seen.hear(joined(**PLAYING))
    await seen.press("question_mark")


PICTURES = {"waiting": waiting, "lost": lost, "over": ended, "help": helped}
LOOKED_AT = [
    *((name, "truecolour") for name in PICTURES),
    *(("waiting", look) for look in ("256", "mono", "light", "ascii")),
]


@pytest.mark.parametrize(("name", "look"), LOOKED_AT)
async def test_it_looks_right(name: str, look: str) -> None:
    async with at_table(welcome(), enter=Create("uno", seats=4), look=look) as seen:
        await PICTURES[name](seen)
        check(seen.app, f"room-{name}-{look}")


@pytest.mark.parametrize(
    ("name", "words"), [("waiting", "UNO  room K7QD"), ("lost", "YOUR TURN"), ("over", "maria took part")]
)
async def test_it_is_plain_in_a_small_terminal(name: str, words: str) -> None:
    async with at_table(welcome(), enter=Create("uno", seats=4), size=(60, 20), look="plain") as seen:
        await PICTURES[name](seen)
        assert_plain(seen.app)
        assert missing(seen.app, words, "q Leave") == []
