"""Finished matches for replay screens: files, and readers that tell them without a process of their own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from tests.client.tui.scripted_app import running
from tests.server.matches import play
from textual.pilot import Pilot

from parlour_client import replays
from parlour_client.replays import Replay, ShownVerdict
from parlour_client.tui.app import MatchFile, ParlourApp
from parlour_client.tui.screens.replay import ReplayScreen
from parlour_server.game_files.replay import main

RIGHT = ShownVerdict(True, "every deal, act and result is right", ("the deals follow from the secret",))
WRONG = ShownVerdict(False, "line 7: the act was never legal")


@cache
def lines(game: str, seed: int) -> tuple[str, ...]:
    """Return the match file of a match that was played at random."""
    return tuple(play(game, seed).lines)


def written(folder: Path, game: str, seed: int) -> Path:
    path = folder / f"{game}-{seed}.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines(game, seed)))
    return path


def read(path: Path, viewer: int | str | None = None) -> Replay:
    """Stand in for ``replays.read``."""
    out = StringIO()
    main([str(path), *([] if viewer is None else ["--as", str(viewer)])], out)
    return replays._parse(out.getvalue().splitlines())


class Shown:
    def __init__(self, app: ParlourApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        self.screen = screen

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settle()

    async def settle(self) -> None:
        """Wait until what is going on has been done."""
        await self.pilot.pause()
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()


@asynccontextmanager
async def shown(
    path: Path,
    viewer: int | str | None = None,
    *,
    size: tuple[int, int] = (80, 24),
    look: str = "truecolour",
    verdict: ShownVerdict = RIGHT,
    continuing: Any = None,
) -> AsyncIterator[Shown]:
    async def check(_: Path) -> ShownVerdict:
        return verdict

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replays, "read", read)
        patch.setattr(replays, "verdict", check)
        async with running(MatchFile(path, viewer, continuing), size, look) as (app, pilot):
            seen = Shown(app, pilot)
            await seen.settle()
            yield seen
