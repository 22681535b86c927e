"""Shots as a recording of a terminal: asciicast v2, which asciinema and its players read."""

import json
from collections.abc import Iterator, Sequence

from rich.color import ColorSystem
from rich.style import Style
from textual.strip import Strip

from parlour_client.tui.pictures.svg import Shot

_PLAIN = Style()


def cast(shots: Sequence[tuple[Shot, int]], title: str, colours: ColorSystem = ColorSystem.TRUECOLOR) -> str:
    """Return a recording of shots, each with its duration in milliseconds. Each writes the lines that it changes."""
    first, at = shots[0][0], 0
    size = {"width": first.columns, "height": len(first.lines)}
    written = [
        json.dumps({"version": 2, **size, "title": title, "env": {"TERM": "xterm-256color"}}, ensure_ascii=False)
    ]
    before: tuple[Strip, ...] = ()
    for one, ms in shots:
        start = "" if before else "\x1b[?25l\x1b[2J"
        written.append(_event(at, start + "".join(_changes(one.lines, before, colours))))
        before, at = one.lines, at + ms
    return "\n".join([*written, _event(at, "\x1b[?25h"), ""])


def _event(ms: int, text: str) -> str:
    return json.dumps([ms / 1_000, "o", text], ensure_ascii=False)


def _changes(lines: Sequence[Strip], before: Sequence[Strip], colours: ColorSystem) -> Iterator[str]:
    for row, line in enumerate(lines):
        if not before or line != before[row]:
            text = "".join((style or _PLAIN).render(part, color_system=colours) for part, style, _ in line.simplify())
            yield f"\x1b[{row + 1};1H{text}"
