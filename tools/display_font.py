"""``python -m tools.display_font FONT``: subset the display face of the web page.

FONT is ``files/fraunces-latin-700-normal.woff2`` of the npm package ``@fontsource/fraunces`` 5.3.0, which ``npm pack``
fetches. The page serves the letters of its two languages, tabular figures and signs; ``OFL.txt`` is the licence.
"""

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter, load_font, save_font
from fontTools.ttLib import TTFont

_WEB = Path(__file__).parents[1] / "server/parlour_server/web/styles"
_LETTERS = "".join(map(chr, range(0x20, 0x7F))) + "ÄÖÜäöüßéèçñ§°·×–—‘’“”„…›‹»«€−"
_MOST = 30_000
"""The limit for the font in bytes."""


def _tabular(font: TTFont) -> None:
    """Give all figures the width of the widest: the subset on npm has no tabular ones."""
    metrics, glyphs = font["hmtx"], font["glyf"]
    figures = [font.getBestCmap()[ord(figure)] for figure in "0123456789"]
    width = max(metrics[name][0] for name in figures)
    for name in figures:
        advance, bearing = metrics[name]
        by = (width - advance) // 2
        glyphs[name].coordinates.translate((by, 0))
        glyphs[name].recalcBounds(glyphs)
        metrics[name] = (width, bearing + by)


def main(source: str) -> int:
    """Write the subset and return the exit code."""
    options = Options(flavor="woff2")
    options.name_IDs = [0, 1, 2, 13, 14]  # copyright and licence stay
    font = load_font(source, options)
    subsetter = Subsetter(options)
    subsetter.populate(text=_LETTERS)
    subsetter.subset(font)
    _tabular(font)
    target = _WEB / "display.woff2"
    save_font(font, str(target), options)
    size = target.stat().st_size
    sys.stdout.write(f"{target}: {size:,} bytes\n")
    return int(size > _MOST)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
