"""Describe games for clients that do not have their code: seats, options, and words.

An option has its name, its help (``means``), its limits as far as known (``allowed``, or ``low`` and ``high``), and its
default (``usual``). ``then`` maps each of its values to the other defaults, seats included, that this value changes.
"""

from collections.abc import Iterator
from functools import cache

import attrs

from parlour_games.options import Option, options_of
from parlour_games.registry import AnyGame
from parlour_protocol.messages import Plain
from parlour_protocol.phrases import LANGUAGES, table
from parlour_server.directory.room_creation import USUAL_SEATS


def words(game: AnyGame, locale: str) -> dict[str, str]:
    """Return the phrases of ``game`` by key, in the language of ``locale``, else in the first one."""
    language = locale[:2].lower()
    return _words(game, language if language in LANGUAGES else LANGUAGES[0])


@cache
def _words(game: AnyGame, language: str) -> dict[str, str]:
    return table(game.phrases, language) if game.phrases else {}


@cache
def form(game: AnyGame) -> Plain:
    """Return the ``seats`` (least, usual, most) and the ``options`` of ``game``."""
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
