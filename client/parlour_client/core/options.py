"""Options of a game from the command line (``level=expert``, ``no_guess=true``) or from a file, and known deals."""

import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from parlour_client.core.errors import Usage, reading
from parlour_client.core.phrases import say
from parlour_client.core.printing import seconds_of
from parlour_client.core.room import JoinedRoom
from parlour_games.game import BadOptions, Game
from parlour_games.minesweeper.options import Options
from parlour_games.options import Option, check
from parlour_games.options import options_of as options_of_game
from parlour_games.registry import games
from parlour_protocol.errors import BadMessage
from parlour_protocol.messages import Clock, Create, Deal, Plain
from parlour_protocol.wire import strict

_TIME = r"(\d{1,7}(?:\.\d+)?)(s|min|h|d)?"
_CLOCK = re.compile(rf"{_TIME}(?:\+{_TIME}|(/turn))?")
_SWITCHES = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def options_of(words: Iterable[str], game: str = "") -> Plain:
    """Parse ``words``, each NAME=VALUE. Raises Usage. Does not check that the game has such options.

    A value is a number, true or false if it looks like it, unless the option is a text in ``game``.
    """
    options: Plain = {}
    texts = {option.name for option in _options_of(game) if type(option.default) is str}
    for word in words:
        name, given, value = word.partition("=")
        name = name.strip().replace("-", "_")
        if not name or not given or not value.strip():
            raise Usage(say("fault.option", said=ascii(word[:40])))
        if name in options:
            raise Usage(say("fault.twice", name=name))
        options[name] = value.strip() if name in texts else _value(value.strip())
    return options


def _options_of(game: str) -> list[Option]:
    return options_of_game(games()[game]) if game in games() else []


def _value(text: str) -> str | int | bool:
    if text.lower() in _SWITCHES:
        return _SWITCHES[text.lower()]
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 15 else text


def clock_of(text: str) -> Clock:
    """Parse BANK+ADD, or TIME/turn for the same time at every turn, in seconds or with a unit. Raises Usage."""
    found = _CLOCK.fullmatch(text.replace(" ", ""))
    if not found:
        raise Usage(say("fault.clock", said=ascii(text[:20])))
    bank = round(1000 * seconds_of(found[1], found[2]))
    if found[5]:
        return {"bank": bank, "add": bank, "cap": bank}
    return {"bank": bank, "add": round(1000 * seconds_of(found[3] or "0", found[4]))}


def clock_or_none(text: str) -> Clock | None:
    """Parse a clock, or ``none``. Raises Usage."""
    return None if text == "none" else clock_of(text)


def rules_of(said: str | Path, game: str) -> Plain:
    """Return the options of rules: a preset that ``game`` has, such as family, or a TOML file. Raises Usage."""
    presets = [str(choice) for option in _options_of(game) if option.name == "preset" for choice in option.choices]
    if str(said) in presets:
        return {"preset": str(said)}
    if not (path := Path(said).expanduser()).exists():
        raise Usage(say("fault.rules", said=ascii(str(said)[:40]), presets=", ".join(presets) or None, game=game))
    return rules_in(path)


def rules_in(path: Path) -> Plain:
    """Read options from a TOML file of house rules: ``preset = "family"``, ``stack2 = false``.

    Raises Usage.
    """
    try:
        with reading(path), path.open("rb") as file:
            return tomllib.load(file)
    except tomllib.TOMLDecodeError as error:
        raise Usage(say("fault.not_toml", path=path, why=error)) from None


def checked(game: Game[Any, Any, Any, Any], options: Plain) -> Any:
    """Return the complete options of the game that ``options`` result in. Raises BadOptions."""
    check(game.Options, options)
    try:
        return strict(game.Options)(options)
    except BadMessage as error:
        raise BadOptions.of(error) from None


def seeded(seed: int) -> Deal:
    """Return the deal that ``seed`` stands for, the same on every machine: S is SHA-256("parlour-seed/1/" ‖ seed)."""
    return {"secret": sha256(f"parlour-seed/1/{seed}".encode()).hexdigest(), "context": f"seed/{seed}", "nonces": []}


def can_repeat(room: JoinedRoom) -> bool:
    """Whether we can play the deal of the finished match once more: alone, or with bots from the first seat.

    In a room with a chosen deal a rematch does that, except for a board that depends on the first click.
    """
    if room.over is None or room.seat is None:
        return False
    others = [row for row in room.table["seats"] if row["seat"] != room.seat]
    if not others:
        return room.table["options"].get("mode") == "solo"
    return room.seat == 0 and all(row["kind"] == "bot" for row in others) and "deal" not in room.table["fair"]


def repeated(lines: Sequence[str]) -> Create:
    """Return the request for a room with the deal of a match file."""
    begun, *records = map(json.loads, lines)
    seats = len(begun["players"])
    deal: Deal = {"secret": begun["secret"], "context": begun["context"], "nonces": begun["nonces"][:seats]}
    if "beacon" in begun:
        chain, number = begun["beacon"]["chain"], begun["beacon"]["round"]
        deal["beacon"] = {"chain": chain, "round": number, "randomness": begun["nonces"][seats]}
    options = begun["options"]
    if options.get("mode") == "solo" and options.get("first_cell", -1) < 0:
        options = _with_first_cell(options, records)
    return Create(begun["game"], options, seats=len(begun["players"]), private=True, clock=None, deal=deal)


def _with_first_cell(options: Plain, records: Iterable[Plain]) -> Plain:
    """Return ``options`` on which the board of a match does not depend on the first click."""
    for record in records:
        act = record.get("act", {})
        opened = act.get("cells", []) if act.get("do") == "open" else []
        opened = opened or [[x, y] for verb, x, y in act.get("moves", []) if verb == "open"]
        if opened:
            x, y = opened[0]
            return {**options, "first_cell": y * Options(**options).shape.width + x}
    return options
