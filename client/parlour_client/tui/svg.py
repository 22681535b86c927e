"""Screens as SVG. Each character is placed in its cell; lines and blocks are drawn as shapes, without gaps.

A ``Shot`` captures the screen; ``still`` draws one, ``film`` animates several.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from xml.sax.saxutils import escape

import attrs
from rich.color import Color
from rich.style import Style
from textual.app import App
from textual.strip import Strip

CELL = 9, 18
"""Width and height of a cell, in pixels."""
FONT = "DejaVu Sans Mono"
_FONTS = f"{FONT}, Menlo, Consolas, monospace"
_SIZE = 15
"""The font size at which its characters are as wide as a cell."""
_BASELINE = 13.5
_PAD = 12
_WHITE, _BLACK = "#ffffff", "#000000"

_FLAT = "M0 9H9"
_STYLE = "rect{shape-rendering:crispEdges}path{fill:none;stroke-width:1.2}.h{stroke-width:2.5}"
_LIGHT = {
    "─": _FLAT, "│": "M4.5 0V18", "╭": "M4.5 18V13Q4.5 9 9 9", "╮": "M4.5 18V13Q4.5 9 0 9",
    "╰": "M4.5 0V5Q4.5 9 9 9", "╯": "M4.5 0V5Q4.5 9 0 9",
}  # fmt: skip
_HEAVY = {
    "━": _FLAT, "┃": "M4.5 0V18", "┏": "M4.5 18V9H9", "┓": "M4.5 18V9H0", "┗": "M4.5 0V9H9", "┛": "M4.5 0V9H0",
}  # fmt: skip
_BLOCKS = {"█": (0, 0, 9, 18), "▀": (0, 0, 9, 9), "▄": (0, 9, 9, 9), "▌": (0, 0, 4.5, 18), "▐": (4.5, 0, 4.5, 18)}
"""x, y, width, height within the cell."""


@attrs.frozen
class Shot:
    """A captured screen: its lines, and the background colour."""

    columns: int
    lines: tuple[Strip, ...]
    ground: str

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture, in pixels."""
        return self.columns * CELL[0] + 2 * _PAD, len(self.lines) * CELL[1] + 2 * _PAD


@attrs.frozen
class _Run:
    """Neighbouring cells of one style. ``at`` is the first column."""

    at: int
    text: str
    ink: str
    ground: str
    bold: bool
    underline: bool


def shot(app: App[int]) -> Shot:
    """Capture the screen of ``app``."""
    ground = app.current_theme.background or ""
    strips = app.screen._compositor.render_strips()
    return Shot(app.size.width, tuple(strips), ground if ground.startswith("#") else _BLACK)


def still(one: Shot) -> str:
    """Return a picture of a shot."""
    drawn = (_line(line, one.ground) for line in one.lines)
    lines = "".join(f'<g transform="translate(0 {y * CELL[1]})">{line}</g>' for y, line in enumerate(drawn))
    return _picture(one, "", f'<g transform="translate({_PAD} {_PAD})">{lines}</g>')


def film(shots: Sequence[tuple[Shot, int]]) -> str:
    """Return a looping animation of shots, each with its duration in milliseconds.

    With reduced motion it shows only the last shot. The shots are placed side by side in a row, which moves; a
    line that several shots share is drawn once.
    """
    first, width = shots[0][0], shots[0][0].size[0]
    known: dict[str, str] = {}
    names: dict[int, str] = {}
    before: Sequence[Strip] = ()
    frames = []
    for at, (one, _) in enumerate(shots):
        for y, line in enumerate(one.lines):
            if not before or line != before[y]:
                names[y] = known.setdefault(_line(line, one.ground), f"l{len(known)}")
            frames.append(f'<use href="#{names[y]}" x="{at * width}" y="{y * CELL[1]}"/>')
        before = one.lines
    lines = "".join(f'<g id="{name}">{line}</g>' for line, name in known.items())
    style = _moving([ms for _, ms in shots], width)
    row = f'<g transform="translate({_PAD} {_PAD})"><g id="film">{"".join(frames)}</g></g>'
    return _picture(first, f"<defs>{lines}</defs>", row, style)


