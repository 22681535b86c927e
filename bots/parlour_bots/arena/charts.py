"""Charts as SVG documents, written as SVG, or as PNG with the library of the extra ``png``."""

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from parlour_client.core.errors import Usage, writing
from parlour_protocol.installation import extra_hint

COLOURS = ("#8b949e", "#d97706", "#2563eb", "#16a34a", "#c026d3", "#0891b2")
"""One per bot, repeated if there are more bots."""

_STYLE = (
    "text{font:13px system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif;fill:#1f2328}"
    ".t{font-size:15px;font-weight:600}.q{fill:#59636e}.g{stroke:#59636e;stroke-opacity:.25}"
    ".d{fill:#fff;stroke:#1f2328;stroke-width:1}.w{stroke-width:2;fill:none}"
    "@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.q{fill:#9198a1}.g{stroke:#9198a1}"
    ".d{fill:#0d1117;stroke:#f0f6fc}}"
)


def document(width: float, height: float, title: str, drawn: Iterable[str]) -> str:
    """Return the SVG document of these elements, with its size in pixels."""
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    named = f"<title>{escape(title)}</title>"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">{named}<style>{_STYLE}</style>'
    return "\n".join([head, *drawn, "</svg>"]) + "\n"


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    """Return a text element; ``kind`` is ``t`` for a title or ``q`` for quiet text."""
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:g}"{named} text-anchor="{anchor}">{escape(words)}</text>'


_FONT = "DejaVu Sans"
"""The fallback for sans-serif."""
_DARK = re.compile(r"@media.*?\}\}")
_WORD = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><text y="15"{}>word</text></svg>'
_STYLED = ' style="font:13px Helvetica,Arial,sans-serif"'


def check(path: Path | None) -> None:
    """Check, before a long contest, that a chart can be written to ``path``. Raises Usage."""
    if path is None:
        return
    with writing(path):
        known = path.exists()
        path.open("ab").close()
        if not known:
            path.unlink()
    if path.suffix.lower() == ".svg":
        return
    if path.suffix.lower() != ".png":
        raise Usage(f"--plot writes SVG or PNG: name the file .svg or .png, not {path.name!a}")
    if _png(_WORD.format(_STYLED)) == _png(_WORD.format(' visibility="hidden"')):
        raise Usage(f"PNG needs a font, such as {_FONT}: install one, or name the file .svg")


def write(path: Path, picture: str) -> None:
    """Write an SVG ``picture`` to ``path``; convert it to PNG, on white, for a .png file. Raises Usage."""
    png = path.suffix.lower() == ".png"
    with writing(path):
        path.write_bytes(_png(_DARK.sub("", picture)) if png else picture.encode())


def _png(picture: str) -> bytes:
    try:
        import resvg_py  # of the extra png
    except ImportError:
        raise Usage(f"PNG needs resvg-py; SVG needs nothing: name a file .svg. {extra_hint('png')}") from None
    drawn: Any = resvg_py.svg_to_bytes(svg_string=picture, background="white", zoom=2, sans_serif_family=_FONT)
    return bytes(drawn)
