"""A terminal or pipe for line mode: lines in, lines out, and a prompt that output does not garble."""

import asyncio
import contextlib
import os
import shutil
import sys
import threading
from collections.abc import AsyncIterator, Callable
from typing import Protocol, TextIO

from parlour_client.core.folding import folded
from parlour_client.core.sanitize import clean

_PROMPT = "> "
_LONGEST_LINE = 2_000
_LONGEST_INPUT = 65_536


class Console(Protocol):
    """The output and input of line mode."""

    interactive: bool
    """Whether a person sees prompts, and ends the program with the end of the input."""

    def line(self, text: str) -> None:
        """Print one line, sanitized."""

    def prompt(self) -> None:
        """Show a prompt."""

    def lines(self) -> AsyncIterator[str]:
        """Yield typed lines until the end of the input."""


class Terminal:
    """Standard input and output, or replacements for them."""

    def __init__(self, out: TextIO | None = None, fd: int = 0) -> None:
        self._out = sys.stdout if out is None else out
        self._fd = fd
        self.interactive = self._out.isatty() and os.isatty(fd)
        self._prompted = False
        self._wipe = _wipe()

    def line(self, text: str) -> None:
        """Print one line, sanitized, in place of an open prompt."""
        wipe = self._wipe if self._prompted else ""
        self._prompted = False
        self._out.write(f"{wipe}{self._folded(clean(text, _LONGEST_LINE))}\n")
        self._out.flush()

    def prompt(self) -> None:
        """Show the prompt if the console is interactive and it is not shown yet."""
        if self.interactive and not self._prompted:
            self._prompted = True
            self._out.write(_PROMPT)
            self._out.flush()

    def _folded(self, text: str) -> str:
        """Return ``text`` wrapped between words to the width of the terminal."""
        if not self.interactive:
            return text
        return folded(text, shutil.get_terminal_size().columns - 1)

    async def lines(self) -> AsyncIterator[str]:
        """Yield the typed lines until the end of the input.

        A thread reads them, which works for terminals, pipes and files, and on Windows, where no event loop can wait
        for a console. It reads unbuffered, so that it can be abandoned in a pending read at exit.
        """
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def post(line: str | None) -> None:
            with contextlib.suppress(RuntimeError):  # the loop may be closed already
                loop.call_soon_threadsafe(queue.put_nowait, line)

        threading.Thread(target=_pump, args=(self._fd, post), daemon=True, name="typed-lines").start()
        while (line := await queue.get()) is not None:
            self._prompted = False  # the typed newline has ended the line of the prompt
            yield line


def _pump(fd: int, post: Callable[[str | None], None]) -> None:
    """Read lines from ``fd`` and post each; post None at the end."""
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
    """Return the output that removes an open prompt: an erase sequence, or a newline on terminals without one."""
    plain = sys.platform == "win32" or os.environ.get("TERM", "dumb") in ("", "dumb")
    return "\n" if plain else "\r\x1b[K"
