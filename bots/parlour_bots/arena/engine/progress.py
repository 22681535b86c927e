"""Progress of a contest: a bar on a terminal, a line every few seconds elsewhere."""

from collections.abc import Callable, Iterable
from time import monotonic
from typing import TextIO

from rich.progress import MofNCompleteColumn, TimeRemainingColumn

from parlour_bots.errors import MISTAKES_SHOWN
from parlour_bots.tools.progress import ProgressBar

EVERY = 5.0
"""Seconds between two lines."""


class ContestProgress(ProgressBar):
    """A context manager that counts games with ``step`` and prints above the bar with ``write``."""

    def __init__(
        self, games: int, out: TextIO, clock: Callable[[], float] = monotonic, *, named: int | None = None
    ) -> None:
        """``named`` is how many bots are shown: the last ones that began. None shows all."""
        super().__init__(out, "playing", games, MofNCompleteColumn(), TimeRemainingColumn())
        self._clock = clock
        self._games, self._done, self._written = games, 0, clock()
        self._wins: dict[str, float] = {}
        self._played: dict[str, int] = {}
        self._mistakes = 0
        self._named = named or 0

    def step(self, shares: Iterable[tuple[str, float]]) -> None:
        """Count a game, with the share of the win of each bot."""
        self._done += 1
        for bot, share in shares:
            self._played[bot] = self._played.get(bot, 0) + 1
            self._wins[bot] = self._wins.get(bot, 0) + share
        if not self._bar.disable:
            self._bar.update(self._task, description=self._standing(), completed=self._done)
        elif (now := self._clock()) - self._written >= EVERY:
            self._written = now
            self._out.write(f"{self._done} of {self._games} games: {self._standing()}\n")
            self._out.flush()

    def write_mistakes(self, mistakes: Iterable[str]) -> None:
        """Write the first few mistakes of all games."""
        for text in mistakes:
            self._mistakes += 1
            if self._mistakes <= MISTAKES_SHOWN:
                self.write(text)
            elif self._mistakes == MISTAKES_SHOWN + 1:
                self.write("Further mistakes are only counted.")

    def write(self, text: str) -> None:
        """Write a line above the bar."""
        if self._bar.disable:
            self._out.write(f"{text}\n")
        else:
            self._bar.console.print(text, markup=False, highlight=False)

    def _standing(self) -> str:
        return ", ".join(
            f"{bot} {self._wins[bot] / games:.1%}" for bot, games in [*self._played.items()][-self._named :]
        )
