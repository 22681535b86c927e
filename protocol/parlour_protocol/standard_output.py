"""Standard output, whatever its encoding: text for people, and documents for programs."""

import sys
from io import TextIOWrapper
from typing import TextIO


def replace_unencodable() -> None:
    """Print ``?`` for characters that the encoding of standard output lacks, instead of raising UnicodeEncodeError."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def document() -> TextIO:
    """Return standard output for a document: in UTF-8, with line feeds, on every system. A terminal stays as it is."""
    if isinstance(sys.stdout, TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    return sys.stdout
