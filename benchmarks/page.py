"""The web page in Chromium, on loopback and with an empty cache: until a table is painted, and what came for it.

A table of UNO and one of Minesweeper that are being played, a room that waits for players, and the lobby. *Painted*:
milliseconds from the beginning of the navigation to the second frame with the table in it. *Over the wire*: bytes
with their headers, packed; *unpacked*: what was in them. All files are counted that came until nothing more did.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import attrs
from playwright.sync_api import Browser
from tests.support.chromium import chromium
from tests.support.groups import missing
from tests.support.server import ServerProcess, server_process
from tests.web.running_matches import running_match
from tests.web.visitors import address, loaded

from benchmarks.table import Result, Target, show

TIMES = 5
PAINTED, LARGEST = 500.0, 60.0
"""Budgets: milliseconds, kilobytes (of 1000 bytes)."""
_WHEN_PAINTED = """
window.painted = new Promise((done) => {
    const soon = (what) => requestAnimationFrame(what);
    const look = () => (document.querySelector(%r) ? soon(() => soon(() => done(performance.now()))) : soon(look));
    look();
});
"""


@attrs.frozen
class View:
    """What is looked at: its name, its path, and what is in it once it is there."""

    name: str
    path: str
    mark: str


def measure() -> Iterator[Result]:
    """Yield the rows. Without Chromium there is one that says so."""
    why = missing("chromium")
    if why is not None:
        yield f"page: left out, {why}", 0.0, ""
        return
    with (
        TemporaryDirectory() as folder,
        server_process(Path(folder)) as server,
        _tables(server) as views,
        chromium() as browser,
    ):
        for view in views:
            yield from _measure(browser, server, view)


@contextmanager
def _tables(server: ServerProcess) -> Iterator[list[View]]:
    coop = {"mode": "coop", "level": "expert"}
    with running_match(server, "uno", seats=4) as uno, running_match(server, "minesweeper", coop) as mines:
        yield [
            View("a table of UNO", f"r/{uno}", ".top .card"),
            View("a table of Minesweeper, 30×16", f"r/{mines}", ".grid [role=gridcell]"),
            View("a room that waits", f"r/{server.room}", ".wait form"),
            View("the lobby", "", ".list tbody tr"),
        ]


def _measure(browser: Browser, server: ServerProcess, view: View) -> Iterator[Result]:
    times, wire, plain = [], 0.0, 0.0
    for _ in range(TIMES):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.add_init_script(_WHEN_PAINTED % view.mark)
        page.goto(address(server, view.path))
        times.append(page.evaluate("() => window.painted"))
        wire, plain = (size / 1000 for size in loaded(page))
        context.close()
    yield Target(f"page: {view.name}, painted (median of {TIMES})", median(times), "ms", must=PAINTED, aim=PAINTED)
    yield Target(f"page: {view.name}, over the wire", wire, "kB", must=LARGEST, aim=LARGEST)
    yield Target(f"page: {view.name}, unpacked", plain, "kB", must=LARGEST, aim=LARGEST)


if __name__ == "__main__":
    show(measure())
