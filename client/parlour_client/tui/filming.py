"""Pictures and films of screens that are drawn without a terminal and driven by keys."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import attrs
from rich.color import ColorSystem
from rich.style import Style
from textual.pilot import Pilot
from textual.strip import Strip

from parlour_client.core.errors import Usage
from parlour_client.core.phrases import say
from parlour_client.replays import Timeline, check_act
from parlour_client.tui.app import MatchFile, ParlourApp
from parlour_client.tui.screens.replay import ReplayScreen
from parlour_client.tui.svg import Shot, shot
from parlour_client.tui.theme import Appearance

Size = tuple[int, int]
"""Columns and rows."""
Film = list[tuple[Shot, int]]
"""Shots, each with its duration in milliseconds."""
_SHORTEST, _LONGEST, _END = 300, 2_000, 4_000
"""Milliseconds for an act, at least and at most, and for the last one."""


class RunningApp:
    """A running application."""

    def __init__(self, app: ParlourApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys and wait until they are processed."""
        await self.pilot.press(*keys)
        await self.settle()

    async def settle(self) -> None:
        """Wait until all pending changes are drawn, and the process is idle."""
        for _ in range(3):
            await self.pilot.pause()

    async def shot(self) -> Shot:
        """Capture the screen. Refreshes all widgets first, since clocks are drawn only once a second."""
        for widget in self.app.screen.query("*"):
            widget.refresh()
        await self.draw()
        return shot(self.app)

    async def draw(self) -> None:
        """Wait until what has changed is laid out and drawn."""
        for _ in range(2):
            drawn = asyncio.Event()
            self.app.screen.call_after_refresh(drawn.set)
            await drawn.wait()


@attrs.define
class Camera:
    """Records shots, each with the time in milliseconds when it first appeared."""

    shots: list[tuple[Shot, int]] = attrs.field(factory=list)

    def add(self, one: Shot, at: int) -> None:
        """Record what the screen shows at a time, if it has changed."""
        if not self.shots or self.shots[-1][0] != one:
            self.shots.append((one, at))

    def cut(self, end: int = _END) -> Film:
        """Return the film; its last shot lasts ``end`` milliseconds."""
        ends = [at for _, at in self.shots[1:]] + [self.shots[-1][1] + end]
        return [(one, after - at) for (one, at), after in zip(self.shots, ends, strict=True) if after > at]


@asynccontextmanager
async def running(app: ParlourApp, size: Size) -> AsyncIterator[RunningApp]:
    """Run an application without a terminal, as if in one of ``size``."""
    async with app.run_test(size=size) as pilot:
        app.animation_level = "none"  # a picture shows no card on its way
        seen = RunningApp(app, pilot)
        await seen.settle()
        yield seen


@asynccontextmanager
async def replayed(
    path: Path, size: Size, look: Appearance, viewer: int | str | None = None
) -> AsyncIterator[tuple[RunningApp, ReplayScreen, Timeline]]:
    """Open a match file in the replay screen, read and verified. Raises Fault."""
    app = ParlourApp(look, MatchFile(path, viewer))
    async with running(app, size) as seen:
        await app.workers.wait_for_complete()
        await seen.settle()
        screen = app.screen
        if not isinstance(screen, ReplayScreen) or screen.timeline is None:
            raise app.fault or Usage(say("fault.unread", path=path, why=""))
        yield seen, screen, screen.timeline


async def film_of(
    path: Path,
    size: Size,
    look: Appearance,
    viewer: int | str | None = None,
    round_: int | None = None,
    report: Callable[[int, int], object] = lambda done, of: None,
) -> Film:
    """Return a film of the match in a file, or of one of its rounds, from 1, as ``viewer`` saw it.

    Acts follow as in the match, but at most two seconds apart. ``report`` gets the number of acts that
    are filmed, and of all. Raises Fault, and Usage for a round that there is not.
    """
    async with replayed(path, size, look, viewer) as (seen, screen, timeline):
        screen.add_class("filmed")
        first, last = _part(timeline, round_)
        camera, ms = Camera(), 0
        for at in range(first, last + 1):
            screen.scrubber.go(at)
            await seen.draw()
            camera.add(await seen.shot(), ms)
            if at < last:
                ms += min(max(timeline.positions[at + 1].ms - timeline.positions[at].ms, _SHORTEST), _LONGEST)
            report(at - first + 1, last - first + 1)
        return camera.cut()


async def still_of(path: Path, size: Size, look: Appearance, viewer: int | str | None, at: int) -> Shot:
    """Return a picture of the match in a file after ``at`` acts. Raises Fault, and Usage for an act too many."""
    async with replayed(path, size, look, viewer) as (seen, screen, timeline):
        check_act(at, timeline.last)
        screen.add_class("filmed")
        screen.scrubber.go(at)
        await seen.draw()
        return await seen.shot()


def _part(timeline: Timeline, round_: int | None) -> tuple[int, int]:
    """Return the first and the last position of a round, None: of the match. Raises Usage."""
    if round_ is None:
        return 0, timeline.last
    begins = timeline.rounds or [0]
    if not 1 <= round_ <= len(begins):
        raise Usage(say("fault.film.round", round=round_, n=len(begins)))
    return begins[round_ - 1], [*begins[1:], timeline.last + 1][round_ - 1] - 1


_PLAIN = Style()


def cast(shots: Sequence[tuple[Shot, int]], title: str, colours: ColorSystem = ColorSystem.TRUECOLOR) -> str:
    """Return a recording of shots, each with its duration in milliseconds. Each writes the lines that it changes."""
    first, at = shots[0][0], 0
    size = {"width": first.columns, "height": len(first.lines)}
    written = [
        json.dumps({"version": 2, **size, "title": title, "env": {"TERM": "xterm-256color"}}, ensure_ascii=False)
    ]
    before: tuple[Strip, ...] = ()
    for one, ms in shots:
        start = "" if before else "\x1b[?25l\x1b[2J"
        written.append(_event(at, start + "".join(_changes(one.lines, before, colours))))
        before, at = one.lines, at + ms
    return "\n".join([*written, _event(at, "\x1b[?25h"), ""])


def _event(ms: int, text: str) -> str:
    return json.dumps([ms / 1_000, "o", text], ensure_ascii=False)


def _changes(lines: Sequence[Strip], before: Sequence[Strip], colours: ColorSystem) -> Iterator[str]:
    for row, line in enumerate(lines):
        if not before or line != before[row]:
            text = "".join((style or _PLAIN).render(part, color_system=colours) for part, style, _ in line.simplify())
            yield f"\x1b[{row + 1};1H{text}"
