"""Lines wrapped between words, to the width of a terminal."""

import os
import shutil
from textwrap import wrap
from typing import TextIO

BOLD, RED = "1", "1;31"
"""Styles of a mark."""
_NARROWEST = 20


def folded(text: str, width: int, indent: int = 0) -> str:
    """Return ``text`` with its long lines wrapped. ``indent``: columns before their continuations."""
    lines = (
        wrap(line, max(_NARROWEST, width), subsequent_indent=" " * indent, break_on_hyphens=False) or [""]
        for line in text.split("\n")
    )
    return "\n".join(line for several in lines for line in several)


def marked_for(out: TextIO, text: str, mark: str, style: str = RED, indent: int = 0) -> str:
    """Return ``text``, which begins with ``mark``, wrapped if ``out`` is a terminal; there the mark has ``style``."""
    found = folded_for(out, text, indent)
    plain = not out.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    return found if plain else f"\x1b[{style}m{mark}\x1b[m{found.removeprefix(mark)}"


def folded_for(out: TextIO, text: str, indent: int = 0) -> str:
    """Return ``text`` wrapped if ``out`` is a terminal."""
    return folded(text, shutil.get_terminal_size().columns, indent) if out.isatty() else text
