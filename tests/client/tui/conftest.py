"""What all tests of the screens share: nobody has been anywhere before, and there is no network."""

import asyncio
import math
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from tests.client.tui.scripted_app import ScriptedConnection
from textual import app, pilot, screen
from textual._context import active_app
from textual.css.stylesheet import Stylesheet

from parlour_client.core.phrases import phrases
from parlour_client.tui.games.uno.piles import Flight
from parlour_client.tui.screens import create, lobby, room_base
from parlour_client.tui.widgets import canvas, turn_line

SOON = 0.04
"""Seconds within which a timer counts as work to wait for: a screen that is late for its update skips one of 1/60 s."""


async def wait_for_idle(_min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Wait until the event loop has nothing ready and no timer that is due soon.

    Something that moves for ever is waited for ``max_sleep`` seconds of its timers, however long the machine takes.
    The timers of an application that has ended go on without effect.
    """
    loop: Any = asyncio.get_running_loop()
    while max_sleep > 0 and not active_app.get()._exit:
        await asyncio.sleep(0)  # runs what is ready, and takes what has come in
        if loop._ready:
            continue
        now = loop.time()
        due = min((timer.when() for timer in loop._scheduled if not timer.cancelled()), default=math.inf)
        if due > now + SOON:
            return
        max_sleep -= max(due - now, 0.001)
        await asyncio.sleep(due - now)


@pytest.fixture(autouse=True, scope="session")
def _soon() -> Iterator[None]:
    """Replace Textual's poll, which looks at the CPU time of the process every 20 ms, twice for each key.

    Draw a screen that has changed within 4 ms; Textual waits for the next sixtieth of a second.
    """
    with pytest.MonkeyPatch.context() as patch:
        for module in (app, pilot):
            patch.setattr(module, "wait_for_idle", wait_for_idle)
        patch.setattr(screen, "UPDATE_PERIOD", 0.004)
        yield


@pytest.fixture(autouse=True, scope="session")
def _styles_parsed_once() -> Iterator[None]:
    """Parse each style sheet once for all apps of the test process. Parsing took a tenth of the time."""
    parsed: dict[Any, Any] = {}
    parse = Stylesheet._parse_rules

    def shared(sheet: Stylesheet, *args: Any, **options: Any) -> Any:
        key = (*sheet._variables.items(), *args, *options.items())
        if key not in parsed:
            parsed[key] = parse(sheet, *args, **options)
        return parsed[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", shared)
        yield


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Begin without a past and without a network, let nothing move or pass by itself, and speak English again."""

    async def same(url: str) -> str:
        return url

    async def none(_: str) -> dict[str, object]:
        return {}

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(room_base, "shared_url", same)
    monkeypatch.setattr(create, "forms", none)
    monkeypatch.setattr(canvas, "moves", lambda widget: False)
    monkeypatch.setattr(turn_line, "_REMARK_STAYS", 3600.0)  # until the test has looked, however slow the machine is
    monkeypatch.setattr(room_base, "PING_EVERY", 3600.0)  # once
    yield
    phrases.use("en")


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch) -> ScriptedConnection:
    """The far end of the connection that the application opens."""
    end = ScriptedConnection()
    monkeypatch.setattr(room_base, "connected", end.connected)
    return end


@pytest.fixture
def no_rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the lobby find a server without rooms."""

    async def nothing(_: object) -> tuple[list[object], list[object]]:
        return [], []

    monkeypatch.setattr(lobby, "visiting", nullcontext)
    monkeypatch.setattr(lobby, "listed", nothing)


@pytest.fixture
def _moving(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let things set out and never arrive, so that the test can look however slow the machine is."""
    monkeypatch.setattr(canvas, "moves", lambda widget: True)
    monkeypatch.setattr(Flight, "animate", lambda *_, **__: None)
    monkeypatch.setattr(canvas, "FLASH", 3600.0)
