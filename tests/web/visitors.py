"""Visitors of the page: browser contexts, what they do, and what goes wrong on their pages."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any, Literal, TypeAlias

import axe_playwright_python
from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute
from tests.support.server import ServerProcess

from parlour_protocol.messages import Plain

CUT = Path(__file__).with_name("layout_faults.js").read_text(encoding="utf-8").rstrip().removesuffix(";")
AXE = (
    Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8").rstrip().removesuffix(";")
)
MILD = {name: {"enabled": False} for name in re.findall(r'id:"([\w-]+)",impact:"(?:minor|moderate)"', AXE)}
"""The rules of axe-core that find nothing serious."""
PATIENCE = 60_000
"""Milliseconds to wait for something on a page, with many tests on a slow machine."""
MATCH = 180.0
"""Seconds to wait for the end of a match."""
Scheme: TypeAlias = Literal["dark", "light"]
SIZES = ((360, 740), (740, 360), (640, 800), (800, 800), (1024, 800), (1920, 800))
"""The sizes in which the layout of a page is checked, in pixels: one or two between its breakpoints."""
LOOKS: dict[tuple[int, int], Scheme] = {SIZES[0]: "light", SIZES[4]: "dark"}
"""The sizes and colour schemes in which the accessibility of a page is checked."""
OVER = ".results:not([hidden]):not([aria-busy])"
"""The result of a match or a round."""
FREE_CHAIR = ".chairs .free button.portrait"
"""A free chair that takes a bot with one press."""
UNO = (".menu button.colour", ".turn.mine ~ .hand .can", ".turn.mine ~ .menu button")
MINES = (".turn.mine ~ .frame .cclosed:not(.wait)",)
"""Selectors to press in a game, in order of preference."""
_OFFLINE = (
    "WebSocket connection",
    "ERR_CONNECTION_",
    "ERR_EMPTY_RESPONSE",
    "ERR_INTERNET_DISCONNECTED",
    "ERR_SOCKET_NOT_CONNECTED",  # a TLS server that ends while it answers
    "Failed to fetch dynamically imported module",
)
"""Errors that the browser logs while it or the server is offline."""
_PRESS = """
(selectors) => {
    let due = null;
    const press = () => {
        due = null;
        selectors.map((selector) => document.querySelector(selector)).find((element) => element)?.click();
    };
    const soon = () => { due ??= setTimeout(press); };
    const seen = new MutationObserver(soon);
    const all = { subtree: true, childList: true, characterData: true, attributes: true };
    seen.observe(document.querySelector("main"), all);
    soon();
    window.release = () => { seen.disconnect(); clearTimeout(due); };
}
"""
_HEAR = """
window.heard = [];
window.written = [];
addEventListener("DOMContentLoaded", () => {
    const region = document.getElementById("announcer");
    if (!region) return; // an empty page
    new MutationObserver(() => window.heard.push(region.textContent)).observe(region, { childList: true });
    new MutationObserver((changes) => {
        const here = changes.filter(({ target }) => target.className === "log");
        window.written.push(...here.flatMap((change) => [...change.addedNodes].map((line) => line.textContent)));
    }).observe(document.body, { childList: true, subtree: true });
});
"""
"""Keep all announcements and all log lines: the log itself drops old ones."""
_SETTLE = """
async () => {
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
    for (const each of document.getAnimations()) if (each.effect.getComputedTiming().endTime < Infinity) each.finish();
}
"""
_AXE = f"async () => (await axe.run({{ resultTypes: ['violations'], rules: {json.dumps(MILD)} }})).violations"


class Visitors:
    """All pages of one test, and the errors they logged."""

    def __init__(self, browser: Browser) -> None:
        self.faults: list[str] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []

    def visit(self, url: str, width: int = 1280, **more: Any) -> Page:
        """Open ``url`` as a new visitor."""
        page = self.arrive(width, **more)
        page.goto(url)
        return page

    def arrive(self, width: int = 1280, **more: Any) -> Page:
        """Return an empty page of a new visitor, without a service worker: it would answer in place of routes.

        It asks for reduced motion, which takes less CPU to draw.
        """
        size = {"width": width, "height": 800}
        usual = {"viewport": size, "service_workers": "block", "reduced_motion": "reduce"}
        context = self._browser.new_context(**{**usual, **more})
        self._contexts.append(context)
        page = context.new_page()
        self.watch(page)
        return page

    def watch(self, page: Page) -> None:
        """Record errors, announcements and log lines of ``page``."""
        page.set_default_timeout(PATIENCE)
        page.add_init_script(_HEAR)
        page.add_init_script("if (location.protocol !== 'about:') localStorage.setItem('parlour pace', '0')")
        page.on("pageerror", lambda error: self._said("error", str(error)))
        page.on("console", lambda said: self._said(said.type, said.text))

    def close(self) -> None:
        """Close all pages."""
        for context in self._contexts:
            context.close()

    def _said(self, kind: str, text: str) -> None:
        if kind == "error" and not any(words in text for words in _OFFLINE):
            self.faults.append(text)


def address(server: ServerProcess, path: str = "") -> str:
    """Return the URL of a page of ``server``."""
    return f"{server.url.replace('ws', 'http', 1)}/{path}"


def go(page: Page, url: str) -> None:
    """Load ``url`` afresh, even if only its fragment changes."""
    if page.goto(url) is None:
        page.reload()


def rewrite(page: Page, change: Callable[[WebSocketRoute, Plain], Plain | None]) -> None:
    """Let ``page`` hear what ``change`` makes of each message of its server."""

    def between(socket: WebSocketRoute) -> None:
        def pass_on(said: str | bytes) -> None:
            if (message := change(socket, json.loads(said))) is not None:
                socket.send(json.dumps(message))

        socket.connect_to_server().on_message(pass_on)

    page.route_web_socket("**", between)


def hear(page: Page, words: str) -> None:
    """Wait until ``words`` have been announced on ``page``."""
    page.wait_for_function("words => window.heard.some((said) => said.includes(words))", arg=words)


def loaded(page: Page) -> tuple[int, int]:
    """Return the bytes that ``page`` has loaded, over the wire and unpacked, once the network is idle."""
    page.wait_for_load_state("networkidle")
    entries = page.evaluate(
        "() => performance.getEntries().filter((entry) => entry.transferSize !== undefined)"
        ".map((entry) => [entry.transferSize, entry.decodedBodySize])"
    )
    return sum(wire for wire, _ in entries), sum(plain for _, plain in entries)


def open_room(page: Page, game: str = "uno", **fields: str | float) -> str:
    """Create a room with the form; ``fields``: values besides the game. Returns its code."""
    page.select_option("#field-game", game)
    page.wait_for_selector(f"#field-{'preset' if game == 'uno' else 'mode'}")
    unfold(page)
    for name, value in fields.items():
        field = page.locator(f"#field-{name}")
        tag = field.evaluate("field => field.tagName")
        if not field.is_visible():
            continue  # it has only one value
        if tag == "FIELDSET":
            page.check(f"#field-{name} [value={value}]")
        elif tag == "SELECT":
            field.select_option(str(value))
        else:
            field.fill(str(value))
    page.click("text=Create room")
    page.wait_for_selector("button.main >> text=Ready")
    return page.url.rpartition("/")[2]


def unfold(page: Page) -> None:
    """Show all fields of the form for a room."""
    page.evaluate("() => document.querySelectorAll('details.more').forEach((more) => { more.open = true; })")


def sit(page: Page, name: str) -> None:
    """Take a seat as ``name``."""
    page.fill("input[name=name]", name)
    page.click("text=Take a seat")
    page.wait_for_selector("button >> text=Ready")


def invite(page: Page, bots: int, there: int) -> None:
    """Invite ``bots`` bots to a room with ``there`` players."""
    for number in range(there + 1, there + bots + 1):
        seated, busy = f".people li:nth-child({number})", ".toast[data-code=no_bot]"
        page.click(FREE_CHAIR)
        while page.wait_for_selector(f"{seated}, {busy}", state="attached") and not page.query_selector(seated):
            page.wait_for_selector(busy, state="detached")  # the bots of the server are still starting
            page.click(FREE_CHAIR)


def press_on(page: Page, choices: tuple[str, ...] = UNO) -> None:
    """Press the first of ``choices`` that exists on each change of the page, until it is released or loaded again."""
    page.evaluate(_PRESS, list(choices))


def play(page: Page, choices: tuple[str, ...] = UNO, until: str = OVER) -> None:
    """Press the first of ``choices`` that exists on each change of the page, until it shows ``until``."""
    press_on(page, choices)
    page.wait_for_selector(until, timeout=1_000 * MATCH)
    page.evaluate("() => window.release()")


def meanwhile(page: Page, until: str = OVER) -> Iterator[None]:
    """Yield until ``page`` shows ``until``. Raises AssertionError after `MATCH` seconds."""
    end = monotonic() + MATCH
    while not page.query_selector(until):
        assert monotonic() < end, page.inner_text("main")
        yield


def dress(page: Page) -> None:
    """Wait until all stylesheets of ``page`` are loaded."""
    page.wait_for_function("() => [...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet)")


def resize(page: Page, width: int, height: int) -> None:
    """Resize ``page``, and wait until it has drawn what follows from that."""
    page.set_viewport_size({"width": width, "height": height})
    assert page.evaluate("() => innerWidth") == width
    settle(page)


def settle(page: Page) -> None:
    """Wait until ``page`` has drawn what it has heard, with all that moves at its end."""
    page.evaluate(_SETTLE)


def resized(page: Page) -> Iterator[tuple[int, int]]:
    """Resize ``page`` to each of `SIZES`."""
    dress(page)
    for width, height in SIZES:
        resize(page, width, height)
        yield width, height


def cut(page: Page) -> dict[tuple[int, int], Any]:
    """Return the layout faults of ``page`` by size."""
    found = {size: page.evaluate(CUT) for size in resized(page)}
    return {size: wrong for size, wrong in found.items() if wrong}


def faults(page: Page) -> dict[tuple[int, int], Any]:
    """Return the faults of layout and accessibility of ``page`` by size."""
    found = {}
    for size in resized(page):
        found[size] = page.evaluate(CUT)
        if size in LOOKS:
            page.emulate_media(color_scheme=LOOKS[size])
            found[size] += accessibility_faults(page)
    return {size: wrong for size, wrong in found.items() if wrong}


def accessibility_faults(page: Page) -> list[str]:
    """Return the serious and critical faults that axe-core finds, and whether it is wider than the window."""
    dress(page)
    if page.evaluate("() => !window.axe"):
        page.evaluate(AXE)
    found: list[dict[str, Any]] = page.evaluate(_AXE)
    wide = page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
    return [f"wider than {page.viewport_size}" for _ in range(wide)] + [
        f"{each['id']}: {[node['html'][:200] for node in each['nodes'][:3]]}"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
