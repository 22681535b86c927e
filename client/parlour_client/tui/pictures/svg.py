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

_LIGHT = {
    "─": "M0 9H9", "│": "M4.5 0V18", "╭": "M4.5 18V13Q4.5 9 9 9", "╮": "M4.5 18V13Q4.5 9 0 9",
    "╰": "M4.5 0V5Q4.5 9 9 9", "╯": "M4.5 0V5Q4.5 9 0 9",
}  # fmt: skip
_HEAVY = {
    "━": "M0 9H9", "┃": "M4.5 0V18", "┏": "M4.5 18V9H9", "┓": "M4.5 18V9H0", "┗": "M4.5 0V9H9", "┛": "M4.5 0V9H0",
}  # fmt: skip
_BLOCKS = {"█": (0, 0, 9, 18), "▀": (0, 0, 9, 9), "▄": (0, 9, 9, 9), "▌": (0, 0, 4.5, 18), "▐": (4.5, 0, 4.5, 18)}
"""x, y, width, height within the cell."""


@attrs.frozen
class Shot:
    """A captured screen: its lines, each as SVG from y = 0, and the background colour."""

    columns: int
    lines: tuple[str, ...]
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


def shot(app: App[int], ground: str) -> Shot:
    """Capture the screen of ``app``; ``ground`` is the background colour."""
    strips = app.screen._compositor.render_strips()
    return Shot(app.size.width, tuple(_line(list(_runs(strip, ground)), ground) for strip in strips), ground)


def still(one: Shot) -> str:
    """Return a picture of a shot."""
    lines = (f'<g transform="translate(0 {y * CELL[1]})">{line}</g>' for y, line in enumerate(one.lines))
    return _picture(one, "", f'<g transform="translate({_PAD} {_PAD})">{"".join(lines)}</g>')


def film(shots: Sequence[tuple[Shot, int]]) -> str:
    """Return a looping animation of shots, each with its duration in milliseconds.

    With reduced motion it shows only the last shot. The shots are placed side by side in a row, which moves; a
    line that several shots share is drawn once.
    """
    first, width = shots[0][0], shots[0][0].size[0]
    known: dict[str, str] = {}
    frames = []
    for at, (one, _) in enumerate(shots):
        uses = []
        for y, line in enumerate(one.lines):
            name = known.setdefault(line, f"l{len(known)}")
            uses.append(f'<use href="#{name}" x="{at * width}" y="{y * CELL[1]}"/>')
        frames.append("".join(uses))
    drawn = "".join(f'<g id="{name}">{line}</g>' for line, name in known.items())
    style = _moving([ms for _, ms in shots], width)
    row = f'<g transform="translate({_PAD} {_PAD})"><g id="film">{"".join(frames)}</g></g>'
    return _picture(first, f"<defs>{drawn}</defs><style>{style}</style>", row)


def _moving(times: Sequence[int], width: int) -> str:
    """Return the CSS that moves the row of frames."""
    total, passed, steps = sum(times), 0, []
    for at, ms in enumerate(times):
        steps.append(f"{passed / total:.3%}{{transform:translateX({-at * width}px)}}")
        passed += ms
    last = f"translateX({-(len(times) - 1) * width}px)"
    still = f"@media(prefers-reduced-motion){{#film{{animation:none;transform:{last}}}}}"
    return f"@keyframes on{{{''.join(steps)}}}#film{{animation:on {total}ms step-end infinite}}{still}"


def _picture(one: Shot, head: str, body: str) -> str:
    width, height = one.size
    ground = f'<rect width="{width}" height="{height}" rx="10" fill="{one.ground}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="{_FONTS}" font-size="{_SIZE}">{head}{ground}{body}</svg>\n'
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


def _line(runs: list[_Run], ground: str) -> str:
    return "".join(_back(run, ground) for run in runs) + "".join(_front(run) for run in runs)


def _back(run: _Run, ground: str) -> str:
    if run.ground == ground:
        return ""
    return _box(run.at * CELL[0], 0, len(run.text) * CELL[0], CELL[1], run.ground)


def _front(run: _Run) -> str:
    """Return the characters of a run: words as text, any other character separately in its cell."""
    drawn, at = [], run.at
    for word, group in groupby(run.text, key=lambda char: char.isascii() and char != " "):
        text = "".join(group)
        drawn += [_word(run, at, text)] if word else [_sign(run, at + n, sign) for n, sign in enumerate(text)]
        at += len(text)
    if run.underline:
        drawn.append(_box(run.at * CELL[0], 16, len(run.text) * CELL[0], 1, run.ink))
    return "".join(drawn)


def _word(run: _Run, at: int, word: str) -> str:
    weight = ' font-weight="bold"' if run.bold else ""
    where = f'x="{at * CELL[0]}" y="{_BASELINE}" textLength="{len(word) * CELL[0]}"'
    return f'<text {where} fill="{run.ink}"{weight}>{escape(word)}</text>'


def _sign(run: _Run, at: int, sign: str) -> str:
    x = at * CELL[0]
    if sign == " ":
        return ""
    if sign in _BLOCKS:
        left, top, width, height = _BLOCKS[sign]
        return _box(x + left, top, width, height, run.ink)
    if path := _LIGHT.get(sign) or _HEAVY.get(sign):
        thick = 2.5 if sign in _HEAVY else 1.2
        return f'<path transform="translate({x})" d="{path}" fill="none" stroke="{run.ink}" stroke-width="{thick}"/>'
    weight = ' font-weight="bold"' if run.bold else ""
    where = f'x="{x + CELL[0] / 2:g}" y="{_BASELINE}" text-anchor="middle"'
    return f'<text {where} fill="{run.ink}"{weight}>{escape(sign)}</text>'


def _box(x: float, y: float, width: float, height: float, colour: str) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{colour}" '
        'shape-rendering="crispEdges"/>'
    )
