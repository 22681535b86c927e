"""How far a match has come: a bar on a terminal, a line a round anywhere else."""

from types import TracebackType
from typing import Self, TextIO

from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from parlour_client.table import Room


class Progress:
    """A context in which ``show`` tells how far the match in a room has come on its way to ``target`` points."""

    def __init__(self, target: int, out: TextIO) -> None:
        self._out = out
        self._target = target
        self._round = 0
        console = Console(file=out)
        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
        self._bar = Bar(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task("the server is starting", total=target)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

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
