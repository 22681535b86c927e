"""Lines wrapped between words, to the width of a terminal."""

import shutil
from textwrap import wrap
from typing import TextIO

_NARROWEST = 20


def folded(text: str, width: int, indent: int = 0) -> str:
    """Return ``text`` with its long lines wrapped. ``indent``: columns before their continuations."""
    lines = (
        wrap(line, max(_NARROWEST, width), subsequent_indent=" " * indent, break_on_hyphens=False) or [""]
        for line in text.split("\n")
    )
    return "\n".join(line for several in lines for line in several)


def folded_for(out: TextIO, text: str, indent: int = 0) -> str:
    """Return ``text`` wrapped if ``out`` is a terminal."""
    return folded(text, shutil.get_terminal_size().columns, indent) if out.isatty() else text
