"""Progress of a match, of its review and of a contest: a bar on a terminal, else a line now and then."""

from collections.abc import Callable, Iterable
from time import monotonic
from types import TracebackType
from typing import Self, TextIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar

from parlour_bots.errors import MISTAKES_SHOWN
from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom


class ProgressBar:
    """A context manager that shows a bar with these ``columns`` if ``out`` is a terminal."""

    def __init__(self, out: TextIO, doing: str, total: int, *columns: ProgressColumn) -> None:
        self._out = out
        console = Console(file=out)
        every = (TextColumn("{task.description}"), BarColumn(), *columns)
        self._bar = Bar(*every, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task(doing, total=total)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()


class MatchProgress(ProgressBar):
    """A context manager that shows how close the match in a room is to ``target`` points."""

    def __init__(self, target: int, out: TextIO) -> None:
        super().__init__(out, "starting the server", target, TaskProgressColumn(), TimeElapsedColumn())
        self._target = target
        self._round = 0

    def show(self, room: JoinedRoom) -> None:
        """Show the progress of ``room``."""
        view = room.view or {}
        if "round" not in view:
            return
        leader = min(self._target, max(view["scores"]))
        self._bar.update(self._task, description=f"round {view['round']}", completed=leader)
        if self._bar.disable and view["round"] != self._round:
            self._round = view["round"]
            scores = ", ".join(f"{room.name(seat)} {points}" for seat, points in enumerate(view["scores"]))
            self._out.write(f"round {self._round}: {scores}\n")


class ReviewProgress(ProgressBar):
    """A context manager that counts the decisions of a review with ``step``. Quiet elsewhere than on a terminal."""

    def __init__(self, decisions: int, out: TextIO) -> None:
        super().__init__(out, say("line.review.doing"), decisions, MofNCompleteColumn(), TimeRemainingColumn())

    def step(self) -> None:
        """Count a decision."""
        self._bar.advance(self._task)


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
