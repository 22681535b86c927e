"""Leaving a room: what a person is asked, and what is there afterwards."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest
from tests.client.messages import PEOPLE, PLAYING, ROOM, joined, row, table, welcome
from tests.client.tui.scripted_app import URL, ScriptedConnection, at_table, running
from tests.client.tui.snapshots import shows

from parlour_client.core.connection import ConnectionState
from parlour_client.core.room import JoinedRoom
from parlour_client.play.entry import Entry
from parlour_client.storage import history
from parlour_client.storage.credentials import held
from parlour_client.tui.screens import room_base
from parlour_client.tui.screens.dialogs import leave_warning
from parlour_protocol.messages import Join, Leave

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


async def test_the_way_back_to_a_seat_behind_a_lost_connection_is_offered_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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
