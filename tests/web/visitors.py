"""People at browsers."""

from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any, Literal, TypeAlias

import axe_playwright_python
from playwright.sync_api import Browser, BrowserContext, Page
from tests.support.server import ServerProcess

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
PATIENCE = 60_000
"""Milliseconds until a test that waits for something on a page fails: it may be one of many on a slow machine."""
MATCH = 180.0
"""Seconds until a test that plays a match fails."""
Scheme: TypeAlias = Literal["dark", "light"]
LOOKS: tuple[tuple[int, Scheme], ...] = ((360, "dark"), (360, "light"), (800, "dark"), (1280, "light"))
"""What a page is looked at in: its width, and in the dark or in the light."""
OVER = ".results:not([hidden]):not([aria-busy])"
"""A match or a round has ended, and is told."""
UNO = (".menu button.colour", ".turn.mine ~ .hand .can", ".turn.mine ~ .menu button")
MINES = (".turn.mine ~ .frame .cclosed:not(.wait)",)
"""What to press in a game, the first that there is."""
_OFFLINE = ("WebSocket connection", "ERR_CONNECTION_", "Failed to fetch dynamically imported module")
"""What a browser itself complains of while a server is gone."""
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
    const region = document.getElementById("say");
    if (!region) return; // an empty page
    new MutationObserver(() => window.heard.push(region.textContent)).observe(region, { childList: true });
    new MutationObserver((changes) => {
        const here = changes.filter(({ target }) => target.className === "log");
        window.written.push(...here.flatMap((change) => [...change.addedNodes].map((line) => line.textContent)));
    }).observe(document.body, { childList: true, subtree: true });
});
"""
"""Keep all that a screen reader is given to say, and all lines of the log: it drops the oldest of many."""


_AXE = "async () => (await axe.run({ resultTypes: ['violations'] })).violations"


class Visitors:
    """All pages of one test, and what was wrong in them."""

    def __init__(self, browser: Browser) -> None:
        self.faults: list[str] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []

    def visit(self, url: str, width: int = 1280, **more: Any) -> Page:
        """Open ``url`` as somebody whom the server does not know."""
        page = self.arrive(width, **more)
        page.goto(url)
        return page

    def arrive(self, width: int = 1280, **more: Any) -> Page:
        """Return the empty page of somebody new."""
        context = self._browser.new_context(viewport={"width": width, "height": 800}, **more)
        self._contexts.append(context)
        page = context.new_page()
        self.watch(page)
        return page

    def watch(self, page: Page) -> None:
        """Note what goes wrong on ``page``, and what is said there."""
        page.set_default_timeout(PATIENCE)
        page.add_init_script(_HEAR)
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
    """Load ``url`` from its beginning, also where only what is behind its # is another."""
    page.goto("about:blank")
    page.goto(url)


def hear(page: Page, words: str) -> None:
    """Wait until ``words`` have been said aloud on ``page``, however soon something else was."""
    page.wait_for_function("words => window.heard.some((said) => said.includes(words))", arg=words)


def loaded(page: Page) -> tuple[int, int]:
    """Return the bytes of all that ``page`` has loaded: as they came over the wire, and unpacked; once no more come."""
    page.wait_for_load_state("networkidle")
    entries = page.evaluate(
        "() => performance.getEntries().filter((entry) => entry.transferSize !== undefined)"
        ".map((entry) => [entry.transferSize, entry.decodedBodySize])"
    )
    return sum(wire for wire, _ in entries), sum(plain for _, plain in entries)


def open_room(page: Page, game: str = "uno", **fields: str | int) -> str:
    """Open a room by the form for it; ``fields``: what to say besides the game. Returns its code."""
    page.select_option("#field-game", game)
    for name, value in fields.items():
        field = page.locator(f"#field-{name}")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(str(value))
        else:
            field.fill(str(value))
    page.click("text=Create room")
    page.wait_for_selector("button.main >> text=Ready")
    return page.url.rpartition("/")[2]


def sit(page: Page, name: str) -> None:
    """Take a seat in the room that is watched."""
    page.fill("input[name=name]", name)
    page.click("text=Take a seat")
    page.wait_for_selector("button >> text=Ready")


def invite(page: Page, bots: int, there: int) -> None:
    """Ask so many bots to a table where so many people sit."""
    page.wait_for_selector(f".wait option >> nth={bots}", state="attached")
    for number in range(there + 1, there + bots + 1):
        page.click("text=Invite a bot")
        page.wait_for_selector(f".people li:nth-child({number})")


def play(page: Page, choices: tuple[str, ...] = UNO, until: str = OVER) -> None:
    """Press the first of ``choices`` that there is, whenever the page has changed, until it shows ``until``."""
    page.evaluate(_PRESS, list(choices))
    page.wait_for_selector(until, timeout=1_000 * MATCH)
    page.evaluate("() => window.release()")


def meanwhile(page: Page, until: str = OVER) -> Iterator[None]:
    """Yield again and again until ``page`` shows ``until``. Raises AssertionError if it takes too long."""
    end = monotonic() + MATCH
    while not page.query_selector(until):
        assert monotonic() < end, page.inner_text("main")
        yield


def dress(page: Page) -> None:
    """Wait until all stylesheets that ``page`` has asked for hold."""
    page.wait_for_function("() => [...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet)")


def accessibility_faults(page: Page) -> list[str]:
    """Return the serious and critical faults that axe-core finds, and whether it is wider than the window."""
    dress(page)
    if page.evaluate("() => !window.axe"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate(_AXE)
    wide = page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
    return [f"wider than {page.viewport_size}" for _ in range(wide)] + [
        f"{each['id']}: {[node['html'][:200] for node in each['nodes'][:3]]}"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


def faults(page: Page) -> dict[int, list[str]]:
    """Return by width what is wrong with ``page``, in the dark and in the light."""
    found = []
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        found.append((width, accessibility_faults(page)))
    return {width: wrong for width, wrong in found if wrong}
