"""Limit the output that bots print while they play."""

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

LIMIT = 10_000
"""Characters of output per process."""


class LimitedOutput:
    """A text stream that forwards only ``limit`` characters to ``out``."""

    def __init__(self, out: TextIO, limit: int = LIMIT) -> None:
        self._out, self._left = out, limit

    def write(self, text: str) -> int:
        """Forward ``text`` up to the limit."""
        if self._left > 0:
            self._out.write(text[: self._left])
            self._left -= len(text)
            if self._left <= 0:
                self._out.write("\nFurther output of the bots is not shown.\n")
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)


@contextmanager
def limit_output(out: TextIO) -> Iterator[None]:
    """Redirect stdout and stderr to ``out``, with a limit."""
    noise = cast(TextIO, LimitedOutput(out))
    with redirect_stdout(noise), redirect_stderr(noise):
        yield
