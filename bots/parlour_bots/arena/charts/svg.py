"""Build SVG documents. They have no background, and a text colour that follows the reader's light or dark scheme."""

from collections.abc import Iterable
from html import escape

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
