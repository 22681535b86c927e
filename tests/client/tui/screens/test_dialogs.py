"""The small screens over a room: the help, the question whether one is sure, and what is there after one has left."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest
from tests.client.messages import PEOPLE, PLAYING, ROOM, joined, row, table, welcome
from tests.client.tui.scripted_app import URL, ScriptedConnection, Seen, at_table, running
from tests.client.tui.snapshots import lines, missing, shows
from textual.containers import VerticalScroll

from parlour_client.core.connection import ConnectionState
from parlour_client.core.phrases import phrases
from parlour_client.core.room import JoinedRoom
from parlour_client.play.entry import Entry
from parlour_client.storage import history
from parlour_client.storage.credentials import held
from parlour_client.tui.screens import room_base
from parlour_client.tui.screens.dialogs import ConfirmDialog, leave_warning
from parlour_protocol.messages import Join, Leave, List, Rooms

MP = pytest.MonkeyPatch


def place(seen: Seen, text: str) -> tuple[int, int]:
    """Return where ``text`` stands on the screen."""
    row = next(y for y, line in enumerate(lines(seen.app)) if text in line)
    return lines(seen.app)[row].index(text), row


@pytest.mark.parametrize(("answer", "leaves"), [("y Leave", 1), ("n Stay", 0)])
async def test_a_click_answers_a_question(answer: str, leaves: int) -> None:
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        await seen.press("q")
        column, row = place(seen, answer)
        await seen.pilot.click(offset=(column - 2, row))
        assert isinstance(seen.app.screen, ConfirmDialog), "a click beside the answer is none"
        await seen.pilot.click(offset=(column, row))
        assert not isinstance(seen.app.screen, ConfirmDialog)
        assert len(seen.far.heard(Leave)) == leaves


@pytest.mark.parametrize(("key", "leaves"), [("j", 1), ("y", 1), ("n", 0)])
async def test_the_language_names_the_keys_of_an_answer(key: str, leaves: int) -> None:
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        phrases.use("de")
        await seen.press("q")
        assert shows(seen.app, "j Gehen")
        await seen.press(key)
        assert not isinstance(seen.app.screen, ConfirmDialog)
        assert len(seen.far.heard(Leave)) == leaves


@pytest.mark.parametrize(("key", "width"), [("q", 52), ("o", 56), ("question_mark", 77)])
async def test_a_dialog_covers_no_more_than_its_box(key: str, width: int) -> None:
    async with at_table(welcome(), joined(**PLAYING), size=(100, 30)) as seen:
        await seen.press(key)
        (box,) = (child for child in seen.app.screen.children if child.display)
        assert box.outer_size.width == width
        assert box.outer_size.height < 30


async def test_the_help_begins_with_how_the_game_is_played_and_says_that_there_is_more() -> None:
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        await seen.press("question_mark")
        assert missing(seen.app, "Get rid of your cards.", "down more   esc back") == []
        await seen.press(*["down"] * 60)
        assert not shows(seen.app, "down more")


async def offer(seen: Seen, **more: Any) -> None:
    """Let the server tell of the room that one is about to enter."""
    (asked,) = seen.far.heard(List)
    listed: Any = {"room": "K7QD", "game": "uno", "taken": 1, "seats": 2, "watch": True, **more}
    await seen.hear(Rooms([listed], [], re=asked.id))


@pytest.mark.parametrize(("size", "key", "joins"), [((60, 20), "y", 1), ((120, 40), "escape", 0)])
async def test_a_room_is_described_line_by_line_above_the_answers(size: tuple[int, int], key: str, joins: int) -> None:
    async with at_table(welcome(), size=size, offer=True) as seen:
        await offer(seen, seats=10, options={"stack2": True, "jump_in": True})
        assert shows(seen.app, "y Sit down")
        assert not shows(seen.app, "\N{REPLACEMENT CHARACTER}")
        assert place(seen, "Room K7QD")[0] == place(seen, "Rules:")[0]
        assert isinstance(seen.app.focused, VerticalScroll), "its keys scroll the rules"
        await seen.press(key)
        assert len(seen.far.heard(Join)) == joins
        assert seen.screen.is_attached == bool(joins)


@pytest.mark.parametrize("row", [{"state": "playing"}, {"state": "waiting", "taken": 2}])
async def test_a_room_without_a_seat_to_take_can_be_watched(row: dict[str, Any]) -> None:
    async with at_table(welcome(), offer=True) as seen:
        await offer(seen, **row)
        assert shows(seen.app, "y Watch")
        await seen.press("y")
        assert [join.as_ for join in seen.far.heard(Join)] == ["spectator"]


ENTRY = Entry(URL, Join(ROOM), "maria")
OURS = attrs.evolve(ENTRY, ends=True)


def room(**more: Any) -> JoinedRoom:
    return JoinedRoom.of(joined(**{**PLAYING, **more}))


GUEST = attrs.evolve(ENTRY, keep=False)
WAITS: dict[str, Any] = {"table": table()}
ALONE = table(seats=[PEOPLE[0], row(1, "otto", here=False), PEOPLE[2]])


@pytest.mark.parametrize(
    ("here", "entry", "lost", "words", "keeps"),
    [
        (None, ENTRY, False, "", False),
        (room(seat=None), OURS, True, "", False),
        (room(**WAITS), ENTRY, False, "", False),
        (room(), ENTRY, False, "you give up your seat", False),
        (room(), GUEST, True, "cannot return", False),
        (room(**WAITS), GUEST, False, "", False),
        (room(), ENTRY, True, "keeps your seat", True),
        (room(**WAITS), ENTRY, True, "", True),
        (room(**WAITS), OURS, False, "The room is saved", True),
        (room(table=ALONE), OURS, False, "", False),
    ],
)
def test_what_is_at_stake(here: JoinedRoom | None, entry: Entry, lost: bool, words: str, keeps: bool) -> None:
    found = leave_warning(here, entry, lost=lost)
    assert words in found.question
    assert bool(found.question) == bool(words)
    assert found.keeps == keeps


async def test_a_host_who_leaves_others_keeps_the_seat() -> None:
    async with at_table(welcome(), joined(**PLAYING), ends=True) as seen:
        await seen.press("q", "y")
        assert seen.far.heard(Leave) == []
        assert history.seat() == history.HeldSeat(URL, ROOM, "maria", hosted=True)
    assert seen.app.return_value == 0


class SlowEnd(ScriptedConnection):
    """A connection that holds the name while it is there, and takes a while to be closed."""

    @asynccontextmanager
    async def connected(
        self, entry: Entry, on_state: Callable[[ConnectionState], None]
    ) -> AsyncIterator[ScriptedConnection]:
        async with super().connected(entry, on_state):
            with held(entry.url, entry.name):
                try:
                    yield self
                finally:
                    for _ in range(50):
                        await asyncio.sleep(0)


async def test_the_way_back_to_a_seat_behind_a_lost_connection_is_offered_at_once(monkeypatch: MP) -> None:
    far = SlowEnd()
    monkeypatch.setattr(room_base, "connected", far.connected)
    history.sit(history.HeldSeat(URL, ROOM, "maria"))
    async with running() as (app, pilot):
        await pilot.press("enter")
        await far.tell(pilot, welcome(), joined(**PLAYING))
        far.become("lost", "gone", 9.0)
        await pilot.pause()
        await pilot.press("q")
        assert shows(app, "The connection is lost.")
        await pilot.press("y")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert far.heard(Leave) == []
        assert shows(app, "▸ Back to your seat in room K7QD")
