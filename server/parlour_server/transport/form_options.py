"""Generate the JavaScript module with the options of each game, for the web client's form for a new room.

``GAMES`` maps each game to its ``seats`` (least, default, most) and its ``options``. An option has its name, its help
(``means``), its limits as far as known (``allowed``, or ``low`` and ``high``), and its default (``usual``). ``then``
maps each of its values to the other defaults, seats included, that this value changes.
"""

import json
from collections.abc import Iterator, Mapping

import attrs
import structlog

from parlour_games.options import Option, options_of
from parlour_games.registry import AnyGame
from parlour_protocol.messages import Plain
from parlour_protocol.types import DEFAULT_CLOCK
from parlour_server.directory.room_creation import USUAL_SEATS
from parlour_server.log_safety import place

log = structlog.get_logger()


def offered(games: Mapping[str, AnyGame]) -> bytes:
    """Return the source of the module."""
    options = {name: source for name, game in games.items() if (source := _source(name, game))}
    shown = ", ".join(f"{_json(name)}: {source}" for name, source in options.items())
    return f"export const GAMES = {{{shown}}};\nexport const CLOCK = {_json(DEFAULT_CLOCK)};\n".encode()


def _source(name: str, game: AnyGame) -> str:
    try:
        return _json(_game(game))
    except Exception as error:  # a game of others may raise anything; all else on the page works without its form
        log.error("a game has no form on the web page", game=name, error=type(error).__name__, where=place(error))
        return ""


def _game(game: AnyGame) -> Plain:
    usual = _usual(game, {})
    return {"seats": usual["seats"], "options": [_option(game, option, usual) for option in options_of(game)]}


def _option(game: AnyGame, option: Option, usual: Plain) -> Plain:
    field: Plain = {"name": option.name, "means": option.help, "usual": option.default}
    if option.choices:
        return {**field, "allowed": option.choices, "then": dict(_consequences(game, option, usual))}
    limits = {"low": option.low, "high": option.high}
    return {**field, **{name: limit for name, limit in limits.items() if limit is not None}}


def _consequences(game: AnyGame, option: Option, usual: Plain) -> Iterator[tuple[str, Plain]]:
    """Yield each value of ``option`` that is valid alone, with the other defaults that it changes."""
    for value in option.choices:
        try:
            then = _usual(game, {option.name: value})
        except (TypeError, ValueError):  # BadOptions, or what a foreign validator raises
            continue
        others = {name: then[name] for name in then if name != option.name and then[name] != usual[name]}
        if others:
            yield str(value), others


def _usual(game: AnyGame, chosen: Plain) -> Plain:
    options = game.Options(**chosen)
    least, most = game.seats(options)
    return {**attrs.asdict(options), "seats": (least, max(least, min(USUAL_SEATS, most)), most)}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
