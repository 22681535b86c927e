"""A server that sends anything to the screens: they show it, or end by saying what is wrong; they never fail."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import nullcontext
from typing import Any

import pytest
from tests.client.conversations import excerpt, resumed, tapes
from tests.client.tui.scripted_app import LOOKS, SIZES, URL, ScriptedConnection, running
from tests.support.spoiling import spoilt

from parlour_client.core.errors import WrongProtocol
from parlour_client.core.session import Gap
from parlour_client.play.entry import Entry
from parlour_client.tui.screens import room_base
from parlour_protocol.codec import CODECS, FROM_SERVER, JSON
from parlour_protocol.errors import Refusal
from parlour_protocol.messages import Join, Plain, ServerMessage
from parlour_protocol.wire import server_message

VISITS, MANY = 4, 150
KEYS = ("1", "enter", "u", "d", "tab", "question_mark", "escape", "left", "right", "space", "f", "t")
CODEC = CODECS[JSON]


class HostileEnd(ScriptedConnection):
    """A far end that comes back, as a connection does, when a message was skipped."""

    def __init__(self, tape: list[Plain]) -> None:
        super().__init__()
        self._tape = tape

    async def __aiter__(self) -> AsyncIterator[ServerMessage]:
        while True:
            try:
                async for message in super().__aiter__():
                    yield message
                return
            except Gap:
                self.session.hello()
                for data in resumed(self._tape, 0):
                    if (told := server_message(data)) is not None:
                        self.session.receive(told)
                        yield told


def heard(rng: random.Random, data: Plain, spoil: float) -> ServerMessage | None:
    """Return the message in a frame that may be spoilt; None if a connection would end over it."""
    try:
        return server_message(
            CODEC.decode(CODEC.encode(spoilt(rng, data) if rng.random() < spoil else data), FROM_SERVER)
        )
    except Refusal:
        return None


async def stay(monkeypatch: Any, rng: random.Random, tape: list[Plain]) -> None:
    """Be in a room at a server that spoils some of what it says. Whatever fails in the application comes through."""
    far = HostileEnd(tape)
    monkeypatch.setattr(room_base, "connected", far.connected)
    spoil = rng.choice((0.05, 0.15))
    entry = nullcontext(Entry(URL, Join("K7QD"), "maria"))
    async with running(entry, rng.choice(SIZES), rng.choice(list(LOOKS)), notifications=True) as (app, pilot):
        for data in tape:
            if (message := heard(rng, data, spoil)) is not None:
                far.say(message)
            if rng.random() < 0.3:
                await pilot.pause()
            if rng.random() < 0.1:
                await pilot.press(rng.choice(KEYS))
            if not app.is_running:
                return
        await pilot.pause()
    assert app.return_code in (None, 0, 4, 5, 6), "nothing failed"


@pytest.mark.parametrize("late", [False, True], ids=["immediately", "when the public address is known"])
async def test_a_table_that_cannot_be_drawn_is_told_before_its_face_is_ready(
    monkeypatch: pytest.MonkeyPatch, far: ScriptedConnection, late: bool
) -> None:
    known = asyncio.Event()

    async def found(url: str) -> str:
        await known.wait()
        return url

    if late:
        monkeypatch.setattr(room_base, "shared_url", found)
    async with running(nullcontext(Entry(URL, Join("K7QD"), "maria")), SIZES[0]) as (app, pilot):
        for data in tapes("uno")[0]:
            view = data.get("view")
            if view:
                data = {**data, "view": {**view, "scores": ["seat" for _ in view["scores"]] if late else []}}
            message = server_message(data)
            assert message is not None
            far.say(message)
            if view:
                break
            if late:
                await pilot.pause()
        known.set()
        await pilot.pause()
    assert isinstance(app.fault, WrongProtocol)


@pytest.mark.parametrize(
    ("game", "times"),
    [
        ("minesweeper", VISITS),
        pytest.param("uno", VISITS, marks=pytest.mark.long),
        *(pytest.param(game, MANY, marks=pytest.mark.torture) for game in ("uno", "minesweeper")),
    ],
)
async def test_stays(monkeypatch: pytest.MonkeyPatch, game: str, times: int, seed: int) -> None:
    for number in range(times):
        rng = random.Random(f"{seed}/{times}/{game}/{number}")
        tape = excerpt(rng.choice(tapes(game)), rng, 25)
        try:
            await stay(monkeypatch, rng, tape)
        except BaseException as error:
            error.add_note(f"seed {seed}, {times} visits, {game}, visit {number}")
            raise
