"""The web page in Chromium, on loopback and with an empty cache: time to paint, and bytes loaded.

Measured are an UNO room and a Minesweeper room with a match in progress, a room that waits for players, and the lobby.
*Painted* is the time from the start of the navigation to the second frame that contains the view. *Transferred* counts
the compressed bytes with headers, *uncompressed* the content, of all files until the network is idle.
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

from benchmarks.results import Result, Target, show

TIMES = 5
PAINTED, LARGEST = 500.0, 40.0
"""Budgets: milliseconds, kilobytes (of 1000 bytes)."""
_WHEN_PAINTED = """
window.painted = new Promise((done) => {
    const frame = requestAnimationFrame;
    const check = () => (document.querySelector(%r) ? frame(() => frame(() => done(performance.now()))) : frame(check));
    check();
});
"""


@attrs.frozen
class View:
    """A view of the page: its name, its path, and a selector that matches when it is complete."""

    name: str
    path: str
    selector: str


def measure() -> Iterator[Result]:
    """Yield the results, or a note if Chromium is missing."""
    why = missing("chromium")
    if why is not None:
        yield f"web page: skipped, {why}", 0.0, ""
        return
    with (
        TemporaryDirectory() as folder,
        server_process(Path(folder)) as server,
        _views(server) as views,
        chromium() as browser,
    ):
        for view in views:
            yield from _measure(browser, server, view)


@contextmanager
def _views(server: ServerProcess) -> Iterator[list[View]]:
    coop = {"mode": "coop", "level": "expert"}
    with running_match(server, "uno", seats=4) as uno, running_match(server, "minesweeper", coop) as mines:
        yield [
            View("an UNO room", f"r/{uno}", ".top .card"),
            View("a Minesweeper room, 30×16", f"r/{mines}", ".grid [role=gridcell]"),
            View("a waiting room", f"r/{server.room}", ".wait form"),
            View("the lobby", "", ".list tbody tr"),
        ]


def _measure(browser: Browser, server: ServerProcess, view: View) -> Iterator[Result]:
    times, transferred, uncompressed = [], 0.0, 0.0
    for _ in range(TIMES):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.add_init_script(_WHEN_PAINTED % view.selector)
        page.goto(address(server, view.path))
        times.append(page.evaluate("() => window.painted"))
        transferred, uncompressed = (size / 1000 for size in loaded(page))
        context.close()
    yield Target(f"web page: {view.name}, painted (median of {TIMES})", median(times), "ms", must=PAINTED, aim=PAINTED)
    yield Target(f"web page: {view.name}, transferred", transferred, "kB", must=LARGEST, aim=LARGEST)
    yield f"web page: {view.name}, uncompressed", uncompressed, "kB"


if __name__ == "__main__":
    show(measure())
