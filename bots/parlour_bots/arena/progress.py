"""How far a contest has come: a bar on a terminal, a line every few seconds anywhere else."""

from collections.abc import Callable, Iterable
from time import monotonic
from types import TracebackType
from typing import Self, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from parlour_bots.mistakes import MISTAKES_TOLD

EVERY = 5.0
"""Seconds between two lines."""


class Progress:
    """A context in which ``step`` tells of one more game, and ``tell`` of anything else, without harm to the bar."""

    def __init__(self, games: int, out: TextIO, clock: Callable[[], float] = monotonic) -> None:
        self._out, self._clock = out, clock
        self._games, self._done, self._told = games, 0, clock()
        self._wins: dict[str, float] = {}
        self._played: dict[str, int] = {}
        self._mistakes = 0
        console = Console(file=out)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Bar(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task("playing", total=games)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def step(self, shares: Iterable[tuple[str, float]]) -> None:
        """Count a game, of which each of these bots won so much."""
        self._done += 1
        for bot, share in shares:
            self._played[bot] = self._played.get(bot, 0) + 1
            self._wins[bot] = self._wins.get(bot, 0) + share
        if not self._bar.disable:
            self._bar.update(self._task, description=self._standing(), completed=self._done)
        elif (now := self._clock()) - self._told >= EVERY:
            self._told = now
            self._out.write(f"{self._done} of {self._games} games: {self._standing()}\n")
            self._out.flush()

    def complain(self, mistakes: Iterable[str]) -> None:
        """Tell the mistakes of bots, the first few of all in full."""
        for text in mistakes:
            self._mistakes += 1
            if self._mistakes <= MISTAKES_TOLD:
                self.tell(text)
            elif self._mistakes == MISTAKES_TOLD + 1:
                self.tell("Further mistakes are only counted.")

    def tell(self, text: str) -> None:
        """Tell something above the bar."""
        if self._bar.disable:
            self._out.write(f"{text}\n")
        else:
            self._bar.console.print(text, markup=False, highlight=False)

    def _standing(self) -> str:
        return ", ".join(f"{bot} {self._wins[bot] / games:.1%}" for bot, games in self._played.items())
