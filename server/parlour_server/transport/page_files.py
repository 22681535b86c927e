"""Find the files of the web page: those of this package, those that games bring, and generated modules.

``Pages`` serves them.
"""

from collections.abc import Iterator, Mapping
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable

import structlog

from parlour_games.registry import AnyGame, games
from parlour_server.log_safety import place
from parlour_server.transport.form_options import offered
from parlour_server.transport.page_phrases import phrase_modules
from parlour_server.transport.pages import HOME, File, Pages, content_type

FORM_OPTIONS = "views/form_options.js"
"""A module that is not in the folder: the options of the form for a new room."""
_GAMES = '<meta name="games" content="">'
"""The place of the games with a module of their own in the first file."""

log = structlog.get_logger()


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
                File.of(file, content, cache="")
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
