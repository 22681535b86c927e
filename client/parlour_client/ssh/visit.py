"""Run the command of a visitor: open the start screen, or the room that it names."""

import asyncio
import os
from collections.abc import Coroutine
from contextlib import nullcontext
from functools import partial
from typing import Any

from parlour_client import line_mode
from parlour_client.core import connection, queries
from parlour_client.core.errors import INTERRUPTED_BY_USER, OK, Fault, Usage
from parlour_client.core.phrases import say
from parlour_client.core.printing import LONGEST_COMPLAINT, tell
from parlour_client.core.url import DEFAULT_URL, entering, room_at
from parlour_client.play.entry import Entry
from parlour_client.ssh.visitors import Visit, live
from parlour_client.storage import settings
from parlour_client.storage.settings import Settings
from parlour_client.text.base import lines_for
from parlour_client.text.text_view import sentences_for
from parlour_client.tui import app as screens
from parlour_client.tui import driver
from parlour_client.tui.app import ParlourApp, own_look
from parlour_client.tui.games.base import widget_for
from parlour_client.tui.screens import create, lobby, replay, saved_matches, sheets
from parlour_client.tui.screens import settings as settings_screen
from parlour_client.tui.screens.base import StartOptions
from parlour_games.registry import games
from parlour_protocol.messages import Daily
from parlour_protocol.names import valid
from parlour_protocol.phrases import LANGUAGES

PLAIN = "--plain"
"""The word for the line mode."""
_WARM = (create, lobby, sheets, settings_screen, replay, saved_matches, driver)
"""Modules that are otherwise loaded when they are first needed."""
_USUAL = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
"""The environment of most visitors."""


def warm_up() -> None:
    """Load the games and the phrases, and draw the start screen where it is not seen, as most visitors will see it.

    Visitors share what that loads and compiles.
    """
    os.environ.clear()
    os.environ.update(
        _USUAL, **dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"), os.devnull)
    )
    for game in games():
        for load in (widget_for, lines_for, sentences_for):
            load(game)
    for language in LANGUAGES:
        asyncio.run(_draw_start(Settings(language=language)))


async def _draw_start(settings: Settings) -> None:
    app = ParlourApp(own_look(settings), StartOptions(DEFAULT_URL, "guest"), settings)

    async def leave(_: object) -> None:
        app.exit()

    await app.run_async(headless=True, size=(80, 24), auto_pilot=leave)


def be_visitor(url: str, route: str, visit: Visit) -> int:
    """Play until the visitor leaves; return the exit code. ``url``: the server, at the socket ``route``.

    Faults are printed.
    """
    connection.route_through(route, visit.address)
    settings.speak_to_user()
    try:
        return asyncio.run(_alive(_begin(url, visit)))
    except Fault as fault:
        tell([str(fault)], LONGEST_COMPLAINT)
        return fault.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED_BY_USER


async def _alive(work: Coroutine[Any, Any, int]) -> int:
    signs = asyncio.create_task(live())
    try:
        return await work
    finally:
        signs.cancel()


async def _begin(url: str, visit: Visit) -> int:
    words = [word for word in visit.words if word != PLAIN]
    lines = len(words) < len(visit.words) or not visit.dialogue or os.environ.get("TERM") == "dumb"
    entry = partial(Entry, url, name=valid(visit.name), own_name=False)
    match words:
        case [] if not lines:
            return await screens.start(StartOptions(url, valid(visit.name), visit.key))
        case []:
            return await _list_rooms(url)
        case ["daily"]:
            room = entry(Daily("beginner", play=True), key=visit.key)
        case ["daily", board]:
            room = entry(Daily(board, play=True), key=visit.key)
        case ["watch", code]:
            room = entry(entering(room_at(code, url)[0], "spectator"))
        case [code] if not code.startswith("-"):
            room = entry(entering(room_at(code, url)[0]), key=visit.key, look=True)
        case _:
            raise Usage(say("ssh.words", said=" ".join(visit.words)[:80]))
    run_room = line_mode.run_room if lines else screens.run_room
    return await run_room(nullcontext(room))


async def _list_rooms(url: str) -> int:
    """Print the rooms of the server, and how to enter one."""
    for row in (await queries.lobby(url))["rooms"]:
        seats = say("line.rooms.seats", taken=row["taken"], seats=row["seats"], kinds=row["kinds"])
        tell([f"{row['room']}  {row['game']}  {seats}"])
    tell([say("ssh.rooms")])
    return OK
