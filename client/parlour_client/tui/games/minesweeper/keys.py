"""The keys of a Minesweeper board, with ids for remapping and phrases for the help."""

from textual.binding import Binding, BindingType


def _step(key: str, x: int, y: int, word: str) -> Binding:
    return Binding(key, f"step({x},{y})", id=f"mines.{word}", show=False)


BINDINGS: list[BindingType] = [
    _step("up,k", 0, -1, "up"),
    _step("down,j", 0, 1, "down"),
    _step("left,h", -1, 0, "left"),
    _step("right,l", 1, 0, "right"),
    Binding("space,enter", "move('open')", id="mines.open"),
    Binding("f", "move('flag')", id="mines.flag"),
    Binding("c", "move('chord')", id="mines.chord"),
    Binding("b", "bomb", id="mines.bomb"),
    Binding("escape", "keep_bomb", id="mines.keep", show=False),
    Binding("n", "next", id="mines.next"),
    Binding("H", "odds", id="mines.odds"),
    Binding("z", "zoom", id="mines.zoom"),
    Binding("g,ctrl+home", "corner(0,0)", id="mines.first", show=False),
    Binding("G,ctrl+end", "corner(1,1)", id="mines.last", show=False),
    Binding("home", "edge(0)", id="mines.row_first", show=False),
    Binding("end", "edge(1)", id="mines.row_last", show=False),
    Binding("pageup", "page(-1)", id="mines.page_up", show=False),
    Binding("pagedown", "page(1)", id="mines.page_down", show=False),
]
"""Actions of the widget."""
KEYS: list[tuple[str, str]] = [
    ("arrows, h j k l", "tui.help.mines.move"),
    ("home end", "tui.help.mines.row"),
    ("g G", "tui.help.mines.ends"),
    ("space, enter, click", "tui.help.mines.open"),
    ("f, right_click", "tui.help.mines.flag"),
    ("c, middle_click", "tui.help.mines.chord"),
    ("n", "tui.help.mines.next"),
    ("H", "tui.help.mines.odds"),
    ("b, esc", "tui.help.mines.bomb"),
    ("z, wheel", "tui.help.mines.zoom"),
]
"""(keys, phrase)."""