def _moving(times: Sequence[int], width: int) -> str:
    """Return the CSS that moves the row of frames."""
    total, passed, steps = sum(times), 0, []
    for at, ms in enumerate(times):
        steps.append(f"{passed / total:.3%}{{transform:translateX({-at * width}px)}}")
        passed += ms
    last = f"translateX({-(len(times) - 1) * width}px)"
    still = f"@media(prefers-reduced-motion){{#film{{animation:none;transform:{last}}}}}"
    return f"@keyframes on{{{''.join(steps)}}}#film{{animation:on {total}ms step-end infinite}}{still}"


def _picture(one: Shot, head: str, body: str, style: str = "") -> str:
    width, height = one.size
    ground = f'<rect width="{width}" height="{height}" rx="10" fill="{one.ground}" style="shape-rendering:auto"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="{_FONTS}" font-size="{_SIZE}"><style>{_STYLE}{style}</style>'
        f"{head}{ground}{body}</svg>\n"
    )


def _runs(strip: Strip, ground: str) -> Iterable[_Run]:
    cells = [(char, _dressed(segment.style, ground)) for segment in strip for char in segment.text]
    at = 0
    for (ink, back, bold, underline), group in groupby(cells, key=lambda cell: cell[1]):
        text = "".join(char for char, _ in group)
        yield _Run(at, text, ink, back, bold, underline)
        at += len(text)


def _dressed(style: Style | None, ground: str) -> tuple[str, str, bool, bool]:
    """Return ink, ground, bold, underline."""
    style = style or Style()
    ink, back = _hex(style.color, _WHITE), _hex(style.bgcolor, ground)
    if style.reverse:
        ink, back = back, ink
    return ink, back, bool(style.bold), bool(style.underline)


def _hex(colour: Color | None, default: str) -> str:
    return default if colour is None or colour.is_default else colour.get_truecolor().hex


def _line(strip: Strip, ground: str) -> str:
    """Return a line as SVG, from y = 0."""
    runs = list(_runs(strip, ground))
    return "".join(_back(run, ground) for run in runs) + "".join(_front(run) for run in runs)


def _back(run: _Run, ground: str) -> str:
    if run.ground == ground:
        return ""
    return _box(run.at * CELL[0], 0, len(run.text) * CELL[0], CELL[1], run.ground)


def _front(run: _Run) -> str:
    """Return the characters of a run: words as text, any other character in its cell."""
    drawn, at = [], run.at
    for word, group in groupby(run.text, key=lambda char: (char.isascii() and char != " ") or char):
        text = "".join(group)
        drawn.append(_word(run, at, text) if word is True else _signs(run, at, text[0], len(text)))
        at += len(text)
    if run.underline:
        drawn.append(_box(run.at * CELL[0], 16, len(run.text) * CELL[0], 1, run.ink))
    return "".join(drawn)


def _word(run: _Run, at: int, word: str) -> str:
    where = f'x="{at * CELL[0]}" y="{_BASELINE}" textLength="{len(word) * CELL[0]}"'
    return f'<text {where} fill="{run.ink}"{_weight(run)}>{escape(word)}</text>'


def _signs(run: _Run, at: int, sign: str, n: int) -> str:
    """Return a character that is repeated ``n`` times."""
    x = at * CELL[0]
    if sign == " ":
        return ""
    if sign in _BLOCKS:
        left, top, width, height = _BLOCKS[sign]
        if width == CELL[0]:
            return _box(x, top, width * n, height, run.ink)
        return "".join(_box(x + left + each * CELL[0], top, width, height, run.ink) for each in range(n))
    if path := _LIGHT.get(sign) or _HEAVY.get(sign):
        path, times = (f"M0 9H{n * CELL[0]}", 1) if path == _FLAT else (path, n)
        pen = f'd="{path}" stroke="{run.ink}"' + (' class="h"' if sign in _HEAVY else "")
        return "".join(f'<path transform="translate({x + each * CELL[0]})" {pen}/>' for each in range(times))
    places = " ".join(f"{x + (each + 0.5) * CELL[0]:g}" for each in range(n))
    where = f'x="{places}" y="{_BASELINE}" text-anchor="middle"'
    return f'<text {where} fill="{run.ink}"{_weight(run)}>{escape(sign * n)}</text>'


def _weight(run: _Run) -> str:
    return ' font-weight="bold"' if run.bold else ""


def _box(x: float, y: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{colour}"/>'
