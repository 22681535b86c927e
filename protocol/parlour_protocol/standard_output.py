"""Standard output, whatever its encoding: text and QR codes for people, and documents for programs."""

import sys
from io import TextIOWrapper
from typing import TextIO

_HALVES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
_MARGIN = 2
"""Light modules around the code: fewer than the standard's four, which phones do not need."""


def replace_unencodable() -> None:
    """Print ``?`` for characters that the encoding of standard output lacks, instead of raising UnicodeEncodeError."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def document() -> TextIO:
    """Return standard output for a document: in UTF-8, with line feeds, on every system. A terminal stays as it is."""
    if isinstance(sys.stdout, TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    return sys.stdout


def qr(link: str) -> str:
    """Return the QR code of ``link`` as lines of half blocks, light on a dark ground: light modules are drawn."""
    import segno  # takes a while to import, and most starts draw no code

    code = segno.make(link, error="l", micro=False)
    rows = [[not dark for dark in row] for row in code.matrix_iter(border=_MARGIN)]
    rows += [[True] * len(rows[0])] if len(rows) % 2 else []
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(_HALVES[pair] for pair in zip(*two, strict=True)) for two in pairs)
