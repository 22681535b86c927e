"""People at browsers."""

from pathlib import Path
from typing import Any

import axe_playwright_python
from playwright.sync_api import Browser, BrowserContext, Page
from tests.support.server import ServerProcess

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
PATIENCE = 20_000
"""Milliseconds until a test that waits for something on a page fails."""
CHOICES = (".menu button.colour", ".turn.mine ~ .hand .can", ".turn.mine ~ .menu button")
"""What to press, the first that there is."""
_OFFLINE = ("WebSocket connection", "ERR_CONNECTION_REFUSED")
"""What a browser itself complains of while a server is gone."""


class Visitors:
    """All pages of one test, and what was wrong in them."""

    def __init__(self, browser: Browser) -> None:
        self.faults: list[str] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []

    def visit(self, url: str, width: int = 1280, **more: Any) -> Page:
        """Open ``url`` as somebody whom the server does not know."""
        context = self._browser.new_context(viewport={"width": width, "height": 800}, **more)
        self._contexts.append(context)
        page = context.new_page()
        self.watch(page)
        page.goto(url)
        return page

    def watch(self, page: Page) -> None:
        """Note what goes wrong on ``page``."""
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
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


def play_uno(page: Page, until: str) -> None:
    """Answer each question by the first thing that can be done, until there is ``until`` on the page."""
    while not page.query_selector(until):
        page.wait_for_selector(f".turn.mine, {until}")
        for choice in CHOICES:
            found = page.query_selector(choice)
            if found is not None:
                found.evaluate("button => button.click()")
                break
        page.evaluate("() => new Promise((done) => setTimeout(done, 30))")


def accessibility_faults(page: Page) -> list[str]:
    """Return the serious and critical faults that axe-core finds."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate("async () => (await axe.run()).violations")
    return [
        f"{each['id']}: {[node['html'][:200] for node in each['nodes'][:3]]}"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
