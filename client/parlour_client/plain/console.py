"""A person at a terminal, or a pipe in their place: lines in, lines out, a prompt that events do not garble."""

import asyncio
import contextlib
import os
import shutil
import sys
import threading
from collections.abc import AsyncIterator, Callable
from io import TextIOWrapper
from textwrap import wrap
from typing import Protocol, TextIO

from parlour_client.core.sanitize import clean

_PROMPT = "> "
_LONGEST_LINE = 2_000
_LONGEST_INPUT = 65_536


class Console(Protocol):
    """Where the line mode prints and reads."""

    interactive: bool
    """Whether a person is there to see a prompt, and to end it all with the end of the input."""

    def line(self, text: str) -> None:
        """Print one line, neutralised."""

    def prompt(self) -> None:
        """Show that input is awaited."""

    def lines(self) -> AsyncIterator[str]:
        """Yield the lines that are typed, until the end of the input."""


class Terminal:
    """Standard input and output, or what stands in for them."""

    def __init__(self, out: TextIO | None = None, fd: int = 0) -> None:
        self._out = sys.stdout if out is None else out
        self._fd = fd
        self.interactive = self._out.isatty() and os.isatty(fd)
        self._prompted = False
        self._wipe = _wipe()
        if isinstance(self._out, TextIOWrapper):
            self._out.reconfigure(errors="replace")  # a name in another script must not end a match under LANG=C

    def line(self, text: str) -> None:
        """Print one line, neutralised, in place of an open prompt."""
        wipe = self._wipe if self._prompted else ""
        self._prompted = False
        self._out.write(f"{wipe}{self._folded(clean(text, _LONGEST_LINE))}\n")
        self._out.flush()

    def prompt(self) -> None:
        """Show the prompt, where a person sees it, unless it is there."""
        if self.interactive and not self._prompted:
            self._prompted = True
            self._out.write(_PROMPT)
            self._out.flush()

    def _folded(self, text: str) -> str:
        """Return ``text`` broken between words where a person's terminal would break it within one."""
        if not self.interactive:
            return text
        return "\n".join(wrap(text, max(20, shutil.get_terminal_size().columns - 1), break_on_hyphens=False))

    async def lines(self) -> AsyncIterator[str]:
        """Yield the typed lines until the end of the input.

        A thread reads them: it works on terminals, pipes and files alike, and on Windows, where no event loop
        can wait for a console. It reads unbuffered, so that it may be left behind in its read at the end.
        """
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def post(line: str | None) -> None:
            with contextlib.suppress(RuntimeError):  # the loop may be closed by now
                loop.call_soon_threadsafe(queue.put_nowait, line)

        threading.Thread(target=_pump, args=(self._fd, post), daemon=True, name="typed-lines").start()
        while (line := await queue.get()) is not None:
            self._prompted = False  # the newline that was typed has ended the prompt's line
            yield line


def _pump(fd: int, post: Callable[[str | None], None]) -> None:
    """Read lines from ``fd`` and post each, and None at the end."""
    rest = b""
    with contextlib.suppress(OSError), open(fd, "rb", buffering=0, closefd=False) as raw:
        while chunk := raw.read(4096):
            *lines, rest = (rest + chunk).split(b"\n")
            rest = rest[:_LONGEST_INPUT]
            for line in lines:
                post(line.decode(errors="replace").rstrip("\r"))
    if rest:
        post(rest.decode(errors="replace"))
    post(None)


def _wipe() -> str:
    """Return what takes back an open prompt: the terminal's erase sequence, or a new line where there is none."""
    plain = sys.platform == "win32" or os.environ.get("TERM", "dumb") in ("", "dumb")
    return "\n" if plain else "\r\x1b[K"
