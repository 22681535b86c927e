"""A person at the screen of a real server: from the waiting room to the result, through a power cut too."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path

import pytest
from tests.client.tui.scripted_app import LOOKS
from tests.client.tui.snapshots import lines, shows
from tests.support.server import ServerProcess, server_process
from textual.pilot import Pilot

from parlour_client.core.room import JoinedRoom
from parlour_client.play.entry import Entry
from parlour_client.tui.app import ParlourApp
from parlour_client.tui.screens.room import RoomScreen
from parlour_protocol.messages import Create

PATIENCE = 300.0
"""Seconds for a whole journey, on a machine that has much else to do."""
LOOK_AGAIN = 0.02
KEYS = {"colour": "r", "draw": "d", "pass": "p", "accept": "a"}


class Person:
    """Somebody in front of the application, who waits until something can be seen and presses keys."""

    def __init__(self, app: ParlourApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def room(self) -> JoinedRoom | None:
        return self.app.screen.room if isinstance(self.app.screen, RoomScreen) else None

    async def see(self, text: str, there: bool = True) -> None:
        while shows(self.app, text) is not there:
            await self.pilot.pause(LOOK_AGAIN)

    async def invite(self, bots: int) -> None:
        """Invite bots as soon as there are any."""
        while sum("✓ ready" in line for line in lines(self.app)) < bots:
            await self.press("i")
            await self.pilot.pause(0.2)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def play_until(self, state: str, most: int = 1000) -> int:
        """Answer whatever is asked, by keys, until the table is in ``state`` or ``most`` questions have been asked.

        Return how many there were.
        """
        asked: set[int] = set()
        while ((room := self.room) is None or room.table["state"] != state) and len(asked) < most:
            if room is not None and room.question is not None and room.view is not None:
                asked.add(room.question.rid)
                await self._answer(room)
            await self.pilot.pause(LOOK_AGAIN)
        return len(asked)

    async def _answer(self, room: JoinedRoom) -> None:
        assert room.question is not None
        can = {action["do"] for action in room.question.legal}
        if "play" in can:
            await self.press("tab", "enter")
            if shows(self.app, "Name a colour"):  # anywhere else r is for another match
                await self.press("r")
        else:
            await self.press(next(key for do, key in KEYS.items() if do in can))


@pytest.fixture
def server(tmp_path: Path) -> ServerProcess:  # type: ignore[misc]
    with server_process(tmp_path, house_bots=True) as running:
        yield running


@asynccontextmanager
async def at(server: ServerProcess, enter: Create) -> AsyncIterator[Person]:
    app = ParlourApp(LOOKS["truecolour"], nullcontext(Entry(server.url, enter, "maria", keep=False)))
    async with app.run_test(size=(80, 24)) as pilot:
        try:
            async with asyncio.timeout(PATIENCE):
                yield Person(app, pilot)
        except TimeoutError:
            pytest.fail("\n".join(["stuck:", *lines(app)]))


async def test_a_person_hosts_invites_a_bot_plays_a_round_and_leaves(server: ServerProcess) -> None:
    async with at(server, Create("uno", {"scoring": "single", "breath": 0}, seats=5)) as person:
        await person.see("when you are ready")
        await person.invite(4)  # the more there are, the sooner a round is over
        await person.press("r")
        assert await person.play_until("finished") > 0
        await person.see("Play again")
        await person.press("v")
        await person.see("digest")
        assert shows(person.app, "Fair: the secret behind the deals")
        await person.press("q")
        while person.app.is_running and person.app.return_value is None:
            await person.pilot.pause(LOOK_AGAIN)
    assert (person.app.return_value, person.app.fault) == (0, None)


async def test_a_server_that_is_killed_and_comes_back_does_not_end_the_game(server: ServerProcess) -> None:
    enter = Create("uno", {"scoring": "single", "breath": 0}, seats=2, clock=None, standin=False)
    async with at(server, enter) as person:  # nobody plays for a person whose machine takes long to come back
        await person.see("when you are ready")
        await person.invite(1)
        await person.press("r")
        while person.room is None or person.room.question is None:
            await person.pilot.pause(LOOK_AGAIN)
        hand = person.room.view["hand"]  # type: ignore[index]
        await asyncio.to_thread(server.kill)
        await person.see("Connection lost")
        await asyncio.to_thread(server.restart, same_port=True)
        await person.see("Connection lost", there=False)
        assert person.room is not None
        assert person.room.view is not None
        assert person.room.view["hand"] == hand
        assert await person.play_until("finished", 4) == 4
        assert person.app.is_running
