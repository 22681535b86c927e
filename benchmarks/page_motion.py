"""What moves on the web page, in Chromium on a phone whose CPU is throttled four times: frames and long tasks.

Each moment is staged by a fake server, and filmed for a second and a half: an UNO table of four, with a hand, and a
Minesweeper board of 30×16. *Frames a second* are those in which the page could draw, *the longest gap* is between two
of them, and *long tasks* are those of more than 50 ms: the worst of three films, each on a new page. Other programs on
the machine make them worse, so its load is printed first. Chromium draws without a graphics card here; what it reaches
at most shows a blank page on which a square moves, and a board on which nothing happens. Two more films are traced,
which takes time itself. *Frames seen* are those that Chromium shows a second while something moves, also where its
compositor moves it and the page is busy. *The longest task* is the CPU time of the page's main thread without
throttling, times four: what else runs hardly changes it. An argument is another throttle for the films: 1 is none.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import attrs
from playwright.sync_api import Browser, Page
from tests.support.chromium import chromium
from tests.support.groups import missing
from tests.support.server import server_process
from tests.web.fake_server import ROOM, FakeServer, joined, uno
from tests.web.visitors import address

from benchmarks.results import Result, Target, show
from parlour_protocol.messages import Plain

FILMS = 3
THROTTLE = 4
"""How many times slower the CPU is, unless said otherwise."""
TASKS = ["disabled-by-default-devtools.timeline", "devtools.timeline", "toplevel"]
FRAMES = ["disabled-by-default-devtools.timeline.frame"]
"""Categories of traces: tasks of the main thread; frames that are shown or dropped."""
RATE = 60
"""Frames a second that Chromium shows at most."""
FILM, SETTLE = 1_500, 600
"""Milliseconds: how long a moment is filmed, and what a page gets to load and rest before."""
LONG = 50.0
"""Milliseconds of the longest task that is allowed."""
HAND = [1, 19, 27, 40, 104, 70, 88]
WIDTH, HEIGHT, MINES, OPENED = 30, 16, 99, 20
"""Columns, rows and mines of the board, and the columns in which the wave opens the cells."""
_FILM = """
(ms) => {
    const frames = [], tasks = [];
    const seen = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
    seen.observe({ type: "longtask" });
    const began = performance.now();
    window.film = new Promise((done) => {
        const look = (now) => {
            frames.push(now);
            if (now - began < ms) requestAnimationFrame(look);
            else setTimeout(() => { seen.disconnect(); done({ frames, tasks }); }, 300);
        };
        requestAnimationFrame(look);
    });
}
"""


_SQUARE = """
() => {
    const square = document.body.appendChild(document.createElement("div"));
    Object.assign(square.style, { width: "50px", height: "50px", background: "red" });
    square.animate([{ translate: "0 0" }, { translate: "200px 300px" }], { duration: 1000, iterations: Infinity });
}
"""


@attrs.frozen
class Moment:
    """What is filmed: the room before it, and what the server sends."""

    name: str
    before: Plain
    happens: Callable[[FakeServer], None]
    mark: str


def measure(throttle: float = THROTTLE) -> Iterator[Result]:
    """Yield the results, or a note if Chromium is missing."""
    why = missing("chromium")
    if why is not None:
        yield f"page motion: skipped, {why}", 0.0, ""
        return
    yield "page motion: load of the machine before", os.getloadavg()[0], ""
    with TemporaryDirectory() as folder, server_process(Path(folder)) as server, chromium() as browser:
        yield (
            "page motion: a square on a blank page, frames a second",
            min(_control(browser, throttle) for _ in range(FILMS)),
            "",
        )
        url = address(server, f"r/{ROOM}")
        for moment in _moments():
            films = [_film_of(browser, url, moment, throttle) for _ in range(FILMS)]
            yield f"page motion: {moment.name}, frames a second", min(rate for rate, _, _ in films), ""
            yield f"page motion: {moment.name}, longest gap", max(gap for _, gap, _ in films), "ms"
            yield f"page motion: {moment.name}, long tasks", max(tasks for _, _, tasks in films), ""
            yield f"page motion: {moment.name}, frames seen", _seen(_traced(browser, url, moment, FRAMES, throttle)), ""
            longest = THROTTLE * _longest_task(_traced(browser, url, moment, TASKS, 1))
            yield Target(f"page motion: {moment.name}, longest task", longest, "ms", must=LONG, aim=LONG)


@contextmanager
def _before(browser: Browser, url: str, moment: Moment) -> Iterator[tuple[Page, FakeServer]]:
    """Open a page at the moment before ``moment``, with all that it needs loaded."""
    with _phone(browser) as page:
        fake = FakeServer(page, moment.before)
        page.goto(url)
        page.wait_for_selector(moment.mark)
        fake.send("update", view=moment.before["view"], events=[{"e": "pass", "seat": 1}], clocks={}, may=[])
        page.wait_for_load_state("networkidle")  # what moves is loaded
        page.locator("#bar b").tap()  # so that sounds are allowed
        page.wait_for_timeout(SETTLE)
        yield page, fake


@contextmanager
def _phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, service_workers="block"
    )
    yield context.new_page()
    context.close()


def _control(browser: Browser, throttle: float) -> float:
    """Return the frames a second of a page without anything but a square that moves."""
    with _phone(browser) as page:
        return _film(page, lambda: page.evaluate(_SQUARE), throttle)[0]


def _film_of(browser: Browser, url: str, moment: Moment, throttle: float) -> tuple[float, float, float]:
    with _before(browser, url, moment) as (page, fake):
        return _film(page, lambda: moment.happens(fake), throttle)


def _film(page: Page, happens: Callable[[], object], throttle: float) -> tuple[float, float, float]:
    """Return frames a second, the longest gap between two in ms, and the number of long tasks."""
    _throttle(page, throttle)
    page.evaluate(_FILM, FILM)
    happens()
    found = page.evaluate("() => window.film")
    frames = found["frames"]
    gaps = [after - before for before, after in pairwise(frames)]
    return 1_000 * len(gaps) / (frames[-1] - frames[0]), max(gaps), len(found["tasks"])


def _traced(browser: Browser, url: str, moment: Moment, categories: list[str], throttle: float) -> list[Plain]:
    """Return the events of a trace of the moment."""
    with _before(browser, url, moment) as (page, fake):
        _throttle(page, throttle)
        browser.start_tracing(page=page, categories=categories)
        moment.happens(fake)
        page.wait_for_timeout(FILM)
        events: list[Plain] = json.loads(browser.stop_tracing())["traceEvents"]
        return events


def _throttle(page: Page, times: float) -> None:
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": times})


def _seen(trace: list[Plain]) -> float:
    """Return the frames a second that are shown while something moves: the highest rate if none is dropped."""
    begun = [each for each in trace if each["name"] == "PipelineReporter" and each["ph"] == "b"]
    reports = [each["args"]["frame_reporter"] for each in begun]
    shown = {each["frame_sequence"] for each in reports if each["state"].startswith("STATE_PRESENTED")}
    dropped = {each["frame_sequence"] for each in reports if each["affects_smoothness"]} - shown
    return RATE * len(shown) / (len(shown) + len(dropped)) if dropped else RATE


def _longest_task(trace: list[Plain]) -> float:
    """Return the CPU time of the longest task of the page's main thread, in ms."""
    mains = {
        (each["pid"], each["tid"])
        for each in trace
        if each["name"] == "thread_name" and each["args"]["name"] == "CrRendererMain"
    }
    tasks = [each for each in trace if each["name"].endswith("RunTask") and (each["pid"], each["tid"]) in mains]
    return float(max(each.get("tdur", 0) for each in tasks) / 1_000)


