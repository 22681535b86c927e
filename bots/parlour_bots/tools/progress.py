"""Progress of a match and of its review: a bar on a terminal, a line per round elsewhere."""

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
