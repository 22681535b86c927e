"""Screens as text, compared with golden files: the characters of each line, then a compact map of their styles.

::

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        check(app, "uno-my-turn")          # golden/uno-my-turn-80x24.txt

There is one file per screen at 80×24 in true colour. A waiting room, a turn of UNO and a race with its odds have one in
every look; UNO, Minesweeper, the lobby and the replay have one at another size, too. ``assert_plain`` checks the other
screens in the plain look.

``PARLOUR_GOLDEN=write`` rewrites the files. Read the diff before committing.
"""

import os
from difflib import unified_diff
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.style import Style
from textual.app import App

from parlour_client.tui.widgets.canvas import TARGET, Canvas

GOLDEN = Path(__file__).parent / "golden"
UNPRINTABLE = "\ufffd"
"""Replaces control characters that come from the network."""
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def check(app: App[int], name: str) -> None:
    """Assert that the screen of ``app`` is that of the golden file NAME-WIDTHxHEIGHT.txt."""
    path = GOLDEN / f"{name}-{app.size.width}x{app.size.height}.txt"
    shown = picture(app)
    if os.environ.get("PARLOUR_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    golden = path.read_text(encoding="utf-8") if path.exists() else ""
    difference = unified_diff(golden.splitlines(), shown.splitlines(), path.name, "now", lineterm="")
    assert shown == golden, "\n".join(difference)


def assert_plain(app: App[int]) -> None:
    """Assert that a screen in the plain look has only ASCII characters and no colour besides the terminal's own."""
    shown = [line for line in lines(app) if not line.replace(UNPRINTABLE, "").isascii()]
    assert shown == [], "characters that are not ASCII"
    assert [style for row in _rows(app) for _, style in row if "#" in style] == []


def lines(app: App[int]) -> list[str]:
    """Return the characters of each line of the screen."""
    return ["".join(char for char, _ in row) for row in _rows(app)]


def shows(app: App[int], text: str) -> bool:
    """Return whether ``text`` stands in one line of the screen."""
    return any(text in line for line in lines(app))


def missing(app: App[int], *texts: str) -> list[str]:
    """Return those of ``texts`` that the screen does not show."""
    return [text for text in texts if not shows(app, text)]


def underlined(app: App[int]) -> str:
    """Return the underlined characters of the screen."""
    return "".join(char for row in _rows(app) for char, style in row if "underline" in style.split())


def targets(canvas: Canvas) -> dict[Any, tuple[int, int]]:
    """Return what can be clicked, each with the column and row where it begins."""
    found: dict[Any, tuple[int, int]] = {}
    for y, line in enumerate(canvas._lines):
        x = 0
        for segment in line:
            found.setdefault(segment.style.meta.get(TARGET) if segment.style else None, (x, y))
            x += segment.cell_length
    return {target: place for target, place in found.items() if target is not None}


def picture(app: App[int]) -> str:
    """Return the screen as text: lines, a row of style letters for each (``a3b`` is ``aaab``), and the styles."""
    rows = _rows(app)
    known: dict[str, str] = {}
    for row in rows:
        for _, style in row:
            known.setdefault(style, _letter(len(known)))
    characters = [f"|{''.join(char for char, _ in row)}|" for row in rows]
    styles = [_runs([known[style] for _, style in row]) for row in rows]
    legend = [f"{letter} {style}" for style, letter in known.items()]
    return "\n".join([*characters, "", *styles, "", *legend, ""])


def _rows(app: App[int]) -> list[list[tuple[str, str]]]:
    """Return each line's characters with their styles."""
    strips = app.screen._compositor.render_strips()
    return [
        [(char, _words(segment.style)) for segment in strip if not segment.control for char in segment.text]
        for strip in strips
    ]


def _words(style: Style | None) -> str:
    said = str(style) if style else "none"
    return " ".join(word for word in said.split() if word != "none") or "none"


def _letter(index: int) -> str:
    return _LETTERS[index] if index < len(_LETTERS) else f"<{index}>"


def _runs(letters: list[str]) -> str:
    return "".join(f"{letter}{n if n > 1 else ''}" for letter, run in groupby(letters) if (n := len(list(run))))
