"""The keys of a Minesweeper board, with ids for remapping and descriptions for the help."""

from textual.binding import Binding, BindingType


def _step(key: str, x: int, y: int, word: str) -> Binding:
    return Binding(key, f"step({x},{y})", word.capitalize(), id=f"mines.{word}", show=False)


BINDINGS: list[BindingType] = [
    _step("up,k", 0, -1, "up"),
    _step("down,j", 0, 1, "down"),
    _step("left,h", -1, 0, "left"),
    _step("right,l", 1, 0, "right"),
    Binding("space,enter", "move('open')", "Open", id="mines.open"),
    Binding("f", "move('flag')", "Flag", id="mines.flag"),
    Binding("c", "move('chord')", "Chord", id="mines.chord"),
    Binding("b", "bomb", "Bomb", id="mines.bomb"),
    Binding("escape", "keep_bomb", "Keep the bomb", id="mines.keep", show=False),
    Binding("n", "next", "Next", id="mines.next"),
    Binding("H", "odds", "Odds", id="mines.odds"),
    Binding("z", "zoom", "Zoom", id="mines.zoom"),
    Binding("g,ctrl+home", "corner(0,0)", "First cell", id="mines.first", show=False),
    Binding("G,ctrl+end", "corner(1,1)", "Last cell", id="mines.last", show=False),
    Binding("home", "edge(0)", "Row's first cell", id="mines.row_first", show=False),
    Binding("end", "edge(1)", "Row's last cell", id="mines.row_last", show=False),
    Binding("pageup", "page(-1)", "Page up", id="mines.page_up", show=False),
    Binding("pagedown", "page(1)", "Page down", id="mines.page_down", show=False),
]
"""Actions of the widget."""
KEYS: list[tuple[str, str]] = [
    ("arrows, h j k l", "move the cursor"),
    ("home end", "the first and last cell of the row; page up, page down: far up and down"),
    ("g G", "the first and last cell of all; ctrl+home, ctrl+end, too"),
    ("space, enter, click", "open the cell; on a number: open all around it if its flags are in place"),
    ("f, right click", "flag the cell, or take the flag away"),
    ("c, middle click", "open all around a number"),
    ("n", "next closed cell beside a number"),
    ("H", "odds of a mine in per cent: ok is safe, !! is a mine"),
    ("b, esc", "throw your bomb, in a duel; keep it after all"),
    ("z, wheel", "larger cells, then the smallest; scroll"),
]
"""(key, description)."""
