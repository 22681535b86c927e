"""The list of saved match files, newest first."""

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import ClassVar, TypeAlias

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from parlour_client.core.errors import Fault
from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.play.download import folder
from parlour_client.tui.screens.base import Back, ParlourScreen
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.common import Line
from parlour_client.tui.widgets.header import title_of
from parlour_client.tui.widgets.keys import labelled
from parlour_client.tui.widgets.list_view import LIST_KEYS, Listing, columns
from parlour_protocol.messages import Plain

_LINE = 65_536
"""The longest line of a file that is read."""


OpenReplay: TypeAlias = Callable[[Path, int | None, Back], None]
"""Opens the replay of a file as seen by a seat, or (None) by a spectator."""


class SavedMatchesScreen(ParlourScreen[None]):
    """A list of match files."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", id="saved.help"),
        Binding("q,ctrl+c,escape", "back", id="saved.back"),
    ]
    ABOUT = "tui.title.replays"
    KEYS: ClassVar[list[tuple[str, str]]] = [
        *LIST_KEYS,
        ("enter, double_click", "tui.help.saved.open"),
        ("?", "tui.help.keys"),
        ("q, esc, ctrl+c", "tui.help.back"),
        ("", "tui.help.saved.how"),
    ]

    def __init__(self, look: Appearance, show: OpenReplay, me: str = "") -> None:
        """``me``: the player whose view is shown, if they took part."""
        super().__init__(look)
        self._show = show
        self._me = me
        self._files = saved()
        self._said = ""
        self._told_of = {path: summary(path) for path in self._files}
        empty = say("tui.saved.none", folder=folder())
        self._list = Listing(look, self._row, empty=empty)
        self._told = Line(look, lambda _: look.text((self._said, "coral")), "table")

    def compose(self) -> ComposeResult:
        """Yield the list."""
        yield Line(self.look, self._head, "panel")
        yield Vertical(self._list, self._told, id="page")
        yield self._hints

    def on_mount(self) -> None:
        """Show the files."""
        self._list.show(len(self._files))
        self._list.focus()

    def _show_hints(self) -> None:
        wanted = [("list.choose", say("tui.saved.open"))] if self._files else []
        self._hints.show(wanted, labelled("saved.help", "saved.back"))

    def on_listing_chosen(self) -> None:
        """Replay the match."""
        path = self._files[self._list.pointed]
        self._show(path, eyes(path, self._me), self._back)

    def _back(self, fault: Fault | None) -> None:
        self._said = str(fault) if fault else ""
        self._told.refresh()

    def _row(self, row: int, here: bool, width: int) -> Text:
        path = self._files[row]
        pointer = self.look.glyphs.pointer if here else " "
        when = (
            datetime.fromtimestamp(path.stat().st_mtime).strftime("%Y-%m-%d %H:%M")
            if path.exists()
            else say("tui.saved.gone")
        )
        told = (f"{pointer} {self._told_of[path] or path.stem}", max(10, width - 20), "gold" if here else "ink")
        return columns(self.look, [told, (when, 16, "dim")], bold=here)


def eyes(path: Path, me: str) -> int | None:
    """Return the seat whose view is shown first: that of ``me``, else the winner's; None if unknown.

    A spectator of a race would see no board before its end.
    """
    try:
        _, _, names, order = _ends(path)
        return next((seat for seat, name in enumerate(names) if name.casefold() == me.casefold()), order[0])
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def _ends(path: Path) -> tuple[Plain, Plain, list[str], list[int]]:
    """Return the first and last line of a file, the names by seat, and the seats by rank."""
    with path.open("rb") as file:
        begun = json.loads(file.readline(_LINE))
        file.seek(max(0, path.stat().st_size - _LINE))
        over = json.loads(file.read().splitlines()[-1])
    names = [player["name"] for player in begun["players"]]
    return begun, over, names, sorted(range(len(names)), key=lambda seat: (over["ranks"][seat], seat))


def summary(path: Path) -> str:
    """Return the game and the players by rank; "" if the file is invalid."""
    try:
        begun, over, names, order = _ends(path)
        options = begun["options"]
        kind = " ".join(str(options[name]) for name in ("mode", "level") if name in options)
        title = f"{title_of(begun['game'])} {kind}".strip()
        if len(names) == 1:
            return clean(f"{title}: {names[0]}, {over['why']}")
        places = [f"{over['ranks'][seat]}. {names[seat]}" for seat in order]
        return clean(f"{title}: {', '.join(places)}")
    except (OSError, ValueError, LookupError, TypeError):
        return ""


def saved() -> list[Path]:
    """Return the saved files, newest first."""
    try:
        files = [path for path in folder().iterdir() if path.suffix == ".jsonl" and path.is_file()]
        return sorted(files, key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return []
