"""Make text from the network safe to print on a terminal.

A name or chat message may contain escape sequences that move the cursor or set the title, direction marks that reverse
the text, or hundreds of accents on one letter.
"""

import unicodedata
from typing import Any

from parlour_protocol.names import MARKS, width

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
LONGEST = 500
LONGEST_COMPLAINT = 2_000


def clean(text: str, longest: int = LONGEST) -> str:
    """Return ``text`` on one line, without control, format, surrogate or unassigned characters.

    It is cut to ``longest`` columns.
    """
    if text.isascii() and text.isprintable():
        return text if len(text) <= longest else text[: longest - 1] + "…"
    shown: list[str] = []
    marks = used = 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        harmless = _harmless(char)
        if marks > MARKS or harmless == REPLACEMENT == "".join(shown[-1:]):
            continue
        shown.append(harmless)
        used += width(harmless)
        if used > longest:
            while used > longest - 1:
                used -= width(shown.pop())
            return "".join(shown) + "…"
    return "".join(shown)


def clean_all(value: Any) -> Any:
    """Return plain data with all strings cleaned, including keys."""
    match value:
        case str():
            return clean(value)
        case list():
            return [clean_all(each) for each in value]
        case dict():
            return {clean(str(key)): clean_all(each) for key, each in value.items()}
    return value


def _harmless(char: str) -> str:
    category = unicodedata.category(char)
    if category.startswith("Z"):
        return " "
    return REPLACEMENT if category.startswith("C") else char
