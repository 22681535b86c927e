"""What people read, by key: a table for each language. Refusals and rooms are here; games and clients have their own.

A table is a file ``LANGUAGE.json`` in a folder of a package. Its phrases are templates in a part of ICU MessageFormat,
described in ``parlour_client.core.phrases``.
"""

import json
from importlib.resources import files

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""The languages of the tables, with their own names."""
FALLBACK = "en"
"""The language of what has no phrase in another one."""


def language_of(locale: str) -> str:
    """Return the language of a locale such as ``de_AT.UTF-8``: one of LANGUAGES, FALLBACK if it is none of them."""
    tag = locale.partition(".")[0].replace("_", "-")
    return next((each for each in (tag, tag[:2].lower()) if each in LANGUAGES), FALLBACK)


def table(folder: str, language: str) -> dict[str, str]:
    """Return the phrases of ``folder`` in ``language``, those of FALLBACK where they are missing.

    A folder is written like a package, ``parlour_games.uno.phrases``, but needs no ``__init__.py``.
    """
    package, _, name = folder.rpartition(".")
    tables = files(package).joinpath(name) if package else files(name)
    found: dict[str, str] = {}
    for each in dict.fromkeys((FALLBACK, language)):
        file = tables.joinpath(f"{each}.json")
        if file.is_file():
            found |= json.loads(file.read_text(encoding="utf-8"))
    return found