def _moments() -> Iterator[Moment]:
    yield from _uno()
    yield from _minesweeper()


def _update(view: Plain, *events: Plain) -> Callable[[FakeServer], None]:
    return lambda fake: fake.send("update", view=view, events=list(events), clocks={}, may=[])


def _uno() -> Iterator[Moment]:
    def table(hand: list[int], **more: object) -> Plain:
        return joined("uno", uno(4, hand, **{"turn": 1, **more}), 4, seat=0)

    hands = table(HAND)
    dealt = {"e": "deal", "round": 3, "dealer": 0, "top": 5, "colour": "red", "hands": [7] * 4}
    yield Moment("the deal", table([]), _update(uno(4, HAND, turn=0), dealt), ".top .card")
    played = {"e": "play", "seat": 1, "card": 7}
    yield Moment("a card is played", hands, _update(uno(4, HAND, turn=2, top=7), played), ".hand button")
    drawn = {"e": "draw", "seat": 0, "n": 2, "cards": [50, 51]}
    yield Moment("two cards are drawn", hands, _update(uno(4, [*HAND, 50, 51], turn=1), drawn), ".hand button")
    wild = {"e": "play", "seat": 1, "card": 105, "colour": "blue"}
    slammed = uno(4, HAND, turn=0, top=105, colour="blue", pending=4, phase="challenge")
    yield Moment("a +4", hands, _update(slammed, wild), ".hand button")

    def round_ends(fake: FakeServer) -> None:
        points = [60, 0, 40, 20]
        view = uno(4, HAND, turn=None, phase="pause", scores=points)
        _update(view, {"e": "round", "winner": 1, "points": points, "scores": points})(fake)
        fake.send("seats", table={**hands["table"], "state": "pause"})

    yield Moment("a round ends", hands, round_ends, ".hand button")


