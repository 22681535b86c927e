"""Debian's Chromium, driven by Playwright: the one place that knows how it is started."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright
from tests.support.groups import program

LAUNCH = 180_000
"""Milliseconds until it has to be there."""
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Have a browser, and close it in the end."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program("chromium"), args=_FLAGS, timeout=LAUNCH)
        yield browser
        browser.close()
