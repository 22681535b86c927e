"""Choose between the screens and the line mode, and load only the one that is used."""

import os
import sys
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any

from parlour_client.cli.verbs import CONTINUATION, HOSTING, PRACTICE, load


def on_a_screen() -> bool:
    """Return whether standard input and output are a terminal that can draw."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") != "dumb"


def use_look(look: str | None) -> None:
    """Let the screens of this process have the look, if one is given."""
    if look is not None:
        os.environ["PARLOUR_LOOK"] = look


def way_to_play(plain: bool) -> Callable[..., Coroutine[Any, Any, int]]:
    """Return ``play`` of the screens, or of the line mode if ``plain`` or without a terminal."""
    if not plain and on_a_screen():
        from parlour_client.tui.app import play
    else:
        from parlour_client.plain.app import play
    return play


async def visit(room: AbstractAsyncContextManager[Any], plain: bool) -> int:
    """Play in ``room``, on the screens or, if ``plain`` or without a terminal, in line mode. Return the exit code."""
    if not plain and on_a_screen():
        from parlour_client.tui.app import run_room

        return await run_room(room)
    from parlour_client.plain import app as line_mode

    async with room as entry:
        return await line_mode.visit(entry)


def practice(*arguments: Any, **named: Any) -> Any:
    """Start a match against bots on a server of this process's own."""
    return load(PRACTICE)(*arguments, **named)


def hosting(*arguments: Any, **named: Any) -> Any:
    """Start a server for the local network."""
    return load(HOSTING)(*arguments, **named)


def continuing(*arguments: Any, **named: Any) -> Any:
    """Continue a saved match against bots on a server of this process's own."""
    return load(CONTINUATION)(*arguments, **named)
