"""Measures of a contest besides its results: answer times, and the use of language models; charts as SVG or PNG."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from io import StringIO
from math import ceil
from pathlib import Path
from typing import Any

import attrs
from rich.console import Console
from rich.table import Table

from parlour_client.core.errors import Usage, writing
from parlour_protocol.installation import extra_hint
from parlour_protocol.messages import Plain

_STEPS = 16
"""Buckets from one power of two to the next."""
_BITS = _STEPS.bit_length()
_MS = 1_000_000
"""Nanoseconds."""


@attrs.define
class Times:
    """The times of many answers: a count per bucket, and the sum in nanoseconds."""

    total: int = 0
    buckets: Counter[int] = attrs.field(factory=Counter)

    @classmethod
    def of(cls, thinking: Iterable[int]) -> "Times":
        """Return the histogram of these times in nanoseconds."""
        times = list(thinking)
        return cls(sum(times), Counter(map(_bucket, times)))

    @classmethod
    def read(cls, numbers: Sequence[int]) -> "Times":
        """Return the histogram that ``numbers`` describe."""
        total, *pairs = numbers
        return cls(total, Counter(dict(zip(pairs[::2], pairs[1::2], strict=True))))

    def numbers(self) -> list[int]:
        """Return the sum, then each bucket and its count."""
        return [self.total, *(number for pair in sorted(self.buckets.items()) for number in pair)]

    def add(self, other: "Times") -> None:
        """Add another histogram."""
        self.total += other.total
        self.buckets.update(other.buckets)

    @property
    def mean(self) -> float | None:
        """Return the average in milliseconds, None without answers."""
        count = self.buckets.total()
        return self.total / count / _MS if count else None

    def percentile(self, share: int) -> float | None:
        """Return this percentile in milliseconds, None without answers."""
        left = max(1, ceil(self.buckets.total() * share / 100))
        for bucket, count in sorted(self.buckets.items()):
            left -= count
            if left <= 0:
                return _middle(bucket) / _MS
        return None


def _bucket(ns: int) -> int:
    """Return the bucket of a time: its power of two, and the sixteenth within."""
    power = max(0, ns.bit_length() - _BITS)
    return power * _STEPS + (ns >> power)


def _middle(bucket: int) -> float:
    power = max(0, bucket // _STEPS - 1)
    return float((bucket - power * _STEPS << power) + (1 << power) / 2)


def shares(usage: Mapping[str, int]) -> Plain:
    """Return the figures of a language model: ``illegal`` is the share of decisions whose first answer was refused."""
    names = ("decisions", "illegal", "fallbacks", "tokens_in", "tokens_out", "cost")
    known = {name: usage.get(name, 0) for name in names}
    return {**known, "illegal": known["illegal"] / max(1, known["decisions"]), "cost": known["cost"] / 1_000_000}


def models(used: Iterable[tuple[str, Mapping[str, int], float | None]]) -> str:
    """Return a table of language models: name, what it has used, and the mean milliseconds of a decision."""
    heads = ("model", "decisions", "illegal", "fallbacks", "tokens in", "out", "cost", "s a decision")
    return table(heads, (_model(name, shares(usage), mean) for name, usage, mean in used))


def _model(name: str, each: Plain, mean: float | None) -> list[str]:
    return [
        name,
        f"{each['decisions']:,}",
        f"{each['illegal']:.1%}",
        f"{each['fallbacks']:,}",
        f"{each['tokens_in']:,}",
        f"{each['tokens_out']:,}",
        f"${each['cost']:.4f}" if each["cost"] else "–",
        "–" if mean is None else f"{mean / 1000:.2f}",
    ]


def table(heads: Sequence[str], rows: Iterable[Iterable[str]], left: Sequence[int] = (0,)) -> str:
    """Return a table as text. The columns whose numbers are ``left`` are aligned to the left."""
    shown = Table(box=None, pad_edge=False)
    for number, head in enumerate(heads):
        shown.add_column(head, justify="left" if number in left else "right", no_wrap=True)
    for row in rows:
        shown.add_row(*row)
    out = StringIO()
    Console(file=out, width=400).print(shown)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


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
