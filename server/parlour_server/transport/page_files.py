"""Find the files of the web page: those of this package, those that games bring, and generated modules.

``Pages`` serves them.

Generated are ``GAMES``, the options of each game for the form for a new room, and the phrases of the page.

``GAMES`` maps each game to its ``seats`` and its ``options``, as ``descriptions.form`` returns them.

They are ``phrases/LANGUAGE/PART.js``: the page itself, its lobby, the refusals, each game with what the page says of
it. ``.more`` of the page and of each game is what a first view does without. A game without phrases in a language is
shown in the first one.
"""

import json
from collections.abc import Iterator, Mapping
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable

import structlog

from parlour_games.registry import AnyGame, games
from parlour_protocol.messages import DEFAULT_CLOCK
from parlour_protocol.phrases import LANGUAGES, table
from parlour_server.directory.room_creation import form
from parlour_server.effects import place
from parlour_server.transport.pages import HOME, Pages, ServedFile, content_type

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


log = structlog.get_logger()


def offered(games: Mapping[str, AnyGame]) -> bytes:
    """Return the source of the module."""
    options = {name: source for name, game in games.items() if (source := _source(name, game))}
    shown = ", ".join(f"{_json(name)}: {source}" for name, source in options.items())
    return f"export const GAMES = {{{shown}}};\nexport const CLOCK = {_json(DEFAULT_CLOCK)};\n".encode()


def _source(name: str, game: AnyGame) -> str:
    try:
        return _json(form(game))
    except Exception as error:  # a game of others may raise anything; all else on the page works without its form
        log.error("a game has no form on the web page", game=name, error=type(error).__name__, where=place(error))
        return ""


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


FORM_OPTIONS = "views/form_options.js"
"""A module that is not in the folder: the options of the form for a new room."""
_GAMES = '<meta name="games" content="">'
"""The place of the games with a module of their own in the first file."""


def pages() -> Pages:
    """Read all files and return the web page."""
    found = dict(_contents(files("parlour_server").joinpath("web")))
    brought = dict(_brought(games()))
    named = _GAMES.replace('""', f'"{escape(" ".join(brought))}"').encode()
    found[HOME] = found[HOME].replace(_GAMES.encode(), named)
    for contents in brought.values():
        found = {**contents, **found}
    return Pages({**found, FORM_OPTIONS: offered(games()), **dict(phrase_modules(games()))}, games())


def _brought(games: Mapping[str, AnyGame]) -> Iterator[tuple[str, dict[str, bytes]]]:
    """Yield each game that brings files for the page, and the files, unless they cannot be served."""
    for name, game in games.items():
        try:
            contents = dict(_contents(files(game.page), f"games/{name}/")) if game.page else {}
            for file, content in contents.items():
                ServedFile.of(file, content, cache="")
        except Exception as error:  # a package of others may lack anything
            log.error("a game has no module on the web page", game=name, error=type(error).__name__, where=place(error))
        else:
            if f"games/{name}/widget.js" in contents:
                yield name, contents


def _contents(folder: Traversable, place: str = "") -> Iterator[tuple[str, bytes]]:
    """Yield each file in ``folder`` and the folders below that may be served: its path from there, and its content."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _contents(entry, f"{place}{entry.name}/")
        elif content_type(entry.name):
            yield place + entry.name, entry.read_bytes()
