"""Launch the system's Chromium with Playwright."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright
from tests.support.groups import program

LAUNCH = 180_000
"""The timeout for the launch in milliseconds."""
_FLAGS = [
    "--ignore-certificate-errors",  # instead of retrying each request to a server with a certificate of its own
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    """Launch a browser with these flags besides the usual ones; close it on exit."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program("chromium"), args=[*_FLAGS, *flags], timeout=LAUNCH
        )
        yield browser
        browser.close()
