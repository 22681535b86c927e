"""A film of a crash: the server is killed while a wild draw four is open, and everybody comes back with the same hand.

The server is a process of its own, killed with SIGKILL and started again. A person's screen and two bots reach it over
the network. Only the durations are made up.
"""

import asyncio
import os
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap
from typing import Literal

from docs.studio.screens import LOOK
from docs.studio.uno_round import keys_for
from rich.text import Text
from tests.support.server import ServerProcess, server_process
from textual.strip import Strip

from parlour_client.core.connection import Connection, ConnectionState
from parlour_client.core.options import seeded
from parlour_client.core.room import JoinedRoom
from parlour_client.core.session import Session
from parlour_client.play.entry import Entry
from parlour_client.text.uno.words import card_name
from parlour_client.tui.app import ParlourApp
from parlour_client.tui.filming import Film, RunningApp, Size, running
from parlour_client.tui.screens.room import RoomScreen
from parlour_client.tui.svg import Shot
from parlour_games.uno.cards import SYMBOL, WILD_FOUR
from parlour_protocol.messages import Act, Create, Join, Joined, Over, SeatsChanged, Turn, Update

_SIZE: Size = (80, 24)
_ASIDE = 40
"""Columns beside the screen."""
_ROWS = 8
"""Rows of a box there."""
_SEED = 26
"""A deal in which the person begins, and has a wild draw four that may be played."""
_SERVE = "$ parlour serve &"
_LOOK, _KEY, _READ, _END = 2_400, 350, 2_200, 4_000
"""Milliseconds: for the first sight, a key, something new, and the end."""
_PATIENCE = 120.0
"""Seconds to wait for anything."""


