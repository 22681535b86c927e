"""Generate the JavaScript module with the options of each game, for the web client's form for a new room.

``GAMES`` maps each game to its ``seats`` and its ``options``, as ``descriptions.form`` returns them.
"""

import json
from collections.abc import Mapping

import structlog

from parlour_games.registry import AnyGame
from parlour_protocol.messages import DEFAULT_CLOCK
from parlour_server.directory.descriptions import form
from parlour_server.log_safety import place

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
