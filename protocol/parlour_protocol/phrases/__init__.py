"""What people read, by key: a table for each language. Refusals and rooms are here; games and clients have their own.

A table is a file ``LANGUAGE.json`` in a package. Its phrases are templates in a part of ICU MessageFormat, described in
``parlour_client.core.phrases``.
"""

import json
from importlib.resources import files

LANGUAGES = ("en", "de")
"""The languages of the tables, the one that everything falls back to first."""


def table(package: str, language: str) -> dict[str, str]:
    """Return the phrases of ``package`` in ``language``, those of the first language where they are missing."""
    found: dict[str, str] = {}
    for each in dict.fromkeys((LANGUAGES[0], language)):
        file = files(package).joinpath(f"{each}.json")
        if file.is_file():
            found |= json.loads(file.read_text(encoding="utf-8"))
    return found