def _minesweeper() -> Iterator[Moment]:
    places = Random(1).sample(range(WIDTH * HEIGHT), MINES)
    mines = {(place % WIDTH, place // WIDTH) for place in places}
    numbers = {
        (x, y): sum((u, v) in mines for u in range(x - 1, x + 2) for v in range(y - 1, y + 2))
        for y in range(HEIGHT)
        for x in range(WIDTH)
    }

    def board(show: Callable[[int, int], str], **more: object) -> Plain:
        rows = ["".join(show(x, y) for x in range(WIDTH)) for y in range(HEIGHT)]
        view = {"mode": "solo", "phase": "playing", "width": WIDTH, "height": HEIGHT, "mines": MINES}
        return {**view, "safe": WIDTH * HEIGHT - MINES, "rows": rows, "players": [{"state": "in", "open": 9}], **more}

    def half(x: int, y: int) -> str:
        return "." if (x, y) in mines or x >= OPENED else str(numbers[x, y])

    def lost(x: int, y: int) -> str:
        hit = min(mines, key=lambda mine: (mine[0] - WIDTH // 2) ** 2 + (mine[1] - HEIGHT // 2) ** 2)
        return "*" if (x, y) == hit else "M" if (x, y) in mines else half(x, y)

    def won(x: int, y: int) -> str:
        return "F" if (x, y) in mines else str(numbers[x, y])

    def over(view: Plain, why: str) -> Callable[[FakeServer], None]:
        result = {"ranks": {"0": 1 if why == "won" else 2}, "scores": {"0": 9}, "why": why}
        more = {"events": [{"e": "end", "why": why}], "clocks": {}, "result": result, "reveal": "", "digest": "d" * 64}
        return lambda fake: fake.send("over", seq=3, view=view, **more)

    closed, opened = (joined("minesweeper", board(show), 1, seat=0) for show in (lambda x, y: ".", half))
    for room in closed, opened:
        room["table"]["options"] = {**room["table"]["options"], "mode": "solo"}
    yield Moment("a board at rest", opened, lambda fake: None, ".grid button")
    yield Moment("a wave over 20 of 30 columns", closed, _update(board(half)), ".grid button")
    out = board(lost, phase="over", players=[{"state": "out", "open": 9, "ms": 900}])
    yield Moment("99 mines go off", opened, over(out, "lost"), ".grid button")
    done = board(won, phase="over", players=[{"state": "done", "open": 381, "ms": 900}])
    yield Moment("a win", opened, over(done, "won"), ".grid button")


if __name__ == "__main__":
    show(measure(*map(float, sys.argv[1:])))
