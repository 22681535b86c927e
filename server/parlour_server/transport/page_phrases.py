"""Generate the JavaScript modules with the phrases of the web page, a few for each language.

They are ``phrases/LANGUAGE/PART.js``: the page itself, the refusals, each game, and ``.more`` of it, which a
first view does without. A game without phrases in a language is shown in the first one.
"""

import json
from collections.abc import Iterator, Mapping

from parlour_games.registry import AnyGame
from parlour_protocol.phrases import LANGUAGES, table

_PACKAGES = ("parlour_protocol.phrases", "parlour_server.phrases")
_REFUSAL = "refusal."
_LATER = ("event", "option", "rules", "manual")
"""What a first view of a game does without."""


def phrase_modules(games: Mapping[str, AnyGame]) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the source of each module."""
    for language in LANGUAGES:
        own = {key: words for package in _PACKAGES for key, words in table(package, language).items()}
        yield _module(language, "page", {key: words for key, words in own.items() if not key.startswith(_REFUSAL)})
        yield _module(language, "refusals", {key: words for key, words in own.items() if key.startswith(_REFUSAL)})
        for name, game in games.items():
            if game.phrases:
                whole = table(game.phrases, language)
                more = {key: words for key, words in whole.items() if key.split(".")[1] in _LATER}
                yield _module(language, name, {key: words for key, words in whole.items() if key not in more})
                yield _module(language, f"{name}.more", more)


def _module(language: str, part: str, phrases: Mapping[str, str]) -> tuple[str, bytes]:
    source = f"export default {json.dumps(phrases, ensure_ascii=False, separators=(',', ':'))};\n"
    return f"phrases/{language}/{part}.js", source.encode()
