"""The web page in Chromium: time to paint and bytes loaded with an empty cache, and presses on a slow network.

Measured are an UNO room and a Minesweeper room with a match in progress, a room that waits for players, and the lobby.
*Painted* is the time from the start of the navigation to the second frame that contains the view. *Transferred* counts
the compressed bytes with headers, *uncompressed* the content, of all files until the network is idle.

*Round trips in a row* is how much later a view is painted behind a proxy that delays all bytes, divided by that delay;
opening connections does not count. A *press* is visible when the first frame that shows it has been drawn, counted from
when the finger lifts.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import attrs
from playwright.sync_api import Browser, Page
from tests.support.chromium import chromium
from tests.support.groups import missing
from tests.support.server import ServerProcess, server_process
from tests.web.running_matches import running_match
from tests.web.visitors import address, invite, loaded, open_room, play

from benchmarks.delaying_proxy import delaying_proxy
from benchmarks.results import Result, Target, show

TIMES = 5
PAINTED, LARGEST, SMALL = 500.0, 60.0, 40.0
"""Budgets: milliseconds; kilobytes (of 1000 bytes) that must suffice, and that should."""
TRIP = 0.7
"""Seconds of a round trip on the slow network."""
TRIPS, VISIBLE, MOVED, CLICKS = 4.0, 50.0, 0.0, 1.0
"""Budgets: round trips in a row, milliseconds, pixels, clicks to the first own card."""
WAIT = 120_000
"""Milliseconds to wait for a turn."""
BOTS = 3
EDGE = {"x": 8, "y": 20}
"""Where a card is pressed: the next one covers most of it."""
PACE = 0.2
"""The pace at which the page shows moves while the hand is watched, relative to the usual one."""
_WHEN_PAINTED = """
window.painted = new Promise((done) => {
    const frame = requestAnimationFrame;
    const check = () => (document.querySelector(%r) ? frame(() => frame(() => done(performance.now()))) : frame(check));
    check();
});
"""
_WHEN_PRESSED = """
(selector) => {
    window.shown = new Promise((done) => addEventListener("pointerup", ({ timeStamp }) => {
        const frame = requestAnimationFrame, shows = () => document.querySelector(selector);
        const check = () => (shows() ? setTimeout(() => done(performance.now() - timeStamp)) : frame(check));
        frame(check);
    }, { capture: true, once: true }));
}
"""
_WATCH = """
() => {
    window.tops = [];
    const look = () => {
        const top = document.querySelector(".hand li:last-child")?.getBoundingClientRect().top;
        if (top) tops.push(top);
        requestAnimationFrame(look);
    };
    look();
}
"""
"""Record where the last row of the hand is in each frame."""
_COUNT = """
window.clicks = 0;
addEventListener("click", ({ isTrusted }) => { clicks += isTrusted; }, { capture: true });
"""
CARD = ".turn.mine ~ .hand .can:not(:has(.wild))"
CELL = ".turn.mine ~ .frame .cclosed:not(.wait)"
CHAOS = (".menu > span ~ button", ".turn.mine ~ .hand .can", ".turn.mine ~ .menu button:not([aria-pressed])")
"""What is pressed with all house rules: the first answer to a question, a card, anything else but switches."""
OTHERWISE = (".menu button.colour", ".turn.mine ~ .hand .can", ".turn.mine ~ .menu button")


@attrs.frozen
class View:
    """A view of the page: its name, its path, a selector that matches when it is complete, and if a match is played."""

    name: str
    path: str
    selector: str
    table: bool = False


def measure() -> Iterator[Result]:
    """Yield the results, or a note if Chromium is missing."""
    why = missing("chromium")
    if why is not None:
        yield f"web page: skipped, {why}", 0.0, ""
        return
    with (
        TemporaryDirectory() as folder,
        server_process(Path(folder), house_bots=True) as server,
        chromium() as browser,
        delaying_proxy(urlsplit(server.url).port or 0, TRIP / 2) as port,
    ):
        slow = f"http://127.0.0.1:{port}/"
        with _views(server) as views:
            for view in views:
                yield from _loading(browser, server, slow, view)
        yield from _clicks(browser, address(server))
        yield from _presses(browser, slow)
        yield from _hand(browser, address(server))


@contextmanager
def _views(server: ServerProcess) -> Iterator[list[View]]:
    coop = {"mode": "coop", "level": "expert"}
    with running_match(server, "uno", seats=4) as uno, running_match(server, "minesweeper", coop) as mines:
        yield [
            View("an UNO room", f"r/{uno}", ".top .card", table=True),
            View("a Minesweeper room, 30×16", f"r/{mines}", ".grid [role=gridcell]", table=True),
            View("a waiting room", f"r/{server.room}", ".wait form"),
            View("the lobby", "", ".list tbody tr"),
        ]


def _loading(browser: Browser, server: ServerProcess, slow: str, view: View) -> Iterator[Result]:
    times, transferred, uncompressed = [], 0.0, 0.0
    for _ in range(TIMES):
        with _visit(browser, (1280, 800)) as page:
            times.append(_painted(page, address(server, view.path), view))
            transferred, uncompressed = (size / 1000 for size in loaded(page))
    with _visit(browser, (1280, 800)) as page:
        delayed = _painted(page, slow + view.path, view)
    trips = (delayed - median(times)) / TRIP / 1000
    yield Target(f"web page: {view.name}, painted (median of {TIMES})", median(times), "ms", must=PAINTED, aim=PAINTED)
    yield Target(f"web page: {view.name}, transferred", transferred, "kB", must=LARGEST, aim=SMALL)
    yield f"web page: {view.name}, uncompressed", uncompressed, "kB"
    label = f"web page: {view.name}, round trips in a row"
    yield Target(label, trips, "", must=TRIPS, aim=TRIPS) if view.table else (label, trips, "")


@contextmanager
def _visit(browser: Browser, size: tuple[int, int], *, touch: bool = False, pace: float = 1.0) -> Iterator[Page]:
    """Open an empty page of a new visitor; ``pace``: at which it shows moves."""
    viewport = {"width": size[0], "height": size[1]}
    context = browser.new_context(viewport=viewport, has_touch=touch, is_mobile=touch)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.add_init_script(f"if (location.protocol !== 'about:') localStorage.setItem('parlour pace', '{pace}')")
    yield page
    context.close()


def _painted(page: Page, url: str, view: View) -> float:
    page.add_init_script(_WHEN_PAINTED % view.selector)
    page.goto(url)
    return float(page.evaluate("() => window.painted"))


def _clicks(browser: Browser, url: str) -> Iterator[Result]:
    with _visit(browser, (360, 740), touch=True) as page:
        page.add_init_script(_COUNT)
        page.goto(url)
        page.click("text=Play UNO with three bots")
        page.wait_for_selector(".hand button")
        count = page.evaluate("() => clicks")
    yield Target("web page: clicks from the lobby to the first own card", count, "", must=CLICKS, aim=CLICKS)


def _presses(browser: Browser, url: str) -> Iterator[Result]:
    """Press cards and cells on a phone behind a slow network."""
    for what, start, choice, shown in (
        ("a card", ["text=Play UNO with three bots"], CARD, ".hand .sent"),
        ("a cell", [".mines-tile >> text=expert", "text=⚑ Flag"], CELL, ".grid .wait"),
    ):
        with _visit(browser, (360, 740), touch=True) as page:
            page.goto(url)
            for button in start:
                page.tap(button)
            page.wait_for_selector(".hand button, .grid button")
            times = [_pressed(page, choice, shown) for _ in range(TIMES)]
        label = f"web page: a press on {what} is visible at {1000 * TRIP:.0f} ms round trip (worst of {TIMES})"
        yield Target(label, max(times), "ms", must=VISIBLE, aim=VISIBLE)


def _pressed(page: Page, choice: str, shown: str) -> float:
    """Press ``choice`` when it is there, and return after how many milliseconds ``shown`` was painted."""
    page.wait_for_function("shown => !document.querySelector(shown)", arg=shown)
    while not page.query_selector(choice):
        page.evaluate("all => all.map((each) => document.querySelector(each)).find(Boolean)?.click()", list(OTHERWISE))
        page.wait_for_timeout(100)
    page.evaluate(_WHEN_PRESSED, shown)
    page.tap(f"{choice} >> nth=0", position=EDGE)  # type: ignore[arg-type]
    return float(page.evaluate("() => window.shown"))


def _hand(browser: Browser, url: str) -> Iterator[Result]:
    """Play a round with all house rules on a phone, and watch the hand."""
    with _visit(browser, (360, 740), touch=True, pace=PACE) as page:
        page.goto(f"{url}#create")
        open_room(page, preset="chaos", scoring="single")
        invite(page, BOTS, 1)
        page.click("button.main >> text=Ready")
        page.wait_for_selector(".hand button")
        page.evaluate(_WATCH)
        play(page, CHAOS)
        tops = page.evaluate("() => window.tops")
    yield "web page: frames in which the hand was watched, at 360 px", float(len(tops)), ""
    yield Target("web page: the hand moves", max(tops) - min(tops), "px", must=MOVED, aim=MOVED)


if __name__ == "__main__":
    show(measure())