class _Bot:
    """A bot with a connection of its own, which answers only by ``accept``."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.room: JoinedRoom | None = None
        self.state: Literal["connecting", "open", "lost", "closed"] = "connecting"
        self._session = Session(name, "bot", entropy=os.urandom)
        self._connection: Connection | None = None

    async def run(self, url: str, code: str) -> None:
        """Join the room, and follow it until cancelled."""
        async with Connection(url, self._session, on_state=self._changed, patience=_PATIENCE) as self._connection:
            await self._connection.send(Join(code))
            async for message in self._connection:
                if isinstance(message, Joined):
                    self.room = JoinedRoom.of(message)
                elif self.room is not None and isinstance(message, Update | Turn | Over | SeatsChanged):
                    self.room.apply(message)

    def _changed(self, state: ConnectionState) -> None:
        self.state = state.name

    @property
    def hand(self) -> list[int]:
        """The cards."""
        cards: list[int] = (self.room.view or {}).get("hand", []) if self.room else []
        return cards

    async def accept(self) -> None:
        """Take the four cards."""
        assert self._connection is not None
        assert self.room is not None
        question = self.room.question
        assert question is not None
        await self._connection.send(Act(self.room.code, question.rid, {"do": "accept"}))

    def lines(self) -> list[Text]:
        """Return what the bot knows."""
        cards = wrap(", ".join(map(card_name, self.hand)), _ASIDE - 4)
        return [self._state(), LOOK.text(f"{len(self.hand)} cards"), *(LOOK.text((row, "dim")) for row in cards)]

    def _state(self) -> Text:
        if self.state != "open":
            return LOOK.text(("connection lost", "coral"))
        question = self.room.question if self.room is not None else None
        asked = " or ".join(dict.fromkeys(act["do"] for act in question.legal)) if question else ""
        return LOOK.text(("connected", "dim"), (f"   {asked}?" if asked else "", "gold"))


class _Set:
    """All that the film shows: the screen, the terminal of the server, and the bots."""

    def __init__(self, seen: RunningApp, screen: RoomScreen, bots: list[_Bot]) -> None:
        self.screen = screen
        self._seen = seen
        self._bots = bots
        self._console: list[str] = [_SERVE]
        self._film: Film = []

    @property
    def film(self) -> Film:
        """The shots so far."""
        return self._film

    async def shoot(self, ms: int) -> None:
        """Record what there is to see, for ``ms``."""
        shot = await self._seen.shot()
        lines = tuple(Strip.join([*pair]) for pair in zip(shot.lines, self._aside(), strict=True))
        self._film.append((Shot(shot.columns + _ASIDE, lines, shot.ground), ms))

    async def type(self, line: str) -> None:
        """Show a line on the terminal of the server."""
        self._console.append(line)
        await self.shoot(_READ // 2)

    async def press(self, *keys: str) -> None:
        """Press keys of the person."""
        for key in keys:
            await self._seen.press(key)
            await self.shoot(_KEY)

    def _aside(self) -> list[Strip]:
        console = [LOOK.text((line, "ink" if line.startswith("$") else "coral")) for line in self._console]
        parts = {"server": console, **{f"{bot.name} (bot)": bot.lines() for bot in self._bots}}
        return [strip for title, lines in parts.items() for strip in _box(title, lines)]


def _box(title: str, lines: list[Text]) -> list[Strip]:
    """Return lines in a box."""
    left, right, low_left, low_right, flat, side = LOOK.glyphs.box
    top = _framed((f"{left}{flat} ", "edge"), (title, "gold"), (f" {flat * (_ASIDE - len(title) - 5)}{right}", "edge"))
    inner = [*lines, *[Text()] * (_ROWS - 2)][: _ROWS - 2]
    gaps = (" " * (_ASIDE - 4 - line.cell_len) for line in inner)
    rows = [
        _framed((f"{side} ", "edge"), line, (f"{gap} {side}", "edge")) for line, gap in zip(inner, gaps, strict=True)
    ]
    return [top, *rows, _framed((f"{low_left}{flat * (_ASIDE - 2)}{low_right}", "edge"))]


def _framed(*parts: tuple[str, str] | Text) -> Strip:
    return LOOK.strip(LOOK.text(*parts), _ASIDE)


async def shots() -> Film:
    """Return the film. Raises AssertionError if a hand differs after the crash."""
    with TemporaryDirectory() as folder, server_process(Path(folder)) as server:
        create = Create("uno", {"scoring": "single"}, seats=3, clock=None, start="full", deal=seeded(_SEED))
        app = ParlourApp(LOOK, nullcontext(Entry(server.url, create, "maria", keep=False)))
        async with running(app, _SIZE) as seen:
            screen, bots = app.screen, [_Bot("ada"), _Bot("bruno")]
            assert isinstance(screen, RoomScreen)
            await _until(lambda: screen.room is not None)
            assert screen.room is not None
            tasks = []
            for bot in bots:
                tasks.append(asyncio.create_task(bot.run(server.url, screen.room.code)))
                await _until(partial(_is_in, bot))
            try:
                return await _played(_Set(seen, screen, bots), bots, server)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)


def _is_in(bot: _Bot) -> bool:
    return bot.room is not None


async def _played(stage: _Set, bots: list[_Bot], server: ServerProcess) -> Film:
    screen, (ada, _) = stage.screen, bots
    await _until(lambda: screen.room is not None and screen.room.question is not None and all(bot.hand for bot in bots))
    await stage.shoot(_LOOK)
    assert screen.room is not None
    assert screen.room.question is not None
    fours = (act for act in screen.room.question.legal if act["do"] == "play" and SYMBOL[act["card"]] == WILD_FOUR)
    await stage.press(*keys_for(screen.game_widget, next(act for act in fours if act["colour"] == "green")))
    await _until(lambda: _is_asked(ada))
    await stage.shoot(_READ)
    before, pid = [_hand(screen), *(bot.hand for bot in bots)], server.pid
    await stage.type("$ kill -9 %1")
    server.kill()
    await _until(lambda: screen.lost and all(bot.state != "open" for bot in bots))
    await stage.type("[1]+  Killed      parlour serve")
    await stage.shoot(_READ)
    await stage.type(_SERVE)
    await asyncio.to_thread(server.restart, same_port=True)
    assert server.pid != pid
    await _until(lambda: not screen.lost and all(bot.state == "open" for bot in bots))
    await _until(lambda: _is_asked(ada))
    assert [_hand(screen), *(bot.hand for bot in bots)] == before
    await stage.shoot(_READ + _LOOK)
    await ada.accept()
    await _until(lambda: len(ada.hand) == len(before[1]) + 4)
    await stage.shoot(_END)
    return stage.film


def _is_asked(bot: _Bot) -> bool:
    return bot.room is not None and bot.room.question is not None


def _hand(screen: RoomScreen) -> list[int]:
    assert screen.room is not None
    cards: list[int] = (screen.room.view or {})["hand"]
    return cards


async def _until(condition: Callable[[], bool]) -> None:
    """Wait until the condition holds. Raises TimeoutError."""
    async with asyncio.timeout(_PATIENCE):
        while not condition():  # noqa: ASYNC110 - several applications decide
            await asyncio.sleep(0.02)
