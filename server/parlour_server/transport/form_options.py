"""What the web page lets people choose when they open a room: a module for it, written from what the games say.

``GAMES`` has for each game its ``seats`` (least, usual, most) and its ``options``, each with its name, what it means,
what it may be (``allowed``, or ``low`` and ``high``), what is ``usual``, and under ``then``, by its values, what
is usual of the others and of the seats if it has that value.
"""

import json
from collections.abc import Iterator, Mapping

import attrs

from parlour_games.choices import Option, options_of
from parlour_games.game import BadOptions
from parlour_games.registry import AnyGame
from parlour_protocol.messages import Plain
from parlour_protocol.types import DEFAULT_CLOCK
from parlour_server.directory.room_creation import USUAL_SEATS


def offered(games: Mapping[str, AnyGame]) -> bytes:
    """Return the text of the module."""
    told = {name: _game(game) for name, game in games.items()}
    return f"export const GAMES = {_json(told)};\nexport const CLOCK = {_json(DEFAULT_CLOCK)};\n".encode()


def _game(game: AnyGame) -> Plain:
    usual = _usual(game, {})
    return {"seats": usual["seats"], "options": [_option(game, option, usual) for option in options_of(game)]}


def _option(game: AnyGame, option: Option, usual: Plain) -> Plain:
    told: Plain = {"name": option.name, "means": option.means, "usual": usual[option.name]}
    if not option.allowed:
        return {**told, "low": option.low, "high": option.high}
    return {**told, "allowed": option.allowed, "then": dict(_consequences(game, option, usual))}


def _consequences(game: AnyGame, option: Option, usual: Plain) -> Iterator[tuple[str, Plain]]:
    """Yield for each value of ``option`` that holds by itself what else is usual with it than without."""
    for value in option.allowed:
        try:
            then = _usual(game, {option.name: value})
        except BadOptions:
            continue
        others = {name: then[name] for name in then if name != option.name and then[name] != usual[name]}
        if others:
            yield str(value), others


def _usual(game: AnyGame, chosen: Plain) -> Plain:
    options = game.Options(**chosen)
    least, most = game.seats(options)
    return {**attrs.asdict(options), "seats": (least, max(least, min(USUAL_SEATS, most)), most)}


def _json(told: object) -> str:
    return json.dumps(told, ensure_ascii=False)
