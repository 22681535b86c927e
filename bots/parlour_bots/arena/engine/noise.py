"""What bots print while they play: shown, for their authors to see, until it is too much."""

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

LIMIT = 10_000
"""Characters that one process of the arena shows."""


class LimitedOutput:
    """A text stream that passes on the first ``limit`` characters to ``out``, and is ``out`` in all else."""

    def __init__(self, out: TextIO, limit: int = LIMIT) -> None:
        self._out, self._left = out, limit

    def write(self, text: str) -> int:
        """Pass ``text`` on, or what is left of the limit."""
        if self._left > 0:
            self._out.write(text[: self._left])
            self._left -= len(text)
            if self._left <= 0:
                self._out.write("\nWhat else the bots print is not shown.\n")
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)


@contextmanager
def limit_output(out: TextIO) -> Iterator[None]:
    """While it lasts, what is printed goes to ``out`` and has a limit."""
    noise = cast(TextIO, LimitedOutput(out))
    with redirect_stdout(noise), redirect_stderr(noise):
        yield
