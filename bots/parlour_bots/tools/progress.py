"""How far a match has come: a bar on a terminal, a line a round anywhere else."""

from types import TracebackType
from typing import Self, TextIO

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from parlour_client.core.room import Room


class Shown:
    """A context in which there is a bar, where ``out`` is a terminal: what is done, the bar, and these ``columns``."""

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


class Progress(Shown):
    """A context in which ``show`` tells how far the match in a room has come on its way to ``target`` points."""

    def __init__(self, target: int, out: TextIO) -> None:
        super().__init__(out, "the server is starting", target, TaskProgressColumn(), TimeElapsedColumn())
        self._target = target
        self._round = 0

    def show(self, room: Room) -> None:
        """Show how far ``room`` has come."""
        view = room.view or {}
        if "round" not in view:
            return
        leader = min(self._target, max(view["scores"]))
        self._bar.update(self._task, description=f"round {view['round']}", completed=leader)
        if self._bar.disable and view["round"] != self._round:
            self._round = view["round"]
            scores = ", ".join(f"{room.name(seat)} {points}" for seat, points in enumerate(view["scores"]))
            self._out.write(f"round {self._round}: {scores}\n")
