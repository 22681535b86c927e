"""Generate the JavaScript modules with the phrases of the web page, a few for each language.

They are ``phrases/LANGUAGE/PART.js``: the page itself, its lobby, the refusals, each game with what the page says of
it. ``.more`` of the page and of each game is what a first view does without. A game without phrases in a language is
shown in the first one.
"""

import json
from collections.abc import Iterator, Mapping

from parlour_games.registry import AnyGame
from parlour_protocol.phrases import LANGUAGES, table

_PACKAGES = ("parlour_protocol.phrases", "parlour_server.phrases")
_MORE = (
    *("event", "option", "rules", "manual", "refusal"),
    *("any", "ended", "entry", "form", "help", "menu", "panel", "profile", "replay", "result", "review", "standings"),
)
_PARTS = {"lobby": "lobby", **dict.fromkeys(_MORE, "more")}
"""The parts of the phrases of the page and of a game that a table does without at first."""


def phrase_modules(games: Mapping[str, AnyGame]) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the source of each module."""
    for language in LANGUAGES:
        own = {key: words for package in _PACKAGES for key, words in table(package, language).items()}
        tables = {name: table(game.phrases, language) if game.phrases else {} for name, game in games.items()}
        for name, words in tables.items():
            yield from _parts(language, name, {**_taken(own, f"page.{name}."), **words})
        _taken(own, "webhook.")  # the server says these itself
        yield _module(language, "refusals", _taken(own, "refusal."))
        called = {f"{name}.{key}" for name in games for key in ("name", "summary")}
        titles = {key: each for words in tables.values() for key, each in words.items() if key in called}
        yield from _parts(language, "page", {**own, **titles})


def _taken(phrases: dict[str, str], beginning: str) -> dict[str, str]:
    """Remove and return the phrases whose keys have this beginning."""
    return {key: phrases.pop(key) for key in list(phrases) if key.startswith(beginning)}


def _parts(language: str, name: str, phrases: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    parts: dict[str, dict[str, str]] = {name: {}, f"{name}.more": {}}
    for key, words in phrases.items():
        part = _PARTS.get(key.partition(".")[2].partition(".")[0])
        parts.setdefault(f"{name}.{part}" if part else name, {})[key] = words
    for part, found in parts.items():
        yield _module(language, part, found)


def _module(language: str, part: str, phrases: Mapping[str, str]) -> tuple[str, bytes]:
    source = f"export default {json.dumps(phrases, ensure_ascii=False, separators=(',', ':'))};\n"
    return f"phrases/{language}/{part}.js", source.encode()
